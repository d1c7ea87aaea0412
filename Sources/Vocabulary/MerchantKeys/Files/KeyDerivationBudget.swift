import COpenSSL

/// The budget for password hashing and for checks of RSA keys in one file.
///
/// An encrypted file chooses the cost of its own key derivation, and libcrypto accepts any, such as 2^31 iterations of
/// PBKDF2. So the parameters are decoded before each derivation, by libcrypto's own decoders, and their cost is
/// deducted from the budget of the file. Costs add up, because a .p12 may have any number of encrypted parts.
///
/// The unit is one iteration of PBKDF2, PBES1 or PKCS #12, or one block of scrypt (N·r·p in all). Common files use 1 to
/// 1,000,000 iterations (OWASP's advice of 2023 for SHA-1 is 1,300,000), OpenSSL's scrypt 131,072 blocks. Parameters
/// that cannot be decoded are left to libcrypto, which rejects them.
struct KeyDerivationBudget {
  /// The budget of one file, which is meant to take about a second.
  static let limit: UInt64 = 3_000_000
  /// The maximum memory for scrypt, 32 MiB: libcrypto's own limit in these formats.
  static let scryptMemoryLimit: UInt64 = 32 << 20

  private var left = limit

  /// Deducts the cost of a password-based encryption: PBES2 with PBKDF2 or scrypt, or a scheme with the parameters of
  /// PBES1, like those of PKCS #12 (RFC 8018 appendix A, RFC 7914 section 7, RFC 7292 appendix C).
  ///
  /// - Throws: `excessiveKeyDerivation`; `malformedKey` for a count below 1.
  mutating func pay(for algorithm: UnsafePointer<X509_ALGOR>?) throws(KeyError) {
    guard let algorithm, let identifier = algorithm.pointee.algorithm else { return }
    switch OBJ_obj2nid(identifier) {
    case NID_pbes2: try payScheme2(algorithm.pointee)
    default: try payScheme1(algorithm.pointee)
    }
  }

  /// Deducts the cost of one check of a .p12's MAC (RFC 7292 section 4; for PBMAC1, RFC 9579, the algorithm itself has
  /// the parameters of the key derivation).
  ///
  /// - Throws: `excessiveKeyDerivation`; `malformedKey` for a count below 1.
  mutating func pay(forMACOf file: OpaquePointer) throws(KeyError) {
    var algorithm: UnsafePointer<X509_ALGOR>?
    var iterations: UnsafePointer<ASN1_INTEGER>?
    PKCS12_get0_mac(nil, &algorithm, nil, &iterations, file)
    // The default number of iterations is 1.
    if let iterations { try pay(Self.count(iterations)) } else { try pay(1) }
    guard let algorithm, let identifier = algorithm.pointee.algorithm, Self.isPBMAC1(identifier) else { return }
    // PBMAC1 has the same structure of parameters as PBES2.
    try payScheme2(algorithm.pointee)
  }

  private mutating func payScheme1(_ algorithm: X509_ALGOR) throws(KeyError) {
    guard let parameters = Self.decoded(algorithm, d2i_PBEPARAM) else { return }
    defer { PBEPARAM_free(parameters) }
    try pay(Self.count(parameters.pointee.iter))
  }

  private mutating func payScheme2(_ algorithm: X509_ALGOR) throws(KeyError) {
    guard let scheme = Self.decoded(algorithm, d2i_PBE2PARAM) else { return }
    defer { PBE2PARAM_free(scheme) }
    guard let derivation = scheme.pointee.keyfunc?.pointee, let identifier = derivation.algorithm else { return }
    switch OBJ_obj2nid(identifier) {
    case NID_id_pbkdf2:
      guard let parameters = Self.decoded(derivation, d2i_PBKDF2PARAM) else { return }
      defer { PBKDF2PARAM_free(parameters) }
      try pay(Self.count(parameters.pointee.iter))
    case NID_id_scrypt:
      guard let parameters = Self.decoded(derivation, d2i_SCRYPT_PARAMS) else { return }
      defer { SCRYPT_PARAMS_free(parameters) }
      try payScrypt(
        cost: Self.count(parameters.pointee.costParameter), blockSize: Self.count(parameters.pointee.blockSize),
        parallelization: Self.count(parameters.pointee.parallelizationParameter))
    default: return
    }
  }

  /// Deducts N·r·p (RFC 7914), if the memory is within the limit: 128·r bytes for each of N + 2 + p blocks, as in
  /// libcrypto.
  private mutating func payScrypt(cost: UInt64, blockSize: UInt64, parallelization: UInt64) throws(KeyError) {
    let numbers = [cost, blockSize, parallelization]
    // Each number is below 2^32, so no sum and no first product overflows.
    guard numbers.allSatisfy({ $0 <= UInt64(UInt32.max) }) else { throw KeyError(.excessiveKeyDerivation) }
    let (memory, isTooMuch) = (128 * blockSize).multipliedReportingOverflow(by: cost + 2 + parallelization)
    guard !isTooMuch, memory <= Self.scryptMemoryLimit else { throw KeyError(.excessiveKeyDerivation) }
    // The memory limit keeps N·r and p below 2^18 each.
    try pay(cost * blockSize * parallelization)
  }

  /// Deducts the cost of the check of an RSA key, mostly of two exponentiations: 4,000 units with 2,048 bits, and
  /// 32,000 with 4,096. So a file may contain 750 or 93 of them.
  ///
  /// - Throws: `excessiveKeyDerivation`.
  mutating func pay(forCheckOf key: MerchantSecret) throws(KeyError) {
    guard case .rsa(let key) = key else { return }
    let kilobits = UInt64(key.bits) / 1_024
    try pay(kilobits * kilobits * kilobits * 500)
  }

  private mutating func pay(_ cost: UInt64) throws(KeyError) {
    guard cost <= left else { throw KeyError(.excessiveKeyDerivation) }
    left -= cost
  }

  private static func count(_ number: UnsafePointer<ASN1_INTEGER>?) throws(KeyError) -> UInt64 {
    guard let number, ASN1_STRING_type(number) != V_ASN1_NEG_INTEGER else { throw KeyError(.malformedKey) }
    var count: UInt64 = 0
    guard ASN1_INTEGER_get_uint64(&count, number) == 1 else { throw KeyError(.excessiveKeyDerivation) }
    guard count > 0 else { throw KeyError(.malformedKey) }
    return count
  }

  /// The parameters of an algorithm, if they are a SEQUENCE that `decode` accepts. The caller frees them.
  private static func decoded<Parameters>(
    _ algorithm: X509_ALGOR,
    _ decode: (
      UnsafeMutablePointer<UnsafeMutablePointer<Parameters>?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> UnsafeMutablePointer<Parameters>?
  ) -> UnsafeMutablePointer<Parameters>? {
    guard let value = algorithm.parameter, value.pointee.type == V_ASN1_SEQUENCE,
      let sequence = value.pointee.value.sequence
    else { return nil }
    var next = ASN1_STRING_get0_data(sequence)
    return decode(nil, &next, Int(ASN1_STRING_length(sequence)))
  }

  /// PBMAC1, 1.2.840.113549.1.5.14: OpenSSL has a NID for it only since 3.4.
  private static func isPBMAC1(_ identifier: OpaquePointer) -> Bool {
    let bytes: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0E]
    guard let start = OBJ_get0_data(identifier) else { return false }
    return bytes.elementsEqual(UnsafeBufferPointer(start: start, count: OBJ_length(identifier)))
  }
}
