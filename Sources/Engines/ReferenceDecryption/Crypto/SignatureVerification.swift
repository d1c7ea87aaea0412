import COpenSSL
import MerchantKeys

/// Makes one call of libcrypto, or returns the result of an earlier call.
///
/// - Parameters:
///   - inputs: everything that the result depends on, in a fixed order: the signature value, the message, the signer's
///     SubjectPublicKeyInfo, the size of the digest in bytes, which tells SHA-256 from SHA-384.
///   - verify: makes the call.
package typealias SignatureReuse = @Sendable (_ inputs: [[UInt8]], _ verify: () -> Bool) -> Bool

/// Verifies signatures with a certificate's key (rules 7.2, 8.2 to 8.4).
enum SignatureVerification {
  /// The shortest RSA modulus that may sign certificates, in bits (7.2).
  private static let minimumRSABits = 2_048

  /// Whether a signature by this algorithm may be verified with this key.
  static func allows(_ algorithm: SignatureAlgorithm, with key: PublicKey) -> Bool {
    switch (algorithm, key) {
    case (.ecdsaWithSHA256, .p256), (.ecdsaWithSHA384, .p256), (.ecdsaWithSHA256, .p384), (.ecdsaWithSHA384, .p384):
      true
    case (.sha256WithRSA, .rsa(_, let bits)), (.sha384WithRSA, .rsa(_, let bits)): bits >= minimumRSABits
    default: false
    }
  }

  /// Whether `signature` over `message` was made with the key of `signer` by `algorithm`.
  ///
  /// - Parameter reuse: nil except in a harness; see `ReferenceDecryptor.init(keys:anchors:reusing:)`.
  static func isValid(
    _ signature: [UInt8], over message: [UInt8], by algorithm: SignatureAlgorithm, signer: Certificate,
    reusing reuse: SignatureReuse?
  ) -> Bool {
    guard allows(algorithm, with: signer.publicKey) else { return false }
    // 8.3 and 7.2 are checked explicitly, although libcrypto refuses the same values.
    let isWellFormed =
      switch signer.publicKey {
      case .p256: ECDSAValue.isWellFormed(signature, order: CurveConstants.p256Order)
      case .p384: ECDSAValue.isWellFormed(signature, order: CurveConstants.p384Order)
      case .rsa(let modulus, _): signature.count == modulus.count
      case .other: false
      }
    // Only algorithms with a digest are allowed.
    guard isWellFormed, let (digest, digestSize) = algorithm.digest else { return false }
    let key = signer.subjectPublicKeyInfo
    guard let reuse else { return verify(signature, over: message, digest: digest, subjectPublicKeyInfo: key) }
    return reuse([signature, message, key, [digestSize]]) {
      verify(signature, over: message, digest: digest, subjectPublicKeyInfo: key)
    }
  }

  /// Calls EVP_DigestVerify, whose default padding for RSA is PKCS #1 v1.5.
  private static func verify(
    _ signature: [UInt8], over message: [UInt8], digest: OpaquePointer, subjectPublicKeyInfo: [UInt8]
  ) -> Bool {
    guard let key = LibcryptoCoding.decoded(subjectPublicKeyInfo, d2i_PUBKEY, free: EVP_PKEY_free) else { return false }
    defer { EVP_PKEY_free(key) }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else { return false }
    return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }
}

extension SignatureAlgorithm {
  /// The digest algorithm and its size in bytes; nil for an algorithm that the rules do not allow.
  fileprivate var digest: (algorithm: OpaquePointer, size: UInt8)? {
    switch self {
    case .ecdsaWithSHA256, .sha256WithRSA: EVP_sha256().map { ($0, 32) }
    case .ecdsaWithSHA384, .sha384WithRSA: EVP_sha384().map { ($0, 48) }
    case .other: nil
    }
  }
}

/// The strict form of an ECDSA signature value (rule 8.3).
package enum ECDSAValue {
  /// Whether `value` is exactly a DER SEQUENCE of two INTEGERs, each within 1...`order`-1.
  package static func isWellFormed(_ value: [UInt8], order: [UInt8]) -> Bool {
    guard let sequence = try? BERValue(strict: value), sequence.tag == .sequence,
      sequence.children.count == 2
    else { return false }
    return sequence.children.allSatisfy { integer in
      integer.tag == .integer && isWithin(integer.contents, order: order)
    }
  }

  /// Whether a canonical INTEGER is positive and below `order`.
  private static func isWithin(_ contents: ArraySlice<UInt8>, order: [UInt8]) -> Bool {
    guard let first = contents.first, first < 0x80 else { return false }
    let magnitude = contents.drop { $0 == 0 }
    guard !magnitude.isEmpty, magnitude.count <= order.count else { return false }
    let padded = Array(repeating: 0, count: order.count - magnitude.count) + magnitude
    return padded.lexicographicallyPrecedes(order)
  }
}
