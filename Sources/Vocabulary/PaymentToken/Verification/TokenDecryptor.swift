/// An engine: verifies and decrypts payment tokens in this process.
///
/// All engines decide every token by the rules of Docs/Verification.md, with the same fault for the same token. Any
/// number of threads may share an engine. Types outside the package must not conform: requirements may be added.
public protocol TokenDecryptor: Sendable {
  /// The engine's name as users choose it: `fast`, `reference`.
  var name: String { get }

  /// Verifies and decrypts one token.
  ///
  /// - Parameters:
  ///   - request: the token, which is `PKPaymentToken.paymentData`, or the request that holds it, by `policy.envelope`.
  ///     A token has at most 16,384 bytes, a request at most 65,536.
  ///   - now: the verification time. Engines never read a clock.
  ///   - policy: the caller's requirements.
  /// - Throws: ``TokenFault`` for the first rule that the token breaks, in the order of the stages.
  func decrypt(_ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy) throws(TokenFault)
    -> DecryptedToken

  /// Verifies and decrypts one token, and accepts parts without a signature (Docs/Verification.md, "Unsigned policy").
  ///
  /// Tokens that are not in parts still need a signature. The parameters are those of ``decrypt(_:at:under:)``.
  ///
  /// - Throws: ``TokenFault`` for the first rule that the token breaks, in the order of the stages.
  func decryptAllowingUnsigned(_ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy)
    throws(TokenFault)
    -> SignedOrUnsignedToken
}

/// An engine that also decides several requests together.
public protocol BatchDecryptor: TokenDecryptor {
  /// Verifies and decrypts any number of tokens.
  ///
  /// The verdicts are those of ``TokenDecryptor/decrypt(_:at:under:)`` for one request after the other, in their order,
  /// and the replay store is asked in that order.
  func decryptBatch(
    _ requests: [[UInt8]], at now: UnixTime, under policy: VerificationPolicy
  ) -> [Result<DecryptedToken, TokenFault>]
}

/// Computes shared secrets of EC_v1 with an external key: in an HSM, a KMS or a PKCS #11 device.
///
/// Engines call it in stage 11 (rule 11.3), from any number of threads at once: for tokens that Apple has signed and,
/// under the unsigned policy, for parts that anyone may have sent.
public protocol KeyAgreement: Sendable {
  /// Computes ECDH on P-256 with the external key (NIST SP 800-56A section 5.7.1.2).
  ///
  /// - Parameters:
  ///   - peer: the token's ephemeral key, 04 ‖ x ‖ y, 65 bytes. The engine has checked that it is on the curve.
  ///   - secret: 32 bytes to fill with Z: the x-coordinate, big-endian, with leading zeros. The engine wipes them; the
  ///     implementation wipes its copies.
  /// - Throws: ``KeyUnavailable`` when there is no answer. The engine then throws ``TokenFault/Code/keyUnavailable``.
  func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable)
}

/// Unwraps AES keys of RSA_v1 with an external key: in an HSM, a KMS or a PKCS #11 device.
///
/// Engines call it in stage 11 (rule 11.3), from any number of threads at once, only for tokens that Apple has signed:
/// unsigned tokens are of EC_v1.
public protocol KeyTransport: Sendable {
  /// Decrypts a wrapped key by RSAES-OAEP with SHA-256, MGF1 with SHA-256 and an empty label (RFC 8017 section 7.1.2).
  ///
  /// The time should not depend on whether, or why, that fails (rule 11.5).
  ///
  /// - Parameters:
  ///   - wrapped: as many bytes as the modulus has. The engine has checked that it is below the modulus.
  ///   - key: 16 bytes to fill. The engine wipes them; the implementation wipes its copies.
  /// - Returns: whether it decrypts to exactly 16 bytes. If not, the engine continues with a random key.
  /// - Throws: ``KeyUnavailable`` when there is no answer. The engine then throws ``TokenFault/Code/keyUnavailable``.
  func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool
}

/// An external key did not answer. This says nothing about a token. The implementation reports the cause.
public struct KeyUnavailable: Error, Hashable, Sendable {
  /// The error, which has no details.
  public init() {}
}
