import PaymentToken

extension ReferenceDecryptor {
  /// 9.1: the window, which `Freshness` may switch off, and the policy's range of signing times, if it has one.
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
