import COpenSSL
import Foundation
import MerchantKeys
import PaymentToken
import Testing

@Suite struct RSAKeyTests {
  static let key = KeyFileTests.rsa2048
  static let privateKey = Result { try RSAPrivateKey(pkcs1: key.pkcs1) }

  static func certificate(_ key: RSAPrivateKey, merchantID: String? = nil) -> [UInt8] {
    var recipe = CertificateRecipe()
    recipe.publicKey = key.subjectPublicKeyInfo
    if let merchantID {
      let hash = DER.value(0x0C, Array(TestKey.sha256(merchantID).hex.utf8))
      recipe.extensions = [DER.extensionEntry(ObjectIdentifiers.appleMerchantIDHash, hash)]
    }
    return recipe.der
  }

  static func code(_ bytes: [UInt8], _ merchantIDs: [MerchantIDAssignment] = []) -> KeyError.Code? {
    keyError { () throws(KeyError) in
      try MerchantKeySet(files: [KeyFile("key", bytes)], merchantIDs: merchantIDs)
    }?.code
  }

  @Test(arguments: [
    key.pkcs1, key.pkcs8, PEM.block("RSA PRIVATE KEY", key.pkcs1), PEM.block("PRIVATE KEY", key.pkcs8),
  ])
  func `each form gives the same key, without a merchant ID`(_ bytes: [UInt8]) throws {
    let key = try Self.privateKey.get()
    let set = try MerchantKeySet(files: [KeyFile("key", bytes)])
    #expect(set.count == 1)
    #expect(set.index(of: set[0].publicKeyHash, for: .rsaV1) == 0)
    #expect(set.index(of: set[0].publicKeyHash, for: .ecV1) == nil)
    #expect(set[0].version == .rsaV1)
    #expect(set[0].publicKey == .rsa(modulus: key.modulus, bits: 2_048))
    #expect(set[0].merchantIDHash == nil)
    #expect(set[0].publicKeyHash == TestKey.sha256(DER.rsaPublicKey(modulus: [0] + key.modulus)))
    #expect(set.modulusSize(at: 0) == 256)
  }

  @Test func `withRSAKey passes the key that decrypts`() throws {
    let set = try MerchantKeySet(files: [KeyFile("key", Self.key.pkcs8)])
    let message = [UInt8](1...16)
    let opened = set.withRSAKey(at: 0) { key -> [UInt8]? in
      let encrypted = Self.run(key, message, EVP_PKEY_encrypt_init, EVP_PKEY_encrypt)
      return encrypted.flatMap { Self.run(key, $0, EVP_PKEY_decrypt_init, EVP_PKEY_decrypt) }
    }
    #expect(opened == message)
  }

