import PaymentToken
import TokenScanning

/// The times of a signature.
struct SignatureTimes {
  /// The CMS signingTime.
  let signed: UnixTime
  /// The time that the certificates' validity was checked at.
  let verified: UnixTime
}

extension VerificationPolicy {
  /// Decides stage 9.
  borrowing func checkSigningTime(_ times: SignatureTimes, at now: UnixTime) throws(TokenFault) {
    if case .window(let seconds, _) = freshness, times.signed.distance(to: now) > UInt64(seconds) {
      throw TokenFault(.signingTimeOutsideWindow)
    }
  }
}
