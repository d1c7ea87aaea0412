import COpenSSL

/// A test RSA key: one of `FixedRSAKeys`, or made from a seed in milliseconds as a product of many 512-bit primes (RFC
/// 8017, 3.1 allows more than two). Fit for tests of tokens, and for nothing else.
public struct RSAKeyPair: Hashable, Sendable {
  /// Big-endian.
  public let modulus: [UInt8]
  /// 65537, big-endian.
  public let exponent: [UInt8]
  private let privateExponent: [UInt8]
  /// Whose product is the modulus.
  private let primes: [[UInt8]]

  /// - Parameter bits: a multiple of 512.
  public init(bits: Int, from generator: inout SeededGenerator) throws(MintingError) {
    let context = try BigNumberContext()
    let modulus = try BigNumber([1])
    let totient = try BigNumber([1])
    let exponent = try BigNumber([1, 0, 1])
    var primes: [[UInt8]] = []
    for index in 0..<bits / 512 {
      let isLast = index == bits / 512 - 1
      let prime = try RSAKeyPair.prime(bits: isLast ? 512 + bits % 512 : 512, from: &generator, context)
      primes.append(try prime.bytes(count: 128))
      try check(BN_mul(modulus.pointer, modulus.pointer, prime.pointer, context.pointer), "BN_mul")
      try check(BN_sub_word(prime.pointer, 1), "BN_sub_word")
      try check(BN_mul(totient.pointer, totient.pointer, prime.pointer, context.pointer), "BN_mul")
    }
    let inverse = try BigNumber()
    guard BN_mod_inverse(inverse.pointer, exponent.pointer, totient.pointer, context.pointer) != nil else {
      throw .recipe("the exponent divides the totient")
    }
    self.modulus = try modulus.bytes(count: (bits + 7) / 8)
    self.exponent = [1, 0, 1]
    privateExponent = try inverse.bytes(count: (bits + 7) / 8)
    self.primes = primes
  }

  /// Reads an unencrypted PKCS #8 private key of two primes and exponent 65537.
  public init(pem: String) throws(MintingError) {
    guard let key = RSAKeyPair.read(Array(pem.utf8)) else { throw .recipe("no private key") }
    defer { EVP_PKEY_free(key) }
    guard let rsa = EVP_PKEY_get0_RSA(key) else { throw .recipe("no RSA key") }
    var modulus = [UInt8](repeating: 0, count: Int(RSA_size(rsa)))
    var privateExponent = modulus
    var (p, q) = (modulus, modulus)
    guard BN_bn2binpad(RSA_get0_n(rsa), &modulus, Int32(modulus.count)) > 0,
      BN_bn2binpad(RSA_get0_d(rsa), &privateExponent, Int32(modulus.count)) > 0,
      BN_bn2binpad(RSA_get0_p(rsa), &p, Int32(p.count)) > 0, BN_bn2binpad(RSA_get0_q(rsa), &q, Int32(q.count)) > 0
    else { throw .library("BN_bn2binpad") }
    self.modulus = modulus
    self.privateExponent = privateExponent
    primes = [p, q]
    exponent = [1, 0, 1]
  }

  /// An EVP_PKEY for the caller to free. The BIO reads the octets in place, and so only within the closure.
  private static func read(_ pem: [UInt8]) -> OpaquePointer? {
    pem.withUnsafeBytes { octets in
      guard let input = BIO_new_mem_buf(octets.baseAddress, Int32(octets.count)) else { return nil }
      defer { BIO_free(input) }
      return PEM_read_bio_PrivateKey(input, nil, nil, nil)
    }
  }

  private static func prime(
    bits: Int, from generator: inout SeededGenerator, _ context: BigNumberContext
  ) throws(MintingError) -> BigNumber {
    // Eight ones to begin with keep the product as long as its factors together.
    let unusedBits = UInt8((8 - bits % 8) % 8)
    while true {
      var bytes = generator.bytes((bits + 7) / 8)
      bytes[0] = 0xFF >> unusedBits
      bytes[1] |= ~(0xFF >> unusedBits)
      bytes[bytes.count - 1] |= 1
      let candidate = try BigNumber(bytes)
      guard BN_mod_word(candidate.pointer, 65_537) != 1 else { continue }
      switch BN_check_prime(candidate.pointer, context.pointer, nil) {
      case 1: return candidate
      case 0: continue
      default: throw .library("BN_check_prime")
      }
    }
  }

