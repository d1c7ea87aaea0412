import COpenSSL
import PaymentToken

/// An RSA public key ready to verify with, its exponent 65537 (RFC 8017 8.2.2).
///
/// `@unchecked Sendable`: libcrypto locks what it caches in the RSA object at the first use, and changes nothing else.
final class RSASignerKey: @unchecked Sendable {
  /// The octets of the modulus, and so of a signature.
  let size: Int
  private let key: OpaquePointer

  private static var exponent: UInt { 65_537 }

  /// A key of this big-endian modulus without a leading zero; nil when libcrypto has no memory.
  init?(modulus: Span<UInt8>) {
    let n = modulus.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, Int32($0.count), nil) }
    let e = BN_new()
    let key = RSA_new()
    guard let n, let e, let key, BN_set_word(e, Self.exponent) == 1, RSA_set0_key(key, n, e, nil) == 1 else {
      RSA_free(key)
      BN_free(e)
      BN_free(n)
      return nil
    }
    self.key = key
    size = modulus.count
  }

  deinit {
    RSA_free(key)
  }

  /// Whether a value as long as the modulus is the RSASSA-PKCS1-v1_5 signature of a SHA-256 digest.
  func signed(_ digest: Octets32, with value: Span<UInt8>) -> Bool {
    guard value.count == size else { return false }
    let verdict = digest.withUnsafeBytes { digest in
      value.withUnsafeBufferPointer { value in
        RSA_verify(
          NID_sha256, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(digest.count),
          value.baseAddress, UInt32(value.count), key)
      }
    }
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }
}
