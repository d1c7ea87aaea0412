import PaymentToken
import TokenScanning

/// Who is said to have signed a token, and when; whether the signature is genuine is yet to be decided.
struct SignatureClaim {
  let signer: SignerInfoView
  let chain: FoundChain
  let times: SignatureTimes

  /// The leaf's.
  var key: SignerKey { chain.verified.signer }
}

/// The times of a signature.
struct SignatureTimes {
  /// The CMS signingTime.
  let signed: UnixTime
  /// The time the certificates were checked against.
  let verified: UnixTime
}

extension VerificationPolicy {
  /// Decides stage 9.
  borrowing func check(_ times: SignatureTimes, at now: UnixTime) throws(TokenFault) {
    if case .window(let seconds, _) = freshness, times.signed.distance(to: now) > UInt64(seconds) {
      throw TokenFault(.signingTimeOutsideWindow)
    }
  }
}
