import PaymentToken

extension ReferenceDecryptor {
  /// Stage 14: the caller's expectations, then the replay store.
  ///
  /// - Throws: `envelopeFieldMismatch` at this stage, `applicationDataMismatch`, `currencyMismatch`, `amountMismatch`,
  ///   `replayedTransaction`, `replayStoreFull`, `replayStoreUnavailable`.
  static func checkExpectations(
    _ policy: VerificationPolicy, fields: TokenFields, transactionFields: [ExtractedRequest.TransactionField],
    payload: Payload, now: UnixTime, trace: inout Trace
  ) throws(TokenFault) {
    trace.begin(.expectations)
    try checkTransactionFields(transactionFields, transactionId: fields.transactionId, trace: &trace)
    try checkApplicationData(fields.applicationData, expected: policy.expectations.applicationData, trace: &trace)
    try checkPayment(payload, expected: policy.expectations, trace: &trace)
    // 14.4
    guard case .window(let seconds, let replay?) = policy.freshness else { return }
    switch replay.insert(fields.transactionId, at: now, window: seconds) {
    case .fresh: return
    case .replayed: throw TokenFault(.replayedTransaction)
    case .full: throw TokenFault(.replayStoreFull)
    case .unavailable: throw TokenFault(.replayStoreUnavailable)
    }
  }

  /// Stage 14 of unsigned parts, which have no application data and no signed transactionId.
  ///
  /// - Throws: `envelopeFieldMismatch` at this stage, `applicationDataMismatch`, `currencyMismatch`, `amountMismatch`.
  static func checkUnsignedExpectations(
    _ expected: Expectations, transactionFields: [ExtractedRequest.TransactionField], payload: Payload,
    trace: inout Trace
  ) throws(TokenFault) {
    trace.begin(.expectations)
    try checkTransactionFields(transactionFields, transactionId: nil, trace: &trace)
    try checkApplicationData(nil, expected: expected.applicationData, trace: &trace)
    try checkPayment(payload, expected: expected, trace: &trace)
  }

  /// 14.0: the field is the token's transactionId in hexadecimal.
  private static func checkTransactionFields(
    _ fields: [ExtractedRequest.TransactionField], transactionId: Bytes32?, trace: inout Trace
  ) throws(TokenFault) {
    for field in fields {
      guard let value = field.value else { continue }
      let named = value.string.flatMap(StrictHex.decode).flatMap { Bytes32($0) }
      let agrees = named != nil && named == transactionId
      trace.note(.envelopeField(Envelope.Field(field.path, .transactionId), agrees: agrees))
      guard agrees else { throw TokenFault(.envelopeFieldMismatch, stage: .expectations) }
    }
  }

  /// 14.1.
  private static func checkApplicationData(
    _ found: Bytes32?, expected: Bytes32?, trace: inout Trace
  ) throws(TokenFault) {
    guard let expected else { return }
    trace.note(.applicationData(found: found, expected: expected))
    guard found == expected else { throw TokenFault(.applicationDataMismatch) }
  }

  /// 14.2, 14.3.
  private static func checkPayment(
    _ payload: Payload, expected: Expectations, trace: inout Trace
  ) throws(TokenFault) {
    if let currencyCode = expected.currencyCode {
      guard payload.currencyCode.isText(currencyCode) else {
        trace.note(.otherPayment(currencyCode: payload.currencyCode.copiedText, factor: nil))
        throw TokenFault(.currencyMismatch)
      }
    }
    if let amount = expected.transactionAmount {
      guard payload.transactionAmount == amount else {
        let factor = powerOfTen(between: payload.transactionAmount, and: amount)
        trace.note(.otherPayment(currencyCode: payload.currencyCode.copiedText, factor: factor))
        throw TokenFault(.amountMismatch)
      }
    }
  }

  /// The factor between the two amounts, if it is exactly 10, 100, 1,000 or 10,000; nil otherwise.
  private static func powerOfTen(between amount: Int64, and other: Int64) -> Int64? {
    let (smaller, larger) = (min(amount, other), max(amount, other))
    guard smaller > 0, larger % smaller == 0 else { return nil }
    return [10, 100, 1_000, 10_000].first { larger / smaller == $0 }
  }
}