  /// SubjectPublicKeyInfo (RFC 3279, 2.3.1) with NULL parameters.
  public var publicKeyInfo: ASN1Node {
    let key = ASN1Node.sequence([.unsigned(modulus), .unsigned(exponent)])
    return .sequence([.sequence([OID.rsaEncryption, .null]), .bitString(key.encoded)])
  }

  /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2.1), as long as the modulus.
  package func sign(_ message: [UInt8], _ digest: SignatureDigest) throws(MintingError) -> [UInt8] {
    let algorithm: ASN1Node =
      switch digest {
      case .sha1: OID.sha1
      case .sha256: OID.sha256
      case .sha384: OID.sha384
      case .sha512: .oid([2, 16, 840, 1, 101, 3, 4, 2, 3])
      }
    let info = ASN1Node.sequence([.sequence([algorithm, .null]), .octetString(digest.hash(message))]).encoded
    let padding = [UInt8](repeating: 0xFF, count: modulus.count - info.count - 3)
    return try sign(encoded: [0, 1] + padding + [0] + info)
  }

  /// A number as long as the modulus to the power of the private exponent, by each prime alone (RFC 8017, 5.1.2: a quarter
  /// of the time with two primes).
  package func sign(encoded: [UInt8]) throws(MintingError) -> [UInt8] {
    let context = try BigNumberContext()
    let (number, exponent) = (try BigNumber(encoded), try BigNumber(privateExponent))
    // Known modulo the product of the primes so far.
    let (result, product) = (try BigNumber(), try BigNumber([1]))
    for bytes in primes {
      let (prime, part, inverse) = (try BigNumber(bytes), try BigNumber(), try BigNumber())
      guard BN_copy(part.pointer, prime.pointer) != nil else { throw .library("BN_copy") }
      try check(BN_sub_word(part.pointer, 1), "BN_sub_word")
      let reduced = try BigNumber()
      try check(BN_div(nil, reduced.pointer, exponent.pointer, part.pointer, context.pointer), "BN_div")
      try check(
        BN_mod_exp(part.pointer, number.pointer, reduced.pointer, prime.pointer, context.pointer), "BN_mod_exp")
      guard BN_mod_inverse(inverse.pointer, product.pointer, prime.pointer, context.pointer) != nil else {
        throw .recipe("a prime is there twice")
      }
      // result + product · ((part − result) / product mod prime)
      try check(
        BN_mod_sub(part.pointer, part.pointer, result.pointer, prime.pointer, context.pointer), "BN_mod_sub")
      try check(
        BN_mod_mul(part.pointer, part.pointer, inverse.pointer, prime.pointer, context.pointer), "BN_mod_mul")
      try check(BN_mul(part.pointer, part.pointer, product.pointer, context.pointer), "BN_mul")
      try check(BN_add(result.pointer, result.pointer, part.pointer), "BN_add")
      try check(BN_mul(product.pointer, product.pointer, prime.pointer, context.pointer), "BN_mul")
    }
    return try result.bytes(count: modulus.count)
  }

  /// A number as long as the modulus to the power of the public exponent (RFC 8017, 5.1.1).
  public func encrypt(encoded: [UInt8]) throws(MintingError) -> [UInt8] {
    let context = try BigNumberContext()
    let (value, exponent, modulus) = (try BigNumber(encoded), try BigNumber(exponent), try BigNumber(self.modulus))
    try check(
      BN_mod_exp(value.pointer, value.pointer, exponent.pointer, modulus.pointer, context.pointer), "BN_mod_exp")
    return try value.bytes(count: self.modulus.count)
  }

  /// n − `number`, as long as the modulus.
  package func modulus(minus number: [UInt8]) throws(MintingError) -> [UInt8] {
    let difference = try BigNumber(number)
    let modulus = try BigNumber(self.modulus)
    try check(BN_sub(difference.pointer, modulus.pointer, difference.pointer), "BN_sub")
    return try difference.bytes(count: self.modulus.count)
  }
}
