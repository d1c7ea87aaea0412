import MerchantKeys
import Testing

/// Each row breaks one rule of certificates.
@Suite struct CertificateRuleTests {
  typealias Change = @Sendable (inout CertificateRecipe) -> Void

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: CertificateError?
    let change: Change

    init(_ name: String, _ expected: CertificateError?, _ change: @escaping Change) {
      self.name = name
      self.expected = expected
      self.change = change
    }

    var testDescription: String { name }
  }

  @Test(arguments: encoding + structure + names + times + keys + extensions)
  func `each rule decides`(_ row: Row) {
    #expect(CertificateRecipe.error(row.change) == row.expected)
  }

  /// An attribute value inside the issuer, where any type may stand.
  static func inName(_ value: [UInt8]) -> Change {
    { $0.issuer = DER.sequence(DER.value(0x31, DER.sequence(DER.oid([0x55, 0x04, 0x03]), value))) }
  }

  /// `count` nested SEQUENCEs. As an attribute value of a Name, the outermost one is at depth 10.
  static func nested(_ count: Int) -> [UInt8] {
    (0..<count).reduce([]) { inner, _ in DER.sequence(inner) }
  }

  static let encoding: [Row] = [
    Row("a tag number of 31", .malformedEncoding, inName([0x9F, 0x1F, 0x00])),
    Row("universal 0", .malformedEncoding, inName([0x00, 0x00])),
    Row("constructed universal 0", .malformedEncoding, inName([0x20, 0x00])),
    Row("a primitive SEQUENCE", .malformedEncoding, inName([0x10, 0x00])),
    Row("a primitive SET", .malformedEncoding, inName([0x11, 0x00])),
    Row("a constructed OCTET STRING", .malformedEncoding, inName([0x24, 0x00])),
    Row("a constructed UTF8String", .malformedEncoding, inName([0x2C, 0x00])),
    Row("a constructed EXTERNAL", .malformedEncoding, inName([0x28, 0x00])),
    Row("a primitive context tag", nil, inName([0x80, 0x00])),
    Row("a constructed context tag", nil, inName([0xA0, 0x02, 0x05, 0x00])),
    Row("a bad value within a constructed private tag", .malformedEncoding, inName([0xE0, 0x02, 0x05, 0x01])),
    Row("an application tag, not walked when primitive", nil, inName([0x41, 0x02, 0x05, 0x01])),
    Row("an indefinite length", .malformedEncoding, inName([0x30, 0x80, 0x00, 0x00])),
    Row("a long form below 128", .malformedEncoding, inName([0x0C, 0x81, 0x01, 0x41])),
    Row("a length with a leading zero", .malformedEncoding, inName([0x0C, 0x82, 0x00, 0x80] + fill(128))),
    Row("the shortest long form", nil, inName([0x0C, 0x81, 0x80] + fill(128))),
    Row("a length of five bytes", .malformedEncoding, inName([0x0C, 0x85, 0, 0, 0, 0, 1, 0x41])),
    Row("a length of 4 GiB", .malformedEncoding, inName([0x0C, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
    Row("the reserved length FF", .malformedEncoding, inName([0x0C, 0xFF, 0x00])),
    Row("a BOOLEAN of 01", .malformedEncoding, inName([0x01, 0x01, 0x01])),
    Row("a BOOLEAN of no byte", .malformedEncoding, inName([0x01, 0x00])),
    Row("a BOOLEAN of two bytes", .malformedEncoding, inName([0x01, 0x02, 0xFF, 0xFF])),
    Row("FALSE", nil, inName([0x01, 0x01, 0x00])),
    Row("an empty INTEGER", .malformedEncoding, inName([0x02, 0x00])),
    Row("an INTEGER with a redundant 00", .malformedEncoding, inName([0x02, 0x02, 0x00, 0x7F])),
    Row("an INTEGER with a redundant FF", .malformedEncoding, inName([0x02, 0x02, 0xFF, 0x80])),
    Row("an INTEGER that needs its 00", nil, inName([0x02, 0x02, 0x00, 0x80])),
    Row("an INTEGER that needs its FF", nil, inName([0x02, 0x02, 0xFF, 0x7F])),
    Row("an empty OID", .malformedEncoding, inName([0x06, 0x00])),
    Row("an OID beginning with 80", .malformedEncoding, inName([0x06, 0x02, 0x80, 0x01])),
    Row("an OID with a later 80", .malformedEncoding, inName([0x06, 0x03, 0x2A, 0x80, 0x01])),
    Row("an OID with 80 inside a subidentifier", nil, inName([0x06, 0x04, 0x2A, 0x81, 0x80, 0x01])),
    Row("an OID that is cut", .malformedEncoding, inName([0x06, 0x02, 0x2A, 0x81])),
    Row("an empty BIT STRING", .malformedEncoding, inName([0x03, 0x00])),
    Row("a BIT STRING of no bits", nil, inName([0x03, 0x01, 0x00])),
    Row("unused bits of no bytes", .malformedEncoding, inName([0x03, 0x01, 0x01])),
    Row("eight unused bits", .malformedEncoding, inName([0x03, 0x02, 0x08, 0x00])),
    Row("seven unused bits", nil, inName([0x03, 0x02, 0x07, 0x80])),
    Row("an unused bit set", .malformedEncoding, inName([0x03, 0x02, 0x07, 0xC0])),
    Row("a NULL with contents", .malformedEncoding, inName([0x05, 0x01, 0x00])),
    Row("nonsense within an OCTET STRING", nil, inName([0x04, 0x02, 0x05, 0x01])),
    Row("depth 16", nil, inName(nested(7))),
    Row("depth 17", .malformedEncoding, inName(nested(8))),
  ]

  static let structure: [Row] = [
    Row("version 1", .malformedStructure) { $0.version = [] },
    Row("version 1, explicit", .malformedStructure) { $0.version = DER.value(0xA0, DER.integer([0])) },
    Row("version 2", .malformedStructure) { $0.version = DER.value(0xA0, DER.integer([1])) },
    Row("version 4", .malformedStructure) { $0.version = DER.value(0xA0, DER.integer([3])) },
    Row("a version of two bytes", .malformedStructure) { $0.version = DER.value(0xA0, DER.integer([2, 2])) },
    Row("two versions", .malformedStructure) {
      $0.version = DER.value(0xA0, DER.integer([2]), DER.integer([2]))
    },
    Row("a primitive [0]", .malformedStructure) { $0.version = DER.value(0x80, DER.integer([2])) },
    Row("a negative serial", nil) { $0.serial = DER.integer([0xFF]) },
    Row("a serial of another type", .malformedStructure) { $0.serial = DER.bytes([1]) },
    Row("another outer algorithm", .malformedStructure) {
      $0.outerAlgorithm = DER.algorithm(ObjectIdentifiers.ecdsaWithSHA384)
    },
    Row("outer parameters NULL, inner absent", .malformedStructure) {
      $0.outerAlgorithm = DER.algorithm(ObjectIdentifiers.ecdsaWithSHA256, DER.null)
    },
    Row("two parameters", .malformedStructure) {
      $0.innerAlgorithm = DER.algorithm(ObjectIdentifiers.ecdsaWithSHA256, DER.null + DER.null)
    },
    Row("an algorithm without OID", .malformedStructure) { $0.innerAlgorithm = DER.sequence() },
    Row("issuerUniqueID", .malformedStructure) { $0.uniqueIdentifiers = [0x81, 0x02, 0x00, 0x01] },
    Row("subjectUniqueID", .malformedStructure) { $0.uniqueIdentifiers = [0x82, 0x02, 0x00, 0x01] },
    Row("something after the extensions", .malformedStructure) { $0.afterExtensions = DER.null },
    Row("something after the signature", .malformedStructure) { $0.afterSignature = DER.null },
    Row("a signature with unused bits", .malformedStructure) { $0.signature = DER.bits([0x80], unused: 1) },
    Row("a signature of another type", .malformedStructure) { $0.signature = DER.bytes([0]) },
    Row("an empty signature", nil) { $0.signature = DER.bits([]) },
    Row("a primitive [3]", .malformedStructure) { $0.extensionsField = [0x83, 0x00] },
    Row("two [3]", .malformedStructure) {
      let field = DER.value(0xA3, DER.sequence(DER.extensionEntry([0x2A, 1], [])))
      $0.extensionsField = field + field
    },
  ]

  static let names: [Row] = [
    Row("an empty Name", nil) { $0.subject = DER.sequence() },
    Row("an empty SET", .malformedName) { $0.subject = DER.sequence([0x31, 0x00]) },
    Row("a SEQUENCE for a SET", .malformedName) { $0.issuer = DER.sequence(DER.sequence(DER.oid([0x2A]), DER.null)) },
    Row("an attribute without value", .malformedName) {
      $0.issuer = DER.sequence(DER.value(0x31, DER.sequence(DER.oid([0x2A]))))
    },
    Row("an attribute of two values", .malformedName) {
      $0.issuer = DER.sequence(DER.value(0x31, DER.sequence(DER.oid([0x2A]), DER.null, DER.null)))
    },
    Row("an attribute that is no SEQUENCE", .malformedName) { $0.issuer = DER.sequence(DER.value(0x31, DER.null)) },
    Row("two attributes in a SET, unsorted", nil) {
      let first = DER.sequence(DER.oid([0x2B]), DER.null)
      let second = DER.sequence(DER.oid([0x2A]), DER.null)
      $0.issuer = DER.sequence(DER.value(0x31, first, second))
    },
  ]

  static func validity(_ notBefore: [UInt8], _ more: [UInt8]) -> Change {
    { $0.validity = DER.sequence(notBefore, more) }
  }

  static let times: [Row] = [
    Row(
      "GeneralizedTime in a year for UTCTime", nil,
      validity(DER.generalizedTime("20250101000000Z"), DER.utcTime("350101000000Z"))),
    Row("30 February", .malformedValidity, validity(DER.utcTime("250230000000Z"), DER.utcTime("350101000000Z"))),
    Row("29 February 2000", nil, validity(DER.utcTime("000229000000Z"), DER.utcTime("350101000000Z"))),
    Row("second 60", .malformedValidity, validity(DER.utcTime("250101000060Z"), DER.utcTime("350101000000Z"))),
    Row("hour 24", .malformedValidity, validity(DER.utcTime("250101240000Z"), DER.utcTime("350101000000Z"))),
    Row("no seconds", .malformedValidity, validity(DER.utcTime("2501010000Z"), DER.utcTime("350101000000Z"))),
    Row("an offset", .malformedValidity, validity(DER.utcTime("250101000000+0000"), DER.utcTime("350101000000Z"))),
    Row(
      "a fraction", .malformedValidity,
      validity(DER.generalizedTime("20250101000000.5Z"), DER.utcTime("350101000000Z"))),
    Row("no Z", .malformedValidity, validity(DER.utcTime("2501010000000"), DER.utcTime("350101000000Z"))),
    Row("a letter", .malformedValidity, validity(DER.utcTime("25010100000OZ"), DER.utcTime("350101000000Z"))),
    Row("one time", .malformedValidity, validity(DER.utcTime("250101000000Z"), [])),
    Row(
      "three times", .malformedValidity,
      validity(DER.utcTime("250101000000Z"), DER.utcTime("350101000000Z") + DER.utcTime("350101000000Z"))),
    Row("an end before the beginning", nil, validity(DER.utcTime("250101000000Z"), DER.utcTime("240101000000Z"))),
  ]

  static func fill(_ count: Int) -> [UInt8] { Array(repeating: 0x41, count: count) }
  static func modulus(bits: Int) -> [UInt8] {
    let bytes = (bits + 7) / 8
    let first = UInt8(1) << UInt8((bits - 1) % 8)
    let magnitude = [first] + Array(repeating: 0, count: bytes - 2) + [1]
    return first >= 0x80 ? [0] + magnitude : magnitude
  }
  static func key(_ publicKey: [UInt8]) -> Change { { $0.publicKey = publicKey } }
  static func changed(_ bytes: [UInt8], _ index: Int, _ change: (inout UInt8) -> Void) -> [UInt8] {
    var bytes = bytes
    change(&bytes[index])
    return bytes
  }
  static let primeP256: [UInt8] =
    [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + Array(repeating: 0, count: 12) + Array(repeating: 0xFF, count: 12)

  static let keys: [Row] = [
    Row("P-384", nil, key(DER.publicKey(TestPoints.p384, curve: ObjectIdentifiers.secp384r1))),
    Row("P-384's point on P-256", .malformedPublicKey, key(DER.publicKey(TestPoints.p384))),
    Row("a point off the curve", .malformedPublicKey, key(DER.publicKey(changed(TestPoints.p256, 64) { $0 ^= 1 }))),
    Row("a compressed point", .malformedPublicKey, key(DER.publicKey([0x02] + TestPoints.p256[1...32]))),
    Row(
      "a hybrid point", .malformedPublicKey,
      key(DER.publicKey(changed(TestPoints.p256, 0) { $0 = 6 | TestPoints.p256[64] & 1 }))),
    Row("the point at infinity", .malformedPublicKey, key(DER.publicKey([0]))),
    Row(
      "x equal to the prime", .malformedPublicKey,
      key(DER.publicKey([0x04] + primeP256 + TestPoints.p256[33...64]))),
    Row("a byte after the point", .malformedPublicKey, key(DER.publicKey(TestPoints.p256 + [0]))),
    Row(
      "a key with unused bits", .malformedPublicKey,
      key(DER.sequence(DER.algorithm(ObjectIdentifiers.ecPublicKey, DER.oid([0x2A])), DER.bits([0x80], unused: 1)))),
    Row("another curve", nil, key(DER.publicKey([1], curve: [0x2B, 0x81, 0x04, 0x00, 0x0A]))),
    Row(
      "explicit parameters", .malformedPublicKey,
      key(DER.sequence(DER.algorithm(ObjectIdentifiers.ecPublicKey, DER.sequence()), DER.bits(TestPoints.p256)))),
    Row(
      "absent parameters", .malformedPublicKey,
      key(DER.sequence(DER.algorithm(ObjectIdentifiers.ecPublicKey), DER.bits(TestPoints.p256)))),
    Row("another algorithm", nil, key(DER.sequence(DER.algorithm([0x2B, 0x65, 0x70]), DER.bits([1])))),
    Row(
      "something after the key", .malformedPublicKey,
      key(DER.sequence(DER.algorithm([0x2B, 0x65, 0x70]), DER.bits([1]), DER.null))),
    Row("RSA of 2,048 bits", nil, key(DER.rsaPublicKey(modulus: modulus(bits: 2_048)))),
    Row("RSA of 4,096 bits", nil, key(DER.rsaPublicKey(modulus: modulus(bits: 4_096)))),
    Row("RSA of 4,097 bits", .malformedPublicKey, key(DER.rsaPublicKey(modulus: modulus(bits: 4_097)))),
    Row("an even modulus", .malformedPublicKey, key(DER.rsaPublicKey(modulus: [0x40, 0x00]))),
    Row("a negative modulus", .malformedPublicKey, key(DER.rsaPublicKey(modulus: [0x81, 0x01]))),
    Row("a modulus of zero", .malformedPublicKey, key(DER.rsaPublicKey(modulus: [0]))),
    Row("a modulus with a redundant zero", .malformedPublicKey, key(DER.rsaPublicKey(modulus: [0, 0x41]))),
    Row("an exponent of 3", .malformedPublicKey, key(DER.rsaPublicKey(modulus: [0x41], exponent: [3]))),
    Row("RSA without parameters", .malformedPublicKey, key(DER.rsaPublicKey(modulus: [0x41], parameters: []))),
    Row(
      "something after the RSA key", .malformedPublicKey,
      key(
        DER.sequence(
          DER.algorithm(ObjectIdentifiers.rsaEncryption, DER.null),
          DER.bits(DER.sequence(DER.integer([0x41]), DER.integer([1, 0, 1])) + DER.null)))),
    Row(
      "three integers in the RSA key", .malformedPublicKey,
      key(
        DER.sequence(
          DER.algorithm(ObjectIdentifiers.rsaEncryption, DER.null),
          DER.bits(DER.sequence(DER.integer([0x41]), DER.integer([1, 0, 1]), DER.integer([1])))))),
  ]

  static func with(_ entries: [UInt8]...) -> Change { { $0.extensions = entries } }
  static func constraints(_ contents: [UInt8]) -> Change {
    with(DER.extensionEntry(ObjectIdentifiers.basicConstraints, contents))
  }

  static let extensions: [Row] = [
    Row("an explicit FALSE", nil, with(DER.extensionEntry([0x2A, 1], critical: [1, 1, 0], [5]))),
    Row(
      "an extension twice", .malformedExtensions,
      with(DER.extensionEntry([0x2A, 1], [5]), DER.extensionEntry([0x2A, 2], []), DER.extensionEntry([0x2A, 1], []))),
    Row("no extensions in [3]", .malformedExtensions) { $0.extensionsField = DER.value(0xA3, DER.sequence()) },
    Row("an empty [3]", .malformedExtensions) { $0.extensionsField = [0xA3, 0x00] },
    Row("two lists in [3]", .malformedExtensions) {
      let list = DER.sequence(DER.extensionEntry([0x2A, 1], []))
      $0.extensionsField = DER.value(0xA3, list, list)
    },
    Row("an extension without value", .malformedExtensions, with(DER.sequence(DER.oid([0x2A]), DER.yes))),
    Row(
      "an extension with more", .malformedExtensions,
      with(DER.sequence(DER.oid([0x2A]), DER.bytes([]), DER.null))),
    Row("two BOOLEANs", .malformedExtensions, with(DER.sequence(DER.oid([0x2A]), DER.yes, DER.yes, DER.bytes([])))),
    Row("no constraints", nil, constraints(DER.sequence())),
    Row("a path length without cA", nil, constraints(DER.sequence(DER.integer([0])))),
    Row("a negative path length", .malformedKnownExtension, constraints(DER.sequence(DER.yes, DER.integer([0xFF])))),
    Row("a huge path length", nil, constraints(DER.sequence(DER.yes, DER.integer(fill(40))))),
    Row(
      "constraints the wrong way round", .malformedKnownExtension,
      constraints(DER.sequence(DER.integer([0]), DER.yes))),
    Row("an odd BOOLEAN in the constraints", .malformedKnownExtension, constraints(DER.sequence([1, 1, 1]))),
    Row("something after the constraints", .malformedKnownExtension, constraints(DER.sequence() + DER.null)),
    Row("something within the constraints", .malformedKnownExtension, constraints(DER.sequence(DER.yes, DER.null))),
    Row("empty constraints", .malformedKnownExtension, constraints([])),
    Row("a long length in the constraints", .malformedKnownExtension, constraints([0x30, 0x81, 0x00])),
    Row("a key usage", nil, with(DER.extensionEntry(ObjectIdentifiers.keyUsage, DER.bits([0x80], unused: 7)))),
    Row(
      "a key usage with an unused bit set", .malformedKnownExtension,
      with(DER.extensionEntry(ObjectIdentifiers.keyUsage, DER.bits([0xC0], unused: 7)))),
    Row(
      "two key usages", .malformedKnownExtension,
      with(DER.extensionEntry(ObjectIdentifiers.keyUsage, DER.bits([1]) + DER.bits([1])))),
    Row(
      "a key usage of another type", .malformedKnownExtension,
      with(DER.extensionEntry(ObjectIdentifiers.keyUsage, DER.bytes([1])))),
    Row(
      "an empty key identifier", nil,
      with(DER.extensionEntry(ObjectIdentifiers.subjectKeyIdentifier, DER.bytes([])))),
    Row(
      "a key identifier of another type", .malformedKnownExtension,
      with(DER.extensionEntry(ObjectIdentifiers.subjectKeyIdentifier, DER.bits([1])))),
    Row("nonsense in other extensions", nil, with(DER.extensionEntry([0x2A, 1], critical: DER.yes, [0xFF]))),
  ]
}
