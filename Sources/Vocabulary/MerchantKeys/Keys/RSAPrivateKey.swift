import COpenSSL

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

  /// In bytes, more than ten times the largest key. It limits the primes that libcrypto's decoder multiplies.
  private static let sizeLimit = 32_768

  /// The allowed sizes of the modulus, in bits.
  package static let allowedBits = 2_048...4_096

  /// Reads RSAPrivateKey (PKCS #1, RFC 8017 appendix A.1.2) of two primes, which must take up all of `der`.
  ///
  /// - Throws: ``KeyError`` with `malformedKey`, `rsaKeySize`, `rsaExponent`, `rsaKeyInconsistent` or `memoryUnavailable`.
  package init(pkcs1 der: [UInt8]) throws(KeyError) {
    let callersErrors = CallersErrors()
    defer { callersErrors.restore() }
    guard der.count <= Self.sizeLimit else { throw KeyError(.rsaKeyInconsistent) }
    guard let rsa = LibcryptoCoding.decoded(der, d2i_RSAPrivateKey, free: RSA_free) else {
      throw CallersErrors.failure(.malformedKey)
    }
    defer { RSA_free(rsa) }
    try RSAPrivateKey.check(rsa)
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

  /// How much longer a prime may be than half of the modulus, in bits.
  private static let primeTolerance: Int32 = 32

  /// Checks the sizes first, because the arithmetic that follows would take very long for numbers that fill a file.
  private static func check(_ rsa: OpaquePointer) throws(KeyError) {
    guard RSA_get_multi_prime_extra_count(rsa) == 0 else { throw KeyError(.malformedKey) }
    guard allowedBits.contains(Int(RSA_bits(rsa))) else { throw KeyError(.rsaKeySize) }
    guard let exponent = RSA_get0_e(rsa), BN_is_word(exponent, 65_537) == 1 else { throw KeyError(.rsaExponent) }
    let numbers = [RSA_get0_d, RSA_get0_p, RSA_get0_q, RSA_get0_dmp1, RSA_get0_dmq1, RSA_get0_iqmp].map { $0(rsa) }
    guard numbers.allSatisfy({ $0 != nil }) else { throw KeyError(.malformedKey) }
    guard numbers.allSatisfy({ BN_is_negative($0) == 0 && BN_num_bits($0) <= RSA_bits(rsa) }) else {
      throw KeyError(.rsaKeyInconsistent)
    }
    // The primes must have about the same size (FIPS 186-5, appendix A.1.3), since large primes take long to check.
    guard [RSA_get0_p, RSA_get0_q].allSatisfy({ BN_num_bits($0(rsa)) <= RSA_bits(rsa) / 2 + primeTolerance }),
      try isConsistent(rsa)
    else { throw KeyError(.rsaKeyInconsistent) }
  }

  /// Whether the numbers are those of one key (RFC 8017 section 3.2): the modulus is the product of two odd factors
  /// that pass Fermat's test to base 2; the exponents are inverses modulo each factor minus 1; the coefficient is the
  /// inverse of one factor modulo the other.
  ///
  /// libcrypto's `RSA_check_key` also looks for composite factors that someone has chosen to pass such a test, in 64
  /// rounds. Whoever could put such a key into a merchant's file could read the merchant's tokens anyway.
  private static func isConsistent(_ rsa: OpaquePointer) throws(KeyError) -> Bool {
    guard let context = BN_CTX_new() else { throw KeyError(.memoryUnavailable) }
    BN_CTX_start(context)
    defer {
      BN_CTX_end(context)
      BN_CTX_free(context)
    }
    // The last one is nil if any of them is nil.
    let (order, base, result) = (BN_CTX_get(context), BN_CTX_get(context), BN_CTX_get(context))
    guard result != nil, BN_set_word(base, 2) == 1 else { throw KeyError(.memoryUnavailable) }
    func isOne(_ status: Int32) throws(KeyError) -> Bool {
      guard status == 1 else { throw KeyError(.memoryUnavailable) }
      return BN_is_one(result) == 1
    }
    let (p, q, inverse) = (RSA_get0_p(rsa), RSA_get0_q(rsa), RSA_get0_iqmp(rsa))
    guard BN_mul(result, p, q, context) == 1 else { throw KeyError(.memoryUnavailable) }
    guard BN_cmp(result, RSA_get0_n(rsa)) == 0, BN_is_odd(result) == 1, BN_cmp(inverse, p) < 0 else { return false }
    for (prime, exponent) in [(p, RSA_get0_dmp1(rsa)), (q, RSA_get0_dmq1(rsa))] {
      guard BN_sub(order, prime, BN_value_one()) == 1, BN_div(nil, result, RSA_get0_d(rsa), order, context) == 1 else {
        throw KeyError(.memoryUnavailable)
      }
      guard BN_cmp(result, exponent) == 0,
        try isOne(BN_mod_mul(result, exponent, RSA_get0_e(rsa), order, context)),
        try isOne(BN_mod_exp_mont_consttime(result, base, order, prime, context, nil))
      else { return false }
    }
    return try isOne(BN_mod_mul(result, inverse, q, p, context))
  }

  private static func bytes(_ number: OpaquePointer?) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
    BN_bn2bin(number, &bytes)
    return bytes
  }
}
