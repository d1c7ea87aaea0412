import PaymentToken

extension ReferenceDecryptor {
  /// Stage 9, the only stage that may be switched off. With `Freshness.signingTime` it always passes.
  ///
  /// - Throws: `signingTimeOutsideWindow`.
  static func checkSigningTime(
    _ signingTime: UnixTime, at time: UnixTime, freshness: Freshness, trace: inout Trace
  ) throws(TokenFault) {
    trace.begin(.signingTime)
    guard case .window(let seconds, _) = freshness else { return }
    let distance = signingTime.absoluteDistance(to: time)
    trace.note(.signingTimeDistance(seconds: distance, window: seconds))
    guard distance <= UInt64(seconds) else { throw TokenFault(.signingTimeOutsideWindow) }
  }
}