  /// Encrypts or decrypts with OAEP under SHA-256.
  private static func run(
    _ key: OpaquePointer, _ input: [UInt8], _ begin: (OpaquePointer?) -> Int32,
    _ step: (OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>?, UnsafePointer<UInt8>?, Int) ->
      Int32
  ) -> [UInt8]? {
    guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    guard begin(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
      EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1
    else { return nil }
    var output = [UInt8](repeating: 0, count: 512)
    var count = output.count
    guard step(context, &output, &count, input, input.count) == 1 else { return nil }
    return Array(output.prefix(count))
  }

  @Test func `keys of both kinds are paired with their certificates`() throws {
    let rsa = try Self.privateKey.get()
    let ec = TestKey()
    let set = try MerchantKeySet(files: [
      KeyFile("rsa.cer", Self.certificate(rsa, merchantID: "merchant.rsa")),
      KeyFile("ec.cer", ec.certificate(merchantID: "merchant.ec")),
      KeyFile("keys", PEM.block("PRIVATE KEY", ec.pkcs8), PEM.block("PRIVATE KEY", Self.key.pkcs8)),
    ])
    #expect(set.count == 2)
    #expect(set[0].version == .ecV1 && set[0].merchantIDHash == TestKey.sha256("merchant.ec"))
    #expect(set[1].version == .rsaV1 && set[1].merchantIDHash == TestKey.sha256("merchant.rsa"))
    #expect(set[1].certificate != nil)
    #expect(set.withScalar(at: 0) { Array($0) } == ec.scalar)
  }

  @Test func `a merchant ID of its own is compared with the certificate`() throws {
    let rsa = try Self.privateKey.get()
    let both =
      PEM.block("PRIVATE KEY", Self.key.pkcs8)
      + PEM.block("CERTIFICATE", Self.certificate(rsa, merchantID: "merchant.a"))
    #expect(Self.code(both, [.uncertified(merchantID: "merchant.b")]) == .merchantIDMismatch)
    #expect(Self.code(both, [.uncertified(merchantID: "merchant.a")]) == nil)
  }

  @Test func `an RSA key never takes the merchant ID an EC key has to agree with`() throws {
    let ec = TestKey()
    let bytes =
      PEM.block("PRIVATE KEY", ec.pkcs8) + PEM.block("CERTIFICATE", ec.certificate(merchantID: "merchant.a"))
      + PEM.block("PRIVATE KEY", Self.key.pkcs8)
    #expect(Self.code(bytes, [.uncertified(merchantID: "merchant.b")]) == .merchantIDMismatch)
  }

  @Test(arguments: [
    (2_047, 65_537, KeyError.Code.rsaKeySize), (4_104, 65_537, .rsaKeySize), (2_048, 3, .rsaExponent),
  ])
  func `other sizes and exponents are rejected`(_ bits: Int32, _ exponent: UInt, _ code: KeyError.Code) {
    #expect(Self.code(TestKey.rsa(bits: bits, exponent: exponent).pkcs8) == code)
  }

  @Test(arguments: 1...8)
  func `a key with inconsistent numbers is rejected`(_ member: Int) throws {
    // version, n, e, d, p, q, dP, dQ, qInv
    let members = try Self.members(of: Self.key.pkcs1)
    #expect(members.count == 9)
    var changed = members
    changed[member][changed[member].count - 1] ^= 4
    let expected: KeyError.Code = member == 2 ? .rsaExponent : .rsaKeyInconsistent
    #expect(Self.code(DER.value(0x30, changed.flatMap { DER.integer($0) })) == expected)
    #expect(Self.code(DER.value(0x30, members.flatMap { DER.integer($0) })) == nil)
  }

  /// libcrypto would test a prime of 32,000 bits for half a minute, and one that fills a file for years.
  @Test(.timeLimit(.minutes(1)), arguments: 3...8)
  func `numbers longer than the modulus are rejected before they are checked`(_ member: Int) throws {
    let members = try Self.members(of: Self.key.pkcs1)
    var changed = members
    changed[member] = [0x7F] + [UInt8](repeating: 0xFF, count: 100_000)
    #expect(Self.code(DER.value(0x30, changed.flatMap { DER.integer($0) })) == .rsaKeyInconsistent)
  }

  /// libcrypto would multiply all primes, in 12 GB of memory.
  @Test func `a key of many primes is rejected before it is decoded`() throws {
    func key(primes: Int) throws -> [UInt8] {
      let members = try [[1]] + Self.members(of: Self.key.pkcs1).dropFirst()
      let further = DER.value(0x30, DER.integer([0, 0x80, 0, 0, 0, 0, 0, 0, 1]), DER.integer([1]), DER.integer([1]))
      let all = DER.value(0x30, Array(repeating: further, count: primes).flatMap { $0 })
      return DER.value(0x30, members.flatMap { DER.integer($0) } + all)
    }
    #expect(try Self.code(key(primes: 2)) == .malformedKey)
    #expect(try Self.code(key(primes: 30_000)) == .rsaKeyInconsistent)
  }

  @Test func `primes of different sizes are rejected before they are tested`() throws {
    for (bits, code) in [(Int32(1_024), KeyError.Code?.none), (1_080, .rsaKeyInconsistent)] {
      let factors = [try Number.prime(bits), try Number.prime(2_048 - bits)]
      #expect(try Self.code(Self.key(of: factors)) == code, "\(bits)")
    }
  }

  @Test func `a factor that is not prime is rejected, whichever it is`() throws {
    let (prime, composite) = (try Number.prime(1_024), try Number())
    let factors = [try Number.prime(512), try Number.prime(512)]
    BN_mul(composite.pointer, factors[0].pointer, factors[1].pointer, composite.context)
    #expect(try Self.code(Self.key(of: [composite, prime])) == .rsaKeyInconsistent)
    #expect(try Self.code(Self.key(of: [prime, composite])) == .rsaKeyInconsistent)
  }

  @Test(arguments: [(6, 4, UInt(1)), (7, 5, 1), (8, 4, 0)])
  func `what is more than a remainder is rejected`(_ member: Int, _ factor: Int, _ less: UInt) throws {
    var members = try Self.members(of: Self.key.pkcs1)
    let (number, addend) = (try Number(members[member]), try Number(members[factor]))
    BN_sub_word(addend.pointer, less)
    BN_add(number.pointer, number.pointer, addend.pointer)
    members[member] = number.contents
    #expect(Self.code(DER.value(0x30, members.flatMap { DER.integer($0) })) == .rsaKeyInconsistent)
  }

  /// A key with these factors. Its other numbers are derived as if the factors were prime.
  private static func key(of factors: [Number]) throws -> [UInt8] {
    let (modulus, e, order, d, inverse) = (try Number(), try Number(), try Number(), try Number(), try Number())
    let context = order.context
    BN_mul(modulus.pointer, factors[0].pointer, factors[1].pointer, context)
    BN_set_word(e.pointer, 65_537)
    let minusOne = try factors.map { try Number($0.contents) }
    for number in minusOne { BN_sub_word(number.pointer, 1) }
    BN_mul(order.pointer, minusOne[0].pointer, minusOne[1].pointer, context)
    try #require(BN_mod_inverse(d.pointer, e.pointer, order.pointer, context) != nil)
    try #require(BN_mod_inverse(inverse.pointer, factors[1].pointer, factors[0].pointer, context) != nil)
    let remainders = try minusOne.map { factor in
      let remainder = try Number()
      BN_div(nil, remainder.pointer, d.pointer, factor.pointer, context)
      return remainder
    }
    let numbers = [modulus, e, d] + factors + remainders + [inverse]
    return DER.value(0x30, ([[0]] + numbers.map(\.contents)).flatMap { DER.integer($0) })
  }

  private final class Number {
    let pointer: OpaquePointer
    let context: OpaquePointer

    init(_ contents: [UInt8] = []) throws {
      pointer = try #require(BN_bin2bn(contents, Int32(contents.count), nil))
      context = try #require(BN_CTX_new())
    }

    static func prime(_ bits: Int32) throws -> Number {
      let number = try Number()
      try #require(BN_generate_prime_ex(number.pointer, bits, 0, nil, nil, nil) == 1)
      return number
    }

    /// The contents of an INTEGER.
    var contents: [UInt8] {
      var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(pointer) + 7) / 8)
      BN_bn2bin(pointer, &bytes)
      return bytes.first.map { $0 >= 0x80 } == true ? [0] + bytes : bytes
    }

