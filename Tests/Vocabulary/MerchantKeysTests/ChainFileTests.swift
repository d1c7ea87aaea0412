import MerchantKeys
import Testing

/// Files with certificates that belong to no key, beside one that belongs to a key.
@Suite struct ChainFileTests {
  private let key = TestKey()
  private let own: [UInt8]
  private let authority: [UInt8]
  private let other = TestKey().certificate(merchantID: "merchant.other")

  init() {
    own = key.certificate(merchantID: "merchant.test")
    var recipe = CertificateRecipe()
    recipe.extensions = [DER.extensionEntry(ObjectIdentifiers.basicConstraints, DER.sequence(DER.yes))]
    recipe.subject = DER.name("authority")
    authority = recipe.der
  }

  private func pem(_ certificates: [UInt8]...) -> [UInt8] { certificates.flatMap { PEM.block("CERTIFICATE", $0) } }
  private var keyPEM: [UInt8] { PEM.block("PRIVATE KEY", key.pkcs8) }

  @Test func `a chain in PEM loads as in a .p12, and says what was left aside`() throws {
    let keyFile = KeyFile("key", keyPEM)
    for files in [
      [keyFile, KeyFile("chain", pem(own, authority))], [keyFile, KeyFile("chain", pem(authority, own))],
      [KeyFile("chain", keyPEM, pem(own, authority))], [KeyFile("chain", pem(authority, own), keyPEM)],
      [keyFile, KeyFile("own", own), KeyFile("chain", authority)],
    ] {
      let set = try MerchantKeySet(files: files)
      #expect(set.count == 1 && set[0].certificate?.der == own)
      #expect(set.unpairedCertificates.map(\.certificate.der) == [authority])
      #expect(set.unpairedCertificates.map(\.file) == ["chain"])
      #expect(set.unpairedCertificates.words == "chain: authority")
    }
  }

  @Test func `another merchant's certificate is left aside, too`() throws {
    let set = try MerchantKeySet(files: [KeyFile("all", keyPEM, pem(other, own, authority))])
    #expect(set.count == 1 && set[0].certificate?.der == own)
    #expect(set.unpairedCertificates.map(\.certificate.der) == [other, authority])
    #expect(set.merchantIDHash(at: 0) == TestKey.sha256("merchant.test"))
    let plain = try MerchantKeySet(files: [KeyFile("all", keyPEM, pem(own, own))])
    #expect(plain.unpairedCertificates.isEmpty)
  }

  @Test func `without any certificate that fits it stays an error that names the file`() {
    let merchantID = [MerchantIDAssignment.uncertified(merchantID: "merchant.test")]
    for files in [
      [KeyFile("certificate", other)], [KeyFile("certificate", pem(own, authority))],
      [KeyFile("key", keyPEM), KeyFile("certificate", other)],
      [KeyFile("key", keyPEM), KeyFile("certificate", pem(authority, other))],
    ] {
      let error = keyError { () throws(KeyError) in try MerchantKeySet(files: files, merchantIDs: merchantID) }
      #expect(error == KeyError(.certificateWithoutKey, file: "certificate"))
    }
  }

  @Test func `many certificates are not all named`() throws {
    let file = KeyFile("f", keyPEM, pem(own, authority, authority, authority, authority, authority, authority))
    let words = try MerchantKeySet(files: [file]).unpairedCertificates.words
    #expect(words == "f: authority; f: authority; f: authority; f: authority; and 2 more")
  }
}

/// Files that have to be converted first, or that are no key files.
@Suite struct MistakenFileTests {
  private static let key = TestKey()
  private static let pem = PEM.block("PRIVATE KEY", key.pkcs8)

