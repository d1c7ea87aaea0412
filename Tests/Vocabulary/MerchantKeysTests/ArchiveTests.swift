import MerchantKeys
import Testing

/// PKCS #12 archives that the tests build bag by bag.
@Suite struct ArchiveTests {
  private static let key = KeyFileTests.key
  private static let pkcs7: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
  private static let bags: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01]
  private static let certificateTypes: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x16]

  /// A bag of PKCS #12: 1 is a key, 3 a certificate, 4 a revocation list, 6 bags.
  private static func bag(_ number: UInt8, _ contents: [UInt8]) -> [UInt8] {
    DER.sequence(DER.oid(bags + [number]), DER.value(0xA0, contents))
  }

  /// A bag of a certificate: X.509 is type 1, the text of an SDSI certificate type 2.
  private static func certificate(_ der: [UInt8], type: UInt8 = 1) -> [UInt8] {
    bag(3, DER.sequence(DER.oid(certificateTypes + [type]), DER.value(0xA0, DER.value(type == 1 ? 0x04 : 0x16, der))))
  }

  /// An archive of unencrypted parts, without a MAC.
  private static func archive(_ parts: [UInt8]..., type: UInt8 = 1) -> [UInt8] {
    func data(_ contents: [UInt8], _ type: UInt8) -> [UInt8] {
      DER.sequence(DER.oid(pkcs7 + [type]), DER.value(0xA0, DER.bytes(contents)))
    }
    let list = parts.flatMap { data(DER.sequence($0), type) }
    return DER.sequence(DER.integer([3]), data(DER.sequence(list), 1))
  }

  private static func error(_ bytes: [UInt8]) -> KeyError? { KeyFileTests.load(bytes) }

  @Test func `bags may stand three deep in the first, and no deeper`() {
    for count in 0...6 {
      let nested = (0..<count).reduce(Self.bag(1, Self.key.pkcs8)) { inner, _ in Self.bag(6, DER.sequence(inner)) }
      #expect(Self.error(Self.archive(nested))?.code == (count <= 3 ? nil : .malformedPKCS12), "\(count)")
    }
  }

  @Test func `keys and certificates of all parts and bags are found, and other bags passed over`() throws {
    let own = Self.key.certificate(merchantID: "merchant.test")
    let other = TestKey().certificate(merchantID: "merchant.other")
    let list = Self.bag(4, DER.sequence(DER.oid([0x2A]), DER.value(0xA0, DER.bytes([1]))))
    let parts = [Self.certificate(other) + list + Self.certificate(own), Self.bag(1, Self.key.pkcs8)]
    for parts in [parts, parts.reversed()] {
      let file = KeyFile("file", Self.archive(parts[0], parts[1]))
      let set = try MerchantKeySet(files: [file])
      #expect(set.count == 1 && set[0].certificate?.der == own)
      #expect(try !KeyFileInspection(file).isEncrypted)
      #expect(try Certificate.all(in: file).map(\.der) == [other, own])
    }
    let two = Self.archive(Self.bag(1, Self.key.pkcs8) + Self.bag(1, KeyFileTests.rsa2048.pkcs8))
    #expect(try MerchantKeySet(files: [KeyFile("file", two)], merchantIDs: KeyFileTests.merchantID).count == 2)
    #expect(Self.error(Self.archive(Self.certificate(own)))?.code == .archiveWithoutKey)
    #expect(Self.error(Self.archive())?.code == .emptyFile && Self.error(Self.archive([]))?.code == .emptyFile)
  }

  @Test func `a certificate that breaks the rules is refused with its key alone`() {
    func version1(_ point: [UInt8]) -> [UInt8] {
      var recipe = CertificateRecipe()
      recipe.version = []
      recipe.publicKey = DER.publicKey(point)
      return recipe.der
    }
    let secret = Self.bag(1, Self.key.pkcs8)
    #expect(
      Self.error(Self.archive(secret + Self.certificate(version1(Self.key.point))))
        == KeyError(.malformedCertificate, file: "key", certificateError: .malformedStructure))
    #expect(Self.error(Self.archive(secret + Self.certificate(version1(TestPoints.p256)))) == nil)
    // A certificate of another type is ignored, whatever it holds. X.509 that libcrypto cannot read is refused.
    #expect(Self.error(Self.archive(secret + Self.certificate(Array("x".utf8), type: 2))) == nil)
    #expect(Self.error(Self.archive(secret + Self.certificate([0x30, 0])))?.code == .malformedPKCS12)
  }

  @Test func `a part of another type is refused`() {
    let part = Self.bag(1, Self.key.pkcs8)
    #expect(Self.error(Self.archive(part)) == nil)
    for type in [2, 3, 5] as [UInt8] { #expect(Self.error(Self.archive(part, type: type)) != nil, "\(type)") }
  }
}
