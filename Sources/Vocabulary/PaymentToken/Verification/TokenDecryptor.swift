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

/// Makes the shared secret of EC_v1 where the merchant's private key is kept: in an HSM, a smart card, a KMS.
///
/// Engines ask in stage 11, from any number of threads at once: for tokens that Apple has signed and, under the unsigned
/// policy, for parts that anybody may have sent.
public protocol KeyAgreement: Sendable {
  /// One ECDH on P-256 (NIST SP 800-56A section 5.7.1.2) with the private key this stands for.
  ///
  /// - Parameters:
  ///   - peer: the token's ephemeral key, 04 ‖ x ‖ y, 65 bytes; the engine has checked that it is on the curve.
  ///   - secret: 32 bytes to fill with Z: the x-coordinate, big-endian, its leading zeros kept. The engine wipes them;
  ///     copies are the implementation's to wipe.
  /// - Throws: `KeyUnavailable` when there is no answer; the engine then throws `keyUnavailable`.
  func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable)
}

/// The store of a private key gave no answer. Says nothing about a token; why is for the implementation to report.
public struct KeyUnavailable: Error, Hashable, Sendable {
  /// The one value there is.
  public init() {}
}
