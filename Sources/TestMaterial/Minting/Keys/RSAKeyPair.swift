import COpenSSL

/// A test RSA key: one of `FixedRSAKeys`, or made from a seed as a product of many 512-bit primes (RFC 8017, 3.1 allows
/// more than two). Fit for tests of tokens, and for nothing else.
public struct RSAKeyPair: Hashable, Sendable {
  /// Big-endian.
  package let modulus: [UInt8]
  /// 65537, big-endian.
  package let exponent: [UInt8]
  /// Their product is the modulus.
  private let primes: [[UInt8]]
  /// For each prime p, the private exponent modulo p − 1.
  private let exponents: [[UInt8]]
  /// For each prime, the inverse of the product of the primes before it, modulo this prime.
  private let inverses: [[UInt8]]

  /// The key of these primes, big-endian, with the exponent 65537.
  init(primes: [[UInt8]]) throws(MintingError) {
    let context = try BigNumberContext()
    let product = try BigNumber([1])
    var (exponents, inverses): ([[UInt8]], [[UInt8]]) = ([], [])
    for bytes in primes {
      let (prime, lessOne) = (try BigNumber(bytes), try BigNumber(bytes))
      try check(BN_sub_word(lessOne.pointer, 1), "BN_sub_word")
      exponents.append(try BigNumber([1, 0, 1]).inverse(modulo: lessOne).bytes(count: bytes.count))
      inverses.append(try product.inverse(modulo: prime).bytes(count: bytes.count))
      try check(BN_mul(product.pointer, product.pointer, prime.pointer, context.pointer), "BN_mul")
    }
    modulus = try product.bytes(count: (Int(BN_num_bits(product.pointer)) + 7) / 8)
    exponent = [1, 0, 1]
    self.primes = primes
    (self.exponents, self.inverses) = (exponents, inverses)
  }

  /// Makes a key pair; the public exponent is 65537.
  ///
  /// - Parameters:
  ///   - bits: the size of the modulus; bits beyond a multiple of 512 make the last prime longer.
  ///   - generator: the source of the primes.
  /// - Throws: `MintingError` of libcrypto.
  package init(bits: Int, from generator: inout SeededGenerator) throws(MintingError) {
    let context = try BigNumberContext()
    var primes: [[UInt8]] = []
    for index in 0..<bits / 512 {
      let isLast = index == bits / 512 - 1
      let prime = try RSAKeyPair.prime(bits: isLast ? 512 + bits % 512 : 512, from: &generator, context)
      primes.append(try prime.bytes(count: 128))
    }
    try self.init(primes: primes)
  }

  /// The inverse of the public exponent modulo a number.
  private func privateExponent(modulo number: BigNumber) throws(MintingError) -> BigNumber {
    try BigNumber(exponent).inverse(modulo: number)
  }

  /// RSAPrivateKey (RFC 8017, A.1.2), only for a key of two primes.
  package func privateKeyNode() throws(MintingError) -> ASN1Node {
    guard primes.count == 2 else { throw .recipe("a key of other than two primes") }
    let (p, q) = (try BigNumber(primes[0]), try BigNumber(primes[1]))
    let coefficient = try q.inverse(modulo: p)
    try check(BN_sub_word(p.pointer, 1), "BN_sub_word")
    try check(BN_sub_word(q.pointer, 1), "BN_sub_word")
    let divisor = try BigNumber("BN_gcd") { BN_gcd($0, p.pointer, q.pointer, $1) }
    let product = try BigNumber("BN_mul") { BN_mul($0, p.pointer, q.pointer, $1) }
    let leastMultiple = try BigNumber("BN_div") { BN_div($0, nil, product.pointer, divisor.pointer, $1) }
    var numbers = [modulus, exponent, try privateExponent(modulo: leastMultiple).bytes(count: modulus.count)] + primes
    for number in [try privateExponent(modulo: p), try privateExponent(modulo: q), coefficient] {
      numbers.append(try number.bytes(count: modulus.count))
    }
    return .sequence([.integer(0)] + numbers.map { .unsigned($0) })
  }

