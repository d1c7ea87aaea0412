import PaymentToken

extension ReferenceDecryptor {
  /// Stage 14: what the caller asked for, the replay store last.
  ///
  /// - Throws: `applicationDataMismatch`, `currencyMismatch`, `amountMismatch`, `replayedTransaction`,
  ///   `replayStoreFull`.
  static func checkExpectations(
    _ policy: VerificationPolicy, fields: TokenFields, payload: Payload, now: UnixTime, trace: inout Trace
  ) throws(TokenFault) {
    trace.begin(.expectations)
    let expected = policy.expectations
    // 14.1
    if let applicationData = expected.applicationData {
      trace.note(.applicationData(found: fields.applicationData, expected: applicationData))
      guard fields.applicationData == applicationData else { throw TokenFault(.applicationDataMismatch) }
    }
    // 14.2
    if let currencyCode = expected.currencyCode {
      guard payload.currencyCode.isText(currencyCode) else { throw TokenFault(.currencyMismatch) }
    }
    // 14.3
    if let amount = expected.transactionAmount {
      guard payload.transactionAmount == amount else { throw TokenFault(.amountMismatch) }
    }
    // 14.4
    guard case .window(let seconds, let replay?) = policy.freshness else { return }
    switch replay.insert(fields.transactionId, at: now, window: seconds) {
    case .fresh: return
    case .replayed: throw TokenFault(.replayedTransaction)
    case .full: throw TokenFault(.replayStoreFull)
    }
  }
}