  private static func lines(_ end: String) -> [UInt8] {
    Array(String(decoding: pem, as: UTF8.self).replacing("\n", with: end).utf8)
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func wide(_ text: [UInt8], bigEndian: Bool) -> [UInt8] {
    text.flatMap { bigEndian ? [0, $0] : [$0, 0] }
  }

  static let rows: [KeyFileTests.Refusal] = [
    KeyFileTests.Refusal("escaped line ends", .escapedPEM, lines("\\n")),
    KeyFileTests.Refusal("escaped CRLF", .escapedPEM, lines("\\r\\n")),
    KeyFileTests.Refusal("escaped and quoted", .escapedPEM, [0x22] + lines("\\n") + [0x22, 0x0A]),
    KeyFileTests.Refusal("UTF-16, little-endian", .notPlainText, [0xFF, 0xFE] + wide(pem, bigEndian: false)),
    KeyFileTests.Refusal("UTF-16, big-endian", .notPlainText, [0xFE, 0xFF] + wide(pem, bigEndian: true)),
    KeyFileTests.Refusal("UTF-16 without a mark", .notPlainText, wide(pem, bigEndian: false)),
    KeyFileTests.Refusal("base64 in one line", .bareBase64, Array(base64(key.pkcs8).utf8)),
    KeyFileTests.Refusal("base64 of SEC 1 in lines", .bareBase64, Array((base64(key.sec1) + "\n").utf8)),
    KeyFileTests.Refusal("base64 of a certificate", .bareBase64, Array(base64(key.certificate()).utf8)),
    KeyFileTests.Refusal("hexadecimal", .bareHexadecimal, Array((hex(key.pkcs8) + "\n").utf8)),
    KeyFileTests.Refusal("hexadecimal in capitals", .bareHexadecimal, Array(hex(key.sec1).uppercased().utf8)),
    KeyFileTests.Refusal("hexadecimal of something else", .unrecognisedFile, Array(hex([1, 2, 3]).utf8)),
    KeyFileTests.Refusal("base64 of something else", .unrecognisedFile, Array("AAAA".utf8)),
    KeyFileTests.Refusal("BEGIN within a line, and no END", .unrecognisedFile, Array("key: ".utf8) + pem.prefix(60)),
    KeyFileTests.Refusal("base64 of PEM", .bareBase64, Array(base64(pem).utf8)),
    KeyFileTests.Refusal("hexadecimal of PEM", .bareHexadecimal, Array(hex(pem).utf8)),
    KeyFileTests.Refusal("hexadecimal of a database", .bareHexadecimal, Array(("\\x" + hex(key.pkcs8)).utf8)),
    KeyFileTests.Refusal("32 bytes", .bareScalar, [0xC8] + key.scalar.dropFirst()),
    KeyFileTests.Refusal("base64 of 32 bytes", .bareScalar, Array(base64(key.scalar).utf8)),
    KeyFileTests.Refusal("32 letters", .unrecognisedFile, Array(repeating: 0x7A, count: 32)),
    KeyFileTests.Refusal("hexadecimal of 33 bytes", .unrecognisedFile, Array(hex([1] + key.scalar).utf8)),
    KeyFileTests.Refusal("hexadecimal of a point", .publicKeyGiven, Array(hex(key.point).utf8)),
    KeyFileTests.Refusal("a JKS", .javaKeyStore, [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2]),
    KeyFileTests.Refusal("a JCEKS", .javaKeyStore, [0xCE, 0xCE, 0xCE, 0xCE, 0, 0, 0, 2]),
    KeyFileTests.Refusal("a key of PuTTY", .puttyKey, Array("PuTTY-User-Key-File-2: ssh-rsa\r\n".utf8)),
    KeyFileTests.Refusal("a set of JSON Web Keys", .webKeySet, Array("{\"keys\":[\(WebKeyTests.ec(key))]}".utf8)),
    KeyFileTests.Refusal("a .p7b in DER", .certificateBundle, bundle),
    KeyFileTests.Refusal("a .p7b in PEM", .certificateBundle, PEM.block("PKCS7", bundle)),
    KeyFileTests.Refusal("a .p7b as certutil encodes it", .certificateBundle, PEM.block("CERTIFICATE", bundle)),
    KeyFileTests.Refusal("a trusted certificate", .trustedCertificate, PEM.block("TRUSTED CERTIFICATE", [0x30, 0])),
    KeyFileTests.Refusal("a request in DER", .requestGiven, request),
    KeyFileTests.Refusal("a request labelled as a certificate", .requestGiven, PEM.block("CERTIFICATE", request)),
    KeyFileTests.Refusal("a new request", .requestGiven, PEM.block("NEW CERTIFICATE REQUEST", request)),
    KeyFileTests.Refusal("an RSA public key", .publicKeyGiven, PEM.block("RSA PUBLIC KEY", [0x30, 0])),
  ]

  /// The beginning of a SignedData, as far as key files are recognised by it.
  private static let bundle = DER.sequence(
    DER.oid([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]), DER.value(0xA0, []))

  private static let request = (try? NewKey(.p256, commonName: "x").request.der) ?? []

  private static func base64(_ bytes: [UInt8]) -> String {
    PEM.block("X", bytes).split(separator: 0x0A).dropFirst().dropLast()
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }

  @Test(arguments: rows)
  func `a file in another form has its own code`(_ row: KeyFileTests.Refusal) {
    #expect(KeyFileTests.load(row.bytes)?.code == row.code)
    let inspected = keyError { () throws(KeyError) in try KeyFileInspection(KeyFile(name: "key", bytes: row.bytes)) }
    // An inspection also reads requests and public keys.
    let isRead = [.requestGiven, .publicKeyGiven].contains(row.code)
    if !isRead { #expect(inspected == KeyError(row.code, file: "key")) }
  }
}