  private static func prime(
    bits: Int, from generator: inout SeededGenerator, _ context: BigNumberContext
  ) throws(MintingError) -> BigNumber {
    // Primes that begin with eight one bits make the modulus as long as all primes together.
    let unusedBits = UInt8((8 - bits % 8) % 8)
    while true {
      var bytes = generator.bytes((bits + 7) / 8)
      bytes[0] = 0xFF >> unusedBits
      bytes[1] |= ~(0xFF >> unusedBits)
      bytes[bytes.count - 1] |= 1
      let candidate = try BigNumber(bytes)
      guard BN_mod_word(candidate.pointer, 65_537) != 1 else { continue }
      if try isPrime(candidate, context) { return candidate }
    }
  }

  private static let smallPrimes: [UInt] = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
  private static let product = smallPrimes.reduce(1, *)

  /// Whether a random number is prime, by Fermat's test to base 2. Hardly any random composite number passes it.
  /// libcrypto's test of 64 rounds is for numbers that an attacker chooses.
  private static func isPrime(_ number: BigNumber, _ context: BigNumberContext) throws(MintingError) -> Bool {
    let rest = BN_mod_word(number.pointer, product)
    guard smallPrimes.allSatisfy({ !rest.isMultiple(of: $0) }) else { return false }
    let (power, base) = (try BigNumber(), try BigNumber([2]))
    let exponent = try BigNumber("BN_sub") { result, _ in BN_sub(result, number.pointer, BN_value_one()) }
    try check(
      BN_mod_exp(power.pointer, base.pointer, exponent.pointer, number.pointer, context.pointer), "BN_mod_exp")
    return BN_is_one(power.pointer) == 1
  }

  /// The public half.
  package var publicKey: RSAPublicKey { RSAPublicKey(modulus: modulus) }

  /// SubjectPublicKeyInfo (RFC 3279, 2.3.1) with NULL parameters.
  package var publicKeyInfo: ASN1Node { publicKey.publicKeyInfo }

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

  /// A number as long as the modulus to the power of the private exponent, computed prime by prime (RFC 8017, 5.1.2).
  package func sign(encoded: [UInt8]) throws(MintingError) -> [UInt8] {
    let context = try BigNumberContext()
    let number = try BigNumber(encoded)
    let parts = try powers(of: number, context)
    // `result` is correct modulo `product`, the product of the primes so far.
    let (result, product) = (try BigNumber(), try BigNumber([1]))
    for (index, part) in parts.enumerated() {
      let prime = try BigNumber(primes[index])
      let inverse = try BigNumber(inverses[index])
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

  /// A number to the power of the private exponent, modulo each prime.
  private func powers(of number: BigNumber, _ context: BigNumberContext) throws(MintingError) -> [BigNumber] {
    var (moduli, bases, powers): ([BigNumber], [BigNumber], [BigNumber]) = ([], [], [])
    for bytes in primes {
      let prime = try BigNumber(bytes)
      moduli.append(prime)
      bases.append(try BigNumber("BN_nnmod") { BN_nnmod($0, number.pointer, prime.pointer, $1) })
      powers.append(try BigNumber())
    }
    // libcrypto has vector code for these variants, some of it for two primes at once.
    if primes.count == 2 {
      let exponents = (try BigNumber(exponents[0]), try BigNumber(exponents[1]))
      try check(
        BN_mod_exp_mont_consttime_x2(
          powers[0].pointer, bases[0].pointer, exponents.0.pointer, moduli[0].pointer, nil,
          powers[1].pointer, bases[1].pointer, exponents.1.pointer, moduli[1].pointer, nil, context.pointer),
        "BN_mod_exp")
      return powers
    }
    for index in primes.indices {
      let exponent = try BigNumber(exponents[index])
      try check(
        BN_mod_exp_mont_consttime(
          powers[index].pointer, bases[index].pointer, exponent.pointer, moduli[index].pointer, context.pointer, nil),
        "BN_mod_exp")
    }
    return powers
  }

  /// A number as long as the modulus to the power of the public exponent (RFC 8017, 5.1.1).
  package func encrypt(encoded: [UInt8]) throws(MintingError) -> [UInt8] { try publicKey.encrypt(encoded: encoded) }

  /// n − `number`, as long as the modulus.
  package func modulus(minus number: [UInt8]) throws(MintingError) -> [UInt8] {
    let (number, modulus) = (try BigNumber(number), try BigNumber(self.modulus))
    return try BigNumber("BN_sub") { difference, _ in BN_sub(difference, modulus.pointer, number.pointer) }
      .bytes(count: self.modulus.count)
  }
}
