import PaymentToken
import TokenScanning

/// The parts of a request that are checked after the token is decrypted.
struct TokenOrigin {
  /// The name of the envelope that contained the token.
  let envelope: String
  /// The transactionId that the request states for the token.
  let transactionIdentifier: TransactionIdentifier

  init(_ extracted: borrowing ExtractedToken) {
    envelope = extracted.envelope
    transactionIdentifier = extracted.transactionIdentifier
  }
}

extension VerificationPolicy {
  /// Decides stage 14. The replay store is asked last, and only if all other rules are met.
  borrowing func checkExpectations(
    _ decoded: DecodedToken, from origin: TokenOrigin, _ payload: PayloadFields, in plaintext: Span<UInt8>,
    at now: UnixTime
  ) throws(TokenFault) {
    try check(origin, transactionId: decoded.transactionId, applicationData: decoded.applicationData)
    try check(payload, in: plaintext)
    guard case .window(let seconds, let store?) = freshness else { return }
    switch store.insert(decoded.transactionId, at: now, window: seconds) {
    case .fresh: return
    case .replayed: throw TokenFault(.replayedTransaction)
    case .full: throw TokenFault(.replayStoreFull)
    case .unavailable: throw TokenFault(.replayStoreUnavailable)
    }
  }

  /// Decides stage 14 for an unsigned token, which has neither transactionId nor applicationData.
  borrowing func checkExpectationsUnsigned(
    _ origin: TokenOrigin, _ payload: PayloadFields, in plaintext: Span<UInt8>
  ) throws(TokenFault) {
    try check(origin, transactionId: nil, applicationData: nil)
    try check(payload, in: plaintext)
  }

  /// Whether replays are detected.
  var detectsReplays: Bool {
    if case .window(_, _?) = freshness { return true }
    return false
  }

  /// Rules 14.0 and 14.1.
  private borrowing func check(
    _ origin: TokenOrigin, transactionId: Bytes32?, applicationData: Bytes32?
  ) throws(TokenFault) {
    guard origin.transactionIdentifier.agrees(with: transactionId) else {
      throw TokenFault(.envelopeFieldMismatch, stage: .expectations)
    }
    if let expected = expectations.applicationData, expected != applicationData {
      throw TokenFault(.applicationDataMismatch)
    }
  }

  /// Rules 14.2 and 14.3.
  private borrowing func check(_ payload: PayloadFields, in plaintext: Span<UInt8>) throws(TokenFault) {
    if let expected = expectations.currencyCode, !payload.currencyCode.equals(expected.utf8.span, in: plaintext) {
      throw TokenFault(.currencyMismatch)
    }
    if let expected = expectations.transactionAmount, expected != payload.transactionAmount {
      throw TokenFault(.amountMismatch)
    }
  }
}
