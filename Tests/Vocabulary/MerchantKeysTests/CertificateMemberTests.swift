import MerchantKeys
import PaymentToken
import Testing

@Suite struct CertificateMemberTests {
  @Test(
    arguments: [
      (ObjectIdentifiers.ecdsaWithSHA256, [], SignatureAlgorithm.ecdsaWithSHA256),
      (ObjectIdentifiers.ecdsaWithSHA256, DER.null, .other),
      (ObjectIdentifiers.ecdsaWithSHA384, [], .ecdsaWithSHA384),
      (ObjectIdentifiers.sha256WithRSA, [], .sha256WithRSA),
      (ObjectIdentifiers.sha256WithRSA, DER.null, .sha256WithRSA),
      (ObjectIdentifiers.sha384WithRSA, DER.null, .sha384WithRSA),
      (ObjectIdentifiers.sha384WithRSA, [0x30, 0x00], .other),
      ([0x2A], [], .other),
    ] as [([UInt8], [UInt8], SignatureAlgorithm)])
  func `signature algorithms are known with their parameters only`(
    oid: [UInt8], parameters: [UInt8], expected: SignatureAlgorithm
  ) throws {
    var recipe = CertificateRecipe()
    recipe.innerAlgorithm = DER.algorithm(oid, parameters)
    #expect(try Certificate(der: recipe.der).signatureAlgorithm == expected)
  }

  @Test(arguments: [
    ("500101000000Z", "1950-01-01T00:00:00Z"), ("991231235959Z", "1999-12-31T23:59:59Z"),
    ("490101000000Z", "2049-01-01T00:00:00Z"), ("000229000000Z", "2000-02-29T00:00:00Z"),
  ])
  func `two-digit years are widened at 50`(text: String, expected: String) throws {
    var recipe = CertificateRecipe()
    recipe.validity = DER.sequence(DER.utcTime(text), DER.generalizedTime("99991231235959Z"))
    let certificate = try Certificate(der: recipe.der)
    #expect(certificate.notBefore.rfc3339 == expected)
    #expect(certificate.notAfter.rfc3339 == "9999-12-31T23:59:59Z")
  }

  @Test func `constraints, usage and identifier are read`() throws {
    var recipe = CertificateRecipe()
    recipe.extensions = [
      DER.extensionEntry(
        ObjectIdentifiers.basicConstraints, critical: DER.yes, DER.sequence(DER.yes, DER.integer([0x00, 0x80]))),
      DER.extensionEntry(ObjectIdentifiers.keyUsage, DER.bits([0x84, 0x80], unused: 7)),
      DER.extensionEntry(ObjectIdentifiers.subjectKeyIdentifier, DER.bytes([9, 8])),
    ]
    let certificate = try Certificate(der: recipe.der)
    #expect(certificate.basicConstraints == BasicConstraints(isAuthority: true, pathLength: 128))
    #expect(certificate.subjectKeyIdentifier == [9, 8])
    #expect(certificate.extensions.map(\.critical) == [true, false, false])
    let usage = try #require(certificate.keyUsage)
    #expect((0...10).filter { usage.contains(bit: $0) } == [0, 5, 8])
    #expect(usage.digitalSignature && usage.keyCertSign && !usage.contains(bit: -1))
  }

  @Test func `a modulus is counted in bits`() throws {
    var recipe = CertificateRecipe()
    recipe.publicKey = DER.rsaPublicKey(modulus: CertificateRuleTests.modulus(bits: 2_048))
    guard case .rsa(let modulus, 2_048) = try Certificate(der: recipe.der).publicKey else {
      Issue.record("not an RSA key of 2,048 bits")
      return
    }
    #expect(modulus.count == 256 && modulus[0] == 0x80)
  }

  @Test func `members are the bytes of the certificate`() throws {
    let recipe = CertificateRecipe()
    let certificate = try Certificate(der: recipe.der)
    #expect(certificate.issuer == recipe.issuer && certificate.subject == recipe.subject)
    #expect(certificate.subjectPublicKeyInfo == recipe.publicKey)
    #expect(certificate.subjectPublicKeyInfo.count == 91)
    let signed = certificate.tbsCertificate
    #expect([3, 4].contains { recipe.der[$0...].starts(with: signed) })
    #expect(certificate.publicKeyHash() != certificate.fingerprint())
  }
}
