import PaymentToken
import TokenScanning

/// A replay store that can be asked without waiting for its answer, and the window of the policy in seconds.
package struct AskableStore {
  let store: any AsynchronousReplayStore
  let window: UInt32
}

/// What is needed of a request after its token is decrypted.
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
  ///
  /// - Parameter asksStore: false leaves 14.4 to the caller.
  borrowing func checkExpectations(
    _ decoded: DecodedToken, from origin: TokenOrigin, _ payload: PayloadFields, in plaintext: Span<UInt8>,
    at now: UnixTime, asksStore: Bool = true
  ) throws(TokenFault) {
    try check(origin, transactionId: decoded.transactionId, applicationData: decoded.applicationData)
    try check(payload, in: plaintext)
    guard asksStore, let fault = replayFault(of: decoded.transactionId, at: now) else { return }
    throw fault
  }

  /// Decides stage 14 for an unsigned token, which has neither transactionId nor applicationData.
  borrowing func checkExpectationsUnsigned(
    _ origin: TokenOrigin, _ payload: PayloadFields, in plaintext: Span<UInt8>
  ) throws(TokenFault) {
    try check(origin, transactionId: nil, applicationData: nil)
    try check(payload, in: plaintext)
  }

  /// The replay store, if it can be asked without waiting for its answer.
  package var asynchronousStore: AskableStore? {
    guard case .window(let seconds, detectsReplays: true) = freshnessRule,
      let asynchronous = replayStore.asynchronous
    else { return nil }
    return AskableStore(store: asynchronous, window: seconds)
  }

  /// Decides 14.4.
  package borrowing func replayFault(of transactionId: Bytes32, at now: UnixTime) -> TokenFault? {
    guard case .window(let seconds, detectsReplays: true) = freshnessRule else { return nil }
    return replayStore.insert(transactionId, at: now, window: seconds).fault
  }

  /// Whether replays are detected.
  var detectsReplays: Bool {
    if case .window(_, detectsReplays: true) = freshnessRule { return true }
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

extension ReplayVerdict {
  /// The fault of rule 14.4; nil for a transaction that was not seen before.
  var fault: TokenFault? {
    switch self {
    case .fresh: nil
    case .replayed: TokenFault(.replayedTransaction)
    case .full: TokenFault(.replayStoreFull)
    case .unavailable: TokenFault(.replayStoreUnavailable)
    }
  }
}
