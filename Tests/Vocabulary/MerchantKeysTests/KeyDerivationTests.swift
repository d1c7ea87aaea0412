import Foundation
import MerchantKeys
import TestSupport
import Testing

/// An encrypted file names the cost of its own key derivation. A cost beyond the limits is refused before the
/// derivation begins, which would take minutes or, for the largest numbers, years.
@Suite(.blocking) struct KeyDerivationTests {
  private static let mostIterations: UInt64 = 3_000_000
  private static let salt = DER.bytes([1, 2, 3, 4, 5, 6, 7, 8])

  // 1.2.840.113549.1.5.13, …5.12, …12.1.3 (PBE-SHA1-3DES), …5.14 (PBMAC1) and 1.3.6.1.4.1.11591.4.11
  private static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
  private static let pbkdf2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0C]
  private static let pbeWithSHA1And3DES: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x01, 0x03]
  private static let pbmac1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0E]
  private static let scrypt: [UInt8] = [0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B]
  private static let aes128CBC: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x01, 0x02]
  private static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]

  /// A number in its shortest form.
  private static func integer(_ value: UInt64) -> [UInt8] {
    let bytes = withUnsafeBytes(of: value.bigEndian) { Array($0) }.drop { $0 == 0 }
    return DER.integer((bytes.first.map { $0 >= 0x80 } ?? true ? [0] : []) + bytes)
  }

  private static let tooLong = DER.integer([1] + [UInt8](repeating: 0, count: 8))

  private static func encrypted(_ algorithm: [UInt8]) -> [UInt8] {
    DER.sequence(algorithm, DER.bytes([UInt8](repeating: 7, count: 48)))
  }

  private static func scheme2(_ derivation: [UInt8]) -> [UInt8] {
    DER.algorithm(
      pbes2,
      DER.sequence(derivation, DER.algorithm(aes128CBC, DER.bytes([UInt8](repeating: 0, count: 16)))))
  }

  private static func pbkdf2(_ iterations: [UInt8]) -> [UInt8] {
    scheme2(DER.algorithm(pbkdf2, DER.sequence(salt, iterations)))
  }

  private static func scrypt(_ numbers: [UInt8]...) -> [UInt8] {
    scheme2(DER.algorithm(scrypt, DER.sequence(salt, numbers.flatMap { $0 })))
  }

  private static func scheme1(_ iterations: [UInt8]) -> [UInt8] {
    DER.algorithm(pbeWithSHA1And3DES, DER.sequence(salt, iterations))
  }

  private static func code(_ bytes: [UInt8]) -> KeyError.Code? { EncryptedKeyTests.code(bytes, "x") }

  /// Expects a refusal within a second of CPU time, which is less than the smallest excessive derivation takes.
  private static func expectRefusal(_ bytes: [UInt8], _ what: String) {
    let start = ThreadTime.nanoseconds
    #expect(code(bytes) == .excessiveKeyDerivation, "\(what)")
    #expect(ThreadTime.nanoseconds - start < 1_000_000_000, "\(what)")
  }

  @Test func `iterations beyond the limit are rejected immediately with that code`() {
    for iterations in [mostIterationsAndOne, Self.integer(1 << 31), Self.integer(1 << 31 - 1), Self.integer(.max)] {
      Self.expectRefusal(Self.encrypted(Self.pbkdf2(iterations)), "PBKDF2")
      Self.expectRefusal(Self.encrypted(Self.scheme1(iterations)), "PBES1")
    }
    Self.expectRefusal(Self.encrypted(Self.pbkdf2(Self.tooLong)), "PBKDF2")
    Self.expectRefusal(Self.encrypted(Self.scheme1(Self.tooLong)), "PBES1")
    #expect(KeyError.Code.excessiveKeyDerivation.advice.contains("3,000,000"))
  }

  private var mostIterationsAndOne: [UInt8] { Self.integer(Self.mostIterations + 1) }

  @Test func `a count of iterations below one is malformed`() {
    for iterations in [DER.integer([0]), DER.integer([0xFF]), DER.integer([0x80, 0, 0, 0])] {
      #expect(Self.code(Self.encrypted(Self.pbkdf2(iterations))) == .malformedKey)
      #expect(Self.code(Self.encrypted(Self.scheme1(iterations))) == .malformedKey)
    }
  }

  @Test func `a derivation within the limit runs, and a wrong password is reported`() {
    #expect(Self.code(Self.encrypted(Self.pbkdf2(Self.integer(1_000_000)))) == .wrongPassword)
    #expect(Self.code(Self.encrypted(Self.scheme1(Self.integer(100_000)))) == .wrongPassword)
    let scrypt = Self.scrypt(Self.integer(16_384), Self.integer(8), Self.integer(1))
    #expect(Self.code(Self.encrypted(scrypt)) == .wrongPassword)
  }

  @Test(
    arguments: [
      // Memory: a little more than 32 MiB, because of N, r or p.
      (1 << 15, 8, 1), (1 << 14, 16, 1), (2, 1, 1 << 18),
      // Time: 11 million blocks within 32 MiB.
      (1 << 14, 8, 84), (1 << 17, 1, 1 << 16),
      // Numbers whose products overflow.
      (1 << 63, 1 << 63, 1 << 63), (1 << 32, 1, 1), (2, 1 << 32, 1), (2, 1, 1 << 62), (1 << 31, 1 << 31, 1),
    ] as [(UInt64, UInt64, UInt64)])
  func `scrypt beyond its memory or limit is rejected immediately`(_ cost: UInt64, _ size: UInt64, _ parallel: UInt64) {
    let algorithm = Self.scrypt(Self.integer(cost), Self.integer(size), Self.integer(parallel))
    Self.expectRefusal(Self.encrypted(algorithm), "\(cost) \(size) \(parallel)")
    Self.expectRefusal(Self.encrypted(Self.scrypt(Self.tooLong, Self.integer(8), Self.integer(1))), "too long")
  }

  // MARK: PKCS #12

  private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
  private static let encryptedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x06]
  private static let shroudedKeyBag: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01, 0x02]

  private static func plain(_ contents: [UInt8]) -> [UInt8] {
    DER.sequence(DER.oid(data), DER.value(0xA0, DER.bytes(contents)))
  }

  private static func sealed(_ algorithm: [UInt8]) -> [UInt8] {
    let info = DER.sequence(DER.oid(data), algorithm, DER.value(0x80, [UInt8](repeating: 7, count: 48)))
    return DER.sequence(
      DER.oid(encryptedData), DER.value(0xA0, DER.sequence(DER.integer([0]), info)))
  }

  /// A PFX of these parts; with a MAC unless its algorithm is nil.
  private static func archive(_ parts: [UInt8], mac: [UInt8]? = nil, iterations: [UInt8] = []) -> [UInt8] {
    let macData = mac.map {
      DER.sequence(DER.sequence($0, DER.bytes([UInt8](repeating: 1, count: 20))), salt, iterations)
    }
    return DER.sequence(DER.integer([3]), plain(DER.sequence(parts)), macData ?? [])
  }

  @Test func `the limit applies to the MAC, the encrypted parts and the keys of a .p12`() {
    let small = Self.plain(DER.sequence())
    let digest = DER.algorithm(Self.sha1, DER.null)
    for iterations in [mostIterationsAndOne, Self.integer(1 << 31 - 1), Self.tooLong] {
      Self.expectRefusal(Self.archive(small, mac: digest, iterations: iterations), "MAC")
      let pbmac = DER.algorithm(
        Self.pbmac1,
        DER.sequence(DER.algorithm(Self.pbkdf2, DER.sequence(Self.salt, iterations)), DER.algorithm(Self.sha1)))
      Self.expectRefusal(Self.archive(small, mac: pbmac, iterations: DER.integer([1])), "PBMAC1")
      for algorithm in [Self.scheme1(iterations), Self.pbkdf2(iterations)] {
        Self.expectRefusal(Self.archive(Self.sealed(algorithm)), "encrypted part")
        let bag = DER.sequence(DER.oid(Self.shroudedKeyBag), DER.value(0xA0, Self.encrypted(algorithm)))
        Self.expectRefusal(Self.archive(Self.plain(DER.sequence(bag))), "key")
      }
    }
    // The same archives with small numbers are read.
    #expect(Self.code(Self.archive(small, mac: digest, iterations: DER.integer([1]))) == .wrongPassword)
    #expect(Self.code(Self.archive(Self.sealed(Self.scheme1(DER.integer([1]))))) == .wrongPassword)
    let key = Self.encrypted(Self.scheme1(DER.integer([1])))
    let bag = DER.sequence(DER.oid(Self.shroudedKeyBag), DER.value(0xA0, key))
    #expect(Self.code(Self.archive(Self.plain(DER.sequence(bag)))) == .wrongPassword)
  }

  @Test(.enabled(if: OpenSSLTool.isInstalled)) func `all derivations of a file share the limit`() throws {
    let openssl = try OpenSSLTool()
    try EncryptedKeyTests.makeIdentity(openssl)
    // MAC, certificates and key: three derivations of 1.2 million each.
    try openssl("pkcs12 -export -inkey key.pem -in leaf.pem -out file.p12 -passout file:password -iter 1200000")
    let archive = try openssl.read("file.p12")
    #expect(EncryptedKeyTests.code(archive, EncryptedKeyTests.password) == .excessiveKeyDerivation)
    // Two keys in one file, and the inspection of it.
    try openssl("pkcs8 -topk8 -in key.pem -out one.key -passout file:password -v2 aes-128-cbc -iter 1800000")
    let one = try openssl.read("one.key")
    #expect(EncryptedKeyTests.code(one, EncryptedKeyTests.password) == nil)
    #expect(EncryptedKeyTests.code(one + one, EncryptedKeyTests.password) == .excessiveKeyDerivation)
    let file = KeyFile(
      name: "two", bytes: one + one, password: try EncryptedKeyTests.password(EncryptedKeyTests.password))
    #expect(throws: KeyError(.excessiveKeyDerivation, file: "two")) { try KeyFileInspection(file) }
    // Two .p12 in one file of PEM: twice three derivations of 600,000 each.
    try openssl("pkcs12 -export -inkey key.pem -in leaf.pem -out file.p12 -passout file:password -iter 600000")
    let block = PEM.block("CERTIFICATE", try openssl.read("file.p12"))
    #expect(EncryptedKeyTests.code(block, EncryptedKeyTests.password) == nil)
    #expect(EncryptedKeyTests.code(block + block, EncryptedKeyTests.password) == .excessiveKeyDerivation)
  }

  // MARK: The limits to the last iteration

  // libcrypto refuses an unknown encryption before it derives anything, but after the derivation was counted.
  private static let unknown: [UInt8] = [0x2A, 0x03, 0x04]

  private static func unknownScheme1(_ iterations: UInt64) -> [UInt8] {
    DER.algorithm(unknown, DER.sequence(salt, integer(iterations)))
  }

  private static func unknownScheme2(_ derivation: [UInt8]) -> [UInt8] {
    DER.algorithm(pbes2, DER.sequence(derivation, DER.algorithm(unknown, DER.bytes([UInt8](repeating: 0, count: 16)))))
  }

  private static func outcome(_ isPaid: Bool) -> KeyError.Code {
    isPaid ? .unsupportedEncryption : .excessiveKeyDerivation
  }

  @Test(arguments: [(1, true), (2_999_999, true), (3_000_000, true), (3_000_001, false)] as [(UInt64, Bool)])
  func `three million iterations are paid for and not one more`(_ iterations: UInt64, _ isPaid: Bool) {
    #expect(Self.code(Self.encrypted(Self.unknownScheme1(iterations))) == Self.outcome(isPaid))
    let derivation = DER.algorithm(Self.pbkdf2, DER.sequence(Self.salt, Self.integer(iterations)))
    #expect(Self.code(Self.encrypted(Self.unknownScheme2(derivation))) == Self.outcome(isPaid))
  }

  @Test(
    arguments: [
      (1, 1, 1, true), (16_384, 8, 1, true),
      // Memory: 128·r·(N + 2 + p) bytes are 32 MiB at most, or more by one step of a number.
      (262_132, 1, 10, true), (262_133, 1, 10, false), (262_132, 1, 11, false), (131_060, 2, 10, true),
      (131_061, 2, 10, false), (65_000, 4, 10, true), (65_000, 5, 10, false),
      // Time: 3,000,000 blocks at most, or more.
      (10_000, 1, 300, true), (10_000, 1, 301, false), (1_733, 1, 1_732, false), (600, 50, 100, true),
      // Numbers of 32 bits, and a memory size that is 0 modulo 2^64.
      ((1 << 32) - 1, 1, 1, false), (1, (1 << 32) - 1, 1, false), (1, 1, (1 << 32) - 1, false),
      (1 << 31, 1 << 31, (1 << 31) - 2, false), (.max, .max, .max, false), (.max, 1, 1, false), (1, 1, .max, false),
    ] as [(UInt64, UInt64, UInt64, Bool)])
  func `scrypt is paid for to its last block`(_ cost: UInt64, _ size: UInt64, _ parallel: UInt64, _ isPaid: Bool) {
    let numbers = Self.integer(cost) + Self.integer(size) + Self.integer(parallel)
    let derivation = DER.algorithm(Self.scrypt, DER.sequence(Self.salt, numbers))
    #expect(Self.code(Self.encrypted(Self.unknownScheme2(derivation))) == Self.outcome(isPaid))
  }

  @Test func `a MAC is paid for once for each password that is tried`() throws {
    func outcome(_ iterations: UInt64, mac: Int32, _ made: String?, _ given: String?) throws -> KeyError.Code? {
      let file = Self.archive(Self.sealed(Self.unknownScheme1(iterations)))
      return EncryptedKeyTests.code(try Archive.authenticated(file, password: made, iterations: mac), given)
    }
    // A MAC without a count of iterations has one iteration.
    #expect(try outcome(2_999_999, mac: 1, "x", "x") == .unsupportedEncryption)
    #expect(try outcome(3_000_000, mac: 1, "x", "x") == .excessiveKeyDerivation)
    #expect(try outcome(2_999_000, mac: 1_000, "x", "x") == .unsupportedEncryption)
    #expect(try outcome(2_999_001, mac: 1_000, "x", "x") == .excessiveKeyDerivation)
    // The absent password is tried first, then the empty one. Each derivation is counted.
    for given in [nil, ""] as [String?] {
      #expect(try outcome(2_999_000, mac: 1_000, nil, given) == .unsupportedEncryption)
      #expect(try outcome(2_999_001, mac: 1_000, nil, given) == .excessiveKeyDerivation)
      #expect(try outcome(2_998_000, mac: 1_000, "", given) == .unsupportedEncryption)
      #expect(try outcome(2_998_001, mac: 1_000, "", given) == .excessiveKeyDerivation)
    }
    #expect(try outcome(1, mac: 1, "x", "y") == .wrongPassword && outcome(1, mac: 1, "x", nil) == .passwordNeeded)
  }

  @Test func `only PBMAC1 has the parameters of PBMAC1`() {
    let derivation = DER.algorithm(Self.pbkdf2, DER.sequence(Self.salt, mostIterationsAndOne))
    let parameters = DER.sequence(derivation, DER.algorithm(Self.sha1))
    let small = Self.plain(DER.sequence())
    #expect(
      Self.code(Self.archive(small, mac: DER.algorithm(Self.pbmac1, parameters), iterations: DER.integer([1])))
        == .excessiveKeyDerivation)
    let others =
      [Self.sha1, Self.pbes2] + Self.pbmac1.indices.map { CertificateRuleTests.changed(Self.pbmac1, $0) { $0 ^= 1 } }
    for other in others {
      let file = Self.archive(small, mac: DER.algorithm(other, parameters), iterations: DER.integer([1]))
      #expect(Self.code(file) != .excessiveKeyDerivation, "\(other)")
    }
  }
}
