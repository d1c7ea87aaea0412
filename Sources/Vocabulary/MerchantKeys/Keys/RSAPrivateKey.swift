import COpenSSL
import PaymentToken
import Synchronization

/// An RSA private key of 2,048 to 4,096 bits, for a ``MerchantKeySet``. libcrypto holds it on the ordinary heap and
/// wipes it when the object is released.
package final class RSAPrivateKey: Sendable {
  /// The modulus, big-endian without leading zeros, 256 to 512 bytes. The public exponent is 65537.
  package let modulus: [UInt8]
  /// The size of the modulus in bits.
  package let bits: Int
  /// The canonical SubjectPublicKeyInfo (RFC 3279 section 2.3.1).
  package let subjectPublicKeyInfo: [UInt8]
  /// An EVP_PKEY, never changed after initialisation. libcrypto locks its shared state, such as the blinding.
  nonisolated(unsafe) let key: OpaquePointer

  /// The allowed sizes of the modulus, in bits.
  package static let allowedBits = 2_048...4_096

  /// Reads RSAPrivateKey (PKCS #1, RFC 8017 appendix A.1.2) of two primes, which must take up all of `der`.
  ///
  /// - Throws: ``KeyError`` with `malformedKey`, `rsaKeySize`, `rsaExponent` or `rsaKeyInconsistent`.
  package init(pkcs1 der: [UInt8]) throws(KeyError) {
    defer { ERR_clear_error() }
    guard let rsa = LibcryptoCoding.decoded(der, d2i_RSAPrivateKey, free: RSA_free) else {
      throw KeyError(.malformedKey)
    }
    defer { RSA_free(rsa) }
    try RSAPrivateKey.check(rsa, Digest.sha256(der))
    bits = Int(RSA_bits(rsa))
    modulus = RSAPrivateKey.bytes(RSA_get0_n(rsa))
    guard let key = EVP_PKEY_new() else { throw KeyError(.memoryUnavailable) }
    guard EVP_PKEY_set1_RSA(key, rsa) == 1, let info = LibcryptoCoding.encoded({ i2d_PUBKEY(key, $0) }) else {
      EVP_PKEY_free(key)
      throw KeyError(.memoryUnavailable)
    }
    subjectPublicKeyInfo = info
    self.key = key
  }

  deinit {
    EVP_PKEY_free(key)
  }

  /// SHA-256 of the canonical SubjectPublicKeyInfo.
  package func publicKeyHash() -> Bytes32 { Digest.sha256(subjectPublicKeyInfo) }

  /// SHA-256 of the DER of keys that were found consistent. That check, mostly of two primes, takes as long as a
  /// thousand tokens, and all keys are loaded again when one changes.
  private static let consistent = Mutex<Set<Bytes32>>([])
  private static let consistentLimit = 256
  /// How much longer a prime may be than half of the modulus, in bits.
  private static let primeTolerance: Int32 = 32

  /// Checks sizes and the product first, because the check of two primes takes years for numbers that fill a file.
  private static func check(_ rsa: OpaquePointer, _ digest: Bytes32) throws(KeyError) {
    guard RSA_get_multi_prime_extra_count(rsa) == 0 else { throw KeyError(.malformedKey) }
    guard allowedBits.contains(Int(RSA_bits(rsa))) else { throw KeyError(.rsaKeySize) }
    guard let exponent = RSA_get0_e(rsa), BN_is_word(exponent, 65_537) == 1 else { throw KeyError(.rsaExponent) }
    guard RSA_get0_d(rsa) != nil, RSA_get0_p(rsa) != nil, RSA_get0_q(rsa) != nil, RSA_get0_iqmp(rsa) != nil else {
      throw KeyError(.malformedKey)
    }
    let numbers = [RSA_get0_d, RSA_get0_p, RSA_get0_q, RSA_get0_dmp1, RSA_get0_dmq1, RSA_get0_iqmp]
    guard numbers.allSatisfy({ BN_num_bits($0(rsa)) <= RSA_bits(rsa) }), try isProductOfItsPrimes(rsa) else {
      throw KeyError(.rsaKeyInconsistent)
    }
    // Of the same size (FIPS 186-5, appendix A.1.3), with some tolerance: testing a prime takes the cube of its size.
    guard [RSA_get0_p, RSA_get0_q].allSatisfy({ BN_num_bits($0(rsa)) <= RSA_bits(rsa) / 2 + primeTolerance }) else {
      throw KeyError(.rsaKeyInconsistent)
    }
    // Two odd primes have an odd product.
    guard BN_is_odd(RSA_get0_n(rsa)) == 1 else { throw KeyError(.rsaKeyInconsistent) }
    guard !consistent.withLock({ $0.contains(digest) }) else { return }
    guard RSA_check_key(rsa) == 1 else { throw KeyError(.rsaKeyInconsistent) }
    remember(digest)
  }

  private static func remember(_ digest: Bytes32) {
    consistent.withLock { digests in
      if digests.count >= consistentLimit { digests.removeAll() }
      digests.insert(digest)
    }
  }

  /// Remembers a published test key as consistent, which a test shows instead of every program that loads it.
  package static func assumeConsistent(pkcs1 der: [UInt8]) {
    remember(Digest.sha256(der))
  }

  private static func isProductOfItsPrimes(_ rsa: OpaquePointer) throws(KeyError) -> Bool {
    guard let context = BN_CTX_new(), let product = BN_new() else { throw KeyError(.memoryUnavailable) }
    defer {
      BN_clear_free(product)
      BN_CTX_free(context)
    }
    guard BN_mul(product, RSA_get0_p(rsa), RSA_get0_q(rsa), context) == 1 else { throw KeyError(.memoryUnavailable) }
    return BN_cmp(product, RSA_get0_n(rsa)) == 0
  }

  private static func bytes(_ number: OpaquePointer?) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
    BN_bn2bin(number, &bytes)
    return bytes
  }
}
