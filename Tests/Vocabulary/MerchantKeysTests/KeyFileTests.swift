import COpenSSL
import MerchantKeys
import PaymentToken
import Testing

@Suite struct KeyFileTests {
  static let key = TestKey()
  static let certificate = key.certificate(merchantID: "merchant.test")
  static let merchantID = [MerchantIDAssignment.uncertified(merchantID: "merchant.test")]

  static func load(_ parts: [UInt8]...) -> KeyError? {
    keyError { () throws(KeyError) in
      try MerchantKeySet(files: [KeyFile(name: "key", bytes: parts.flatMap { $0 })], merchantIDs: merchantID)
    }
  }

  struct Form: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }
  }

  static let forms: [Form] = [
    Form(name: "PKCS #8 DER", bytes: key.pkcs8),
    Form(name: "PKCS #8 PEM", bytes: PEM.block("PRIVATE KEY", key.pkcs8)),
    Form(name: "SEC 1 DER", bytes: key.sec1),
    Form(name: "SEC 1 PEM", bytes: PEM.block("EC PRIVATE KEY", key.sec1)),
    Form(name: "CRLF", bytes: PEM.block("EC PRIVATE KEY", key.sec1, lineEnd: "\r\n")),
    Form(
      name: "parameters before it",
      bytes: PEM.block("EC PARAMETERS", DER.oid(ObjectIdentifiers.prime256v1)) + PEM.block("EC PRIVATE KEY", key.sec1)),
    Form(
      name: "text around it",
      bytes: text("Bag Attributes\n  localKeyID: 01\n") + PEM.block("PRIVATE KEY", key.pkcs8) + text("\nend")),
    Form(name: "no end of line at the end", bytes: PEM.block("PRIVATE KEY", key.pkcs8).dropLast()),
    Form(name: "SEC 1 without public key", bytes: TestKey.sec1(scalar: key.scalar)),
    Form(
      name: "PKCS #8 without inner parameters",
      bytes: TestKey.pkcs8(
        algorithm: DER.algorithm(ObjectIdentifiers.ecPublicKey, DER.oid(ObjectIdentifiers.prime256v1)),
        key: TestKey.sec1(scalar: key.scalar, curve: nil, point: key.point))),
    Form(name: "the key twice", bytes: PEM.block("PRIVATE KEY", key.pkcs8) + PEM.block("EC PRIVATE KEY", key.sec1)),
    Form(name: "SEC 1 under the label of PKCS #8", bytes: PEM.block("PRIVATE KEY", key.sec1)),
    Form(name: "PKCS #8 under the label of SEC 1", bytes: PEM.block("EC PRIVATE KEY", key.pkcs8)),
    Form(name: "PKCS #8 under the label of a certificate", bytes: PEM.block("CERTIFICATE", key.pkcs8)),
    Form(name: "SEC 1 under a label of nobody", bytes: PEM.block("MERCHANT KEY", key.sec1)),
    Form(name: "CR", bytes: PEM.block("EC PRIVATE KEY", key.sec1, lineEnd: "\r")),
    Form(name: "on one line", bytes: PEM.block("EC PRIVATE KEY", key.sec1, lineEnd: " ")),
    Form(name: "on one line without spaces", bytes: PEM.block("EC PRIVATE KEY", key.sec1, lineEnd: "")),
    Form(name: "indented", bytes: text("key: |\n") + PEM.block("PRIVATE KEY", key.pkcs8, lineEnd: "\n    ")),
    Form(name: "indented with tabs", bytes: text("\t") + PEM.block("PRIVATE KEY", key.pkcs8, lineEnd: "\r\n\t")),
    Form(
      name: "a space in the body",
      bytes: text("-----BEGIN PRIVATE KEY-----\n" + Base64.encode(key.pkcs8) + " \n-----END PRIVATE KEY-----\n")),
    Form(name: "behind a name", bytes: text("KEY=\"") + PEM.block("PRIVATE KEY", key.pkcs8).dropLast() + text("\"\n")),
    Form(name: "behind a name, on one line", bytes: text("KEY=") + PEM.block("PRIVATE KEY", key.pkcs8, lineEnd: " ")),
    Form(name: "after a byte-order mark", bytes: [0xEF, 0xBB, 0xBF] + PEM.block("PRIVATE KEY", key.pkcs8)),
    Form(
      name: "behind a sentence about PEM",
      bytes: text("Paste all from -----BEGIN PRIVATE KEY----- on:\n") + PEM.block("PRIVATE KEY", key.pkcs8)),
    Form(
      name: "two blocks on one line",
      bytes: PEM.block("EC PARAMETERS", DER.oid(ObjectIdentifiers.prime256v1), lineEnd: " ")
        + PEM.block("EC PRIVATE KEY", key.sec1, lineEnd: " ")),
    Form(name: "the scalar in hexadecimal", bytes: text(hexadecimal(key.scalar) + "\n")),
    Form(name: "the scalar in capitals after 0x", bytes: text("0x" + hexadecimal(key.scalar).uppercased())),
    Form(name: "the scalar as openssl prints it", bytes: text(hexadecimal(key.scalar, separator: ":"))),
    Form(name: "a JSON Web Key", bytes: text(WebKeyTests.ec(key))),
    Form(
      name: "the certificate with it",
      bytes: PEM.block("CERTIFICATE", certificate) + PEM.block("PRIVATE KEY", key.pkcs8)),
  ]

  @Test(arguments: forms)
  func `each form gives the same key`(_ form: Form) throws {
    let set = try MerchantKeySet(
      files: [KeyFile(name: "key", bytes: form.bytes)], merchantIDs: KeyFileTests.merchantID)
    #expect(set.count == 1)
    #expect(set.withScalar(at: 0) { Array($0) } == KeyFileTests.key.scalar)
    #expect(set[0].publicKey == .p256(KeyFileTests.key.point))
    #expect(set[0].publicKeyHash == TestKey.sha256(DER.publicKey(KeyFileTests.key.point)))
    #expect(set[0].file == "key")
  }

  @Test func `a short scalar is widened`() throws {
    let scalar = [UInt8](repeating: 7, count: 31)
    let file = KeyFile("key", TestKey.sec1(scalar: scalar))
    let set = try MerchantKeySet(files: [file], merchantIDs: KeyFileTests.merchantID)
    #expect(set.withScalar(at: 0) { Array($0) } == [0] + scalar)
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let code: KeyError.Code
    let bytes: [UInt8]

    init(_ name: String, _ code: KeyError.Code, _ bytes: [UInt8]) {
      self.name = name
      self.code = code
      self.bytes = bytes
    }

    var testDescription: String { name }
  }

  @Test(arguments: files + privateKeys)
  func `each error has its code and names the file`(_ row: Refusal) {
    let error = keyError { () throws(KeyError) in
      try MerchantKeySet(
        files: [KeyFile(name: "the file", bytes: row.bytes)], merchantIDs: KeyFileTests.merchantID)
    }
    #expect(error?.code == row.code)
    #expect(error?.file == "the file")
  }

  static func hexadecimal(_ bytes: [UInt8], separator: String = "") -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
  }

  static let pem = PEM.block("PRIVATE KEY", key.pkcs8)
  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  static let files: [Refusal] = [
    Refusal("an empty file", .unrecognisedFile, []),
    Refusal("text", .unrecognisedFile, text("hello")),
    Refusal("DER that is cut", .unrecognisedFile, Array(key.pkcs8.dropLast())),
    Refusal("DER and a byte", .unrecognisedFile, key.pkcs8 + [0]),
    Refusal("only parameters", .emptyFile, PEM.block("EC PARAMETERS", DER.oid(ObjectIdentifiers.prime256v1))),
    Refusal("a public key in PEM", .publicKeyGiven, PEM.block("PUBLIC KEY", DER.publicKey(key.point))),
    Refusal("a public key in DER", .publicKeyGiven, DER.publicKey(key.point)),
    Refusal(
      "a public key under a private key's label", .publicKeyGiven, PEM.block("PRIVATE KEY", DER.publicKey(key.point))),
    Refusal("a key and a request", .requestGiven, pem + PEM.block("CERTIFICATE REQUEST", [0x30, 0])),
    Refusal("a key and a revocation list", .unsupportedBlock, pem + PEM.block("X509 CRL", [0x30, 0])),
    Refusal("another value in DER", .unsupportedBlock, DER.sequence(DER.integer([1]), DER.oid([0x2A]))),
    Refusal("no END", .malformedPEM, Array(pem.prefix(100))),
    Refusal("another END", .malformedPEM, PEM.block("PRIVATE KEY", key.pkcs8).dropLast(26) + text("-----END KEY-----")),
    Refusal("END alone", .malformedPEM, pem + text("-----END PRIVATE KEY-----\n")),
    Refusal("BEGIN within BEGIN", .malformedPEM, text("-----BEGIN PRIVATE KEY-----\n") + pem),
    Refusal("BEGIN that is cut", .malformedPEM, text("-----BEGIN PRIVATE KEY\n") + pem),
    Refusal("an empty body", .malformedPEM, text("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n")),
    Refusal(
      "a second block on one line that is cut off", .malformedPEM,
      PEM.block("PRIVATE KEY", key.pkcs8, lineEnd: " ") + text("-----BEGIN PRIVATE KEY----- MDAw")),
    Refusal(
      "a certificate under the label of a revocation list", .certificateWithoutKey, PEM.block("X509 CRL", certificate)),
    Refusal(
      "a byte that is not ASCII in the body", .malformedPEM,
      text("-----BEGIN PRIVATE KEY-----\nMD") + [0xC8] + text("E\n-----END PRIVATE KEY-----\n")),
    Refusal("no padding", .malformedPEM, text("-----BEGIN PRIVATE KEY-----\nMDE\n-----END PRIVATE KEY-----\n")),
    Refusal(
      "a dash line in the body", .malformedPEM,
      text("-----BEGIN PRIVATE KEY-----\n-----\n-----END PRIVATE KEY-----\n")),
    Refusal("damaged encrypted PKCS #8", .malformedKey, PEM.block("ENCRYPTED PRIVATE KEY", [0x30, 0])),
    Refusal(
      "encrypted PKCS #8 without a password", .passwordNeeded,
      DER.sequence(DER.algorithm([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]), DER.bytes([1]))),
    Refusal(
      "OpenSSL's old encryption", .encryptedKey,
      text(
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMDAw\n"
          + "-----END EC PRIVATE KEY-----\n")),
    Refusal(
      "a header in a certificate", .malformedPEM,
      text("-----BEGIN CERTIFICATE-----\nComment: x\nMDAw\n-----END CERTIFICATE-----\n")),
    Refusal("a damaged .p12 in DER", .malformedPKCS12, DER.sequence(DER.integer([3]), DER.sequence())),
    Refusal("a damaged .p12 in BER", .malformedPKCS12, [0x30, 0x80, 0x02, 0x01, 0x03, 0x30, 0x80]),
    Refusal("a damaged certificate", .malformedCertificate, PEM.block("CERTIFICATE", certificate.dropLast())),
    Refusal(
      "a certificate in DER of version 1", .malformedCertificate,
      DER.sequence(DER.sequence(DER.integer([1])), DER.algorithm([0x2A]), DER.bits([1]))),
    Refusal("a certificate alone", .certificateWithoutKey, certificate),
    Refusal(
      "a certificate of another key", .certificateWithoutKey,
      pem + PEM.block("CERTIFICATE", TestKey().certificate(merchantID: "merchant.test"))),
    Refusal(
      "an RSA certificate", .certificateWithoutKey,
      {
        var recipe = CertificateRecipe()
        recipe.publicKey = DER.rsaPublicKey(modulus: CertificateRuleTests.modulus(bits: 2_048))
        return pem + PEM.block("CERTIFICATE", recipe.der)
      }()),
  ]

  static let order: [UInt8] =
    [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    + [0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51]
  static let rsa2048 = TestKey.rsa(bits: 2_048)
  static let rsa1024 = TestKey.rsa(bits: 1_024)
  static let ecAlgorithm = DER.algorithm(ObjectIdentifiers.ecPublicKey, DER.oid(ObjectIdentifiers.prime256v1))

  static let privateKeys: [Refusal] = [
    Refusal("a scalar of 0", .scalarOutOfRange, TestKey.sec1(scalar: Array(repeating: 0, count: 32))),
    Refusal("a scalar of n", .scalarOutOfRange, TestKey.sec1(scalar: order)),
    Refusal("a scalar above n", .scalarOutOfRange, TestKey.sec1(scalar: Array(repeating: 0xFF, count: 32))),
    Refusal("another public key", .publicKeyMismatch, TestKey.sec1(scalar: key.scalar, point: TestPoints.p256)),
    Refusal(
      "a public key off the curve", .malformedKey,
      TestKey.sec1(scalar: key.scalar, point: CertificateRuleTests.changed(key.point, 64) { $0 ^= 1 })),
    Refusal(
      "another public key in PKCS #8", .publicKeyMismatch,
      TestKey.pkcs8(algorithm: ecAlgorithm, key: TestKey.sec1(scalar: key.scalar, point: TestPoints.p256))),
    Refusal("P-384 in SEC 1", .unsupportedCurve, TestKey(curve: NID_secp384r1).sec1),
    Refusal("P-384 in PKCS #8", .unsupportedCurve, TestKey(curve: NID_secp384r1).pkcs8),
    Refusal("secp256k1", .unsupportedCurve, TestKey(curve: NID_secp256k1).sec1),
    Refusal("explicit parameters in SEC 1", .explicitCurveParameters, TestKey(explicitParameters: true).sec1),
    Refusal("explicit parameters in PKCS #8", .explicitCurveParameters, TestKey(explicitParameters: true).pkcs8),
    Refusal(
      "explicit parameters of another curve in SEC 1", .unsupportedCurve,
      TestKey(curve: NID_secp384r1, explicitParameters: true).sec1),
    Refusal(
      "explicit parameters of another curve in PKCS #8", .unsupportedCurve,
      TestKey(curve: NID_secp384r1, explicitParameters: true).pkcs8),
    Refusal(
      "P-256 outside, secp256k1 inside", .unsupportedCurve,
      TestKey.pkcs8(
        algorithm: ecAlgorithm, key: TestKey.sec1(scalar: key.scalar, curve: [0x2B, 0x81, 0x04, 0x00, 0x0A]))),
    Refusal("SEC 1 without a curve", .malformedKey, TestKey.sec1(scalar: key.scalar, curve: nil)),
    Refusal("a byte after SEC 1", .malformedKey, PEM.block("EC PRIVATE KEY", key.sec1 + [0])),
    Refusal("a byte after PKCS #8", .malformedKey, PEM.block("PRIVATE KEY", key.pkcs8 + [0])),
    Refusal(
      "a byte after the inner key", .malformedKey,
      TestKey.pkcs8(algorithm: ecAlgorithm, key: TestKey.sec1(scalar: key.scalar) + [0])),
    Refusal("a scalar of n in hexadecimal", .scalarOutOfRange, text(hexadecimal(order))),
    Refusal("a scalar of 0 in hexadecimal", .scalarOutOfRange, text(String(repeating: "0", count: 64))),
    Refusal(
      "P-384 under the label of PKCS #8", .unsupportedCurve,
      PEM.block("PRIVATE KEY", TestKey(curve: NID_secp384r1).sec1)),
    Refusal(
      "another key of OpenSSL", .unsupportedBlock,
      PEM.block("DSA PRIVATE KEY", DER.sequence(DER.integer([0]), DER.integer([5])))),
    Refusal("Ed25519", .unsupportedKeyAlgorithm, TestKey.ed25519),
    Refusal("RSA of 1,024 bits", .rsaKeySize, rsa1024.pkcs8),
    Refusal("a byte after RSA", .malformedKey, PEM.block("RSA PRIVATE KEY", rsa2048.pkcs1 + [0])),
    Refusal("a damaged RSA key", .malformedKey, PEM.block("RSA PRIVATE KEY", [0x30, 0])),
  ]

  @Test func `a file of more than 64 MiB is rejected`() {
    let bytes = [UInt8](repeating: 0, count: KeyFile.sizeLimit + 1)
    #expect(KeyFileTests.load(bytes)?.code == .fileTooLarge)
  }

  @Test func `a wiped file is empty`() {
    var file = KeyFile("key", KeyFileTests.pem)
    file.wipe()
    #expect(file.bytes.isEmpty)
  }

  @Test func `every code has its advice`() {
    let advice = KeyError.Code.allCases.map(\.advice)
    #expect(Set(advice).count == KeyError.Code.allCases.count)
    #expect(advice.allSatisfy { $0.hasSuffix(".") })
  }
}
