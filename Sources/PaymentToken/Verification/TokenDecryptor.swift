/// An engine: decides about a token and opens it, in this process.
public protocol TokenDecryptor: Sendable {
  /// The engine's name as users choose it: `fast`, `reference`.
  var name: String { get }

  /// Verifies and opens one raw token.
  ///
  /// - Parameters:
  ///   - token: the bytes of `PKPaymentToken.paymentData`.
  ///   - now: the verification time; engines never read a clock.
  ///   - policy: the caller's demands.
  /// - Throws: the first fault in the order of the stages.
  func decrypt(_ token: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy) throws(TokenFault)
    -> DecryptedToken
}