    deinit {
      BN_free(pointer)
      BN_CTX_free(context)
    }
  }

  @Test func `more keys than are checked in a second are rejected`() {
    let block = PEM.block("RSA PRIVATE KEY", Self.key.pkcs1)
    let code = Self.code(Array(repeating: block, count: 751).flatMap { $0 })
    #expect(code == .excessiveKeyDerivation)
    #expect(Self.code(Array(repeating: block, count: 750).flatMap { $0 }) != .excessiveKeyDerivation)
  }

  @Test func `two primes whose product is another modulus are rejected`() throws {
    let one = try Self.members(of: Self.key.pkcs1)
    let other = try Self.members(of: TestKey.rsa(bits: 2_048, exponent: 65_537).pkcs1)
    let mixed = one.prefix(4) + other[4...5] + one.suffix(3)
    #expect(Self.code(DER.value(0x30, mixed.flatMap { DER.integer($0) })) == .rsaKeyInconsistent)
  }

  @Test func `an even modulus is rejected`() throws {
    var members = try Self.members(of: Self.key.pkcs1)
    members[1][members[1].count - 1] ^= 1
    #expect(Self.code(DER.value(0x30, members.flatMap { DER.integer($0) })) == .rsaKeyInconsistent)
  }

  static func members(of der: [UInt8]) throws -> [[UInt8]] {
    var rest = der.dropFirst(4)
    var members: [[UInt8]] = []
    while !rest.isEmpty {
      var count = Int(rest[rest.startIndex + 1])
      var header = 2
      if count > 0x80 {
        let extra = count & 0x7F
        count = rest.dropFirst(2).prefix(extra).reduce(0) { $0 << 8 | Int($1) }
        header += extra
      }
      members.append(Array(rest.dropFirst(header).prefix(count)))
      rest = rest.dropFirst(header + count)
    }
    return members
  }
}
