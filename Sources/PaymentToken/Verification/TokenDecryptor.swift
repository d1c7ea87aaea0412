/// An engine: decides about a token and opens it, in this process.
public protocol TokenDecryptor: Sendable {
  /// The engine's name as users choose it: `fast`, `reference`.
  var name: String { get }

  /// Verifies and opens one token.
  ///
  /// - Parameters:
  ///   - request: the token, `PKPaymentToken.paymentData`, or the request it came in, as `policy.envelope` says.
  ///   - now: the verification time; engines never read a clock.
  ///   - policy: the caller's demands.
  /// - Throws: the first fault in the order of the stages.
  func decrypt(_ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy) throws(TokenFault)
    -> DecryptedToken

  /// The same under the unsigned policy: parts that come without a signature are opened all the same
  /// (Docs/Verification.md, "Unsigned policy"). Everywhere else a missing signature stays `missingMember`.
  func decryptUnsigned(_ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy) throws(TokenFault)
    -> TokenUnderUnsignedPolicy
}
