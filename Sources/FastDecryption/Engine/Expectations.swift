import PaymentToken
import TokenScanning

extension VerificationPolicy {
  /// Decides stage 14; the replay store is asked last, and only when all else holds.
  borrowing func check(
    _ content: SignedContent, _ payload: PayloadFields, in plaintext: Span<UInt8>, at now: UnixTime
  ) throws(TokenFault) {
    if let expected = expectations.applicationData, expected != content.applicationData {
      throw TokenFault(.applicationDataMismatch)
    }
    if let expected = expectations.currencyCode, !payload.currencyCode.equals(expected.utf8, in: plaintext) {
      throw TokenFault(.currencyMismatch)
    }
    if let expected = expectations.transactionAmount, expected != payload.transactionAmount {
      throw TokenFault(.amountMismatch)
    }
    guard case .window(let seconds, let store?) = freshness else { return }
    switch store.insert(content.transactionId, at: now, window: seconds) {
    case .fresh: return
    case .replayed: throw TokenFault(.replayedTransaction)
    case .full: throw TokenFault(.replayStoreFull)
    }
  }
}
