import PaymentToken

extension ReferenceDecryptor {
  /// Stage 9, the only stage that may be switched off. With `Freshness.signingTime` the window always passes.
  ///
  /// - Throws: `signingTimeOutsideWindow`.
  static func checkSigningTime(
    _ signingTime: UnixTime, at time: UnixTime, under policy: VerificationPolicy, trace: inout Trace
  ) throws(TokenFault) {
    trace.begin(.signingTime)
    if case .window(let seconds, _) = policy.freshness {
      let distance = signingTime.absoluteDistance(to: time)
      trace.note(.signingTimeDistance(seconds: distance, window: seconds))
      guard distance <= UInt64(seconds) else { throw TokenFault(.signingTimeOutsideWindow) }
    }
    if let range = policy.signingTimes, signingTime < range.lowerBound || signingTime >= range.upperBound {
      throw TokenFault(.signingTimeOutsideWindow)
    }
  }
}
