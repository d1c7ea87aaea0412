import FastDecryption
import PaymentToken

extension TokenOpener {
  /// Verifies a token and returns a copy of its payment.
  func payment(
    in token: [UInt8], at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> Payment {
    try engine.decrypt(token.span, at: now, under: policy).payment
  }
}
