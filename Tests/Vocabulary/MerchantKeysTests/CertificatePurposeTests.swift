import MerchantKeys
import PaymentToken
import TestSupport
import Testing

@Suite struct CertificatePurposeTests {
  static let hash = DER.extensionEntry(
    ObjectIdentifiers.appleMerchantIDHash, DER.value(0x0C, Array(TestKey.sha256("merchant.a").hex.utf8)))
  static let clientUsage = DER.extensionEntry(
    ObjectIdentifiers.extendedKeyUsage, DER.sequence(DER.oid(ObjectIdentifiers.clientAuthentication)))
  static let serverUsage = DER.extensionEntry(
    ObjectIdentifiers.extendedKeyUsage, DER.sequence(DER.oid([0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01])))

  static let codeUsage = DER.extensionEntry(
    ObjectIdentifiers.extendedKeyUsage, DER.sequence(DER.oid([0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x03])))

  static func keyUsage(_ byte: UInt8) -> [UInt8] {
    DER.extensionEntry(
      ObjectIdentifiers.keyUsage, DER.bits([byte], unused: UInt8(byte.trailingZeroBitCount)))
  }

  static func marker(_ oid: [UInt8]) -> [UInt8] { DER.extensionEntry(oid, DER.null) }

  static func purpose(_ extensions: [[UInt8]], subject: String = "subject") throws -> CertificatePurpose {
    var recipe = CertificateRecipe()
    recipe.extensions = extensions
    recipe.subject = DER.name(subject)
    return try Certificate(der: recipe.der).purpose
  }

  @Test func `certificates have a purpose`() throws {
    let authority = DER.extensionEntry(ObjectIdentifiers.basicConstraints, DER.sequence(DER.yes))
    #expect(try Self.purpose([Self.hash]) == .paymentProcessing)
    #expect(try Self.purpose([Self.hash, Self.keyUsage(0x28)]) == .paymentProcessing)
    #expect(try Self.purpose([Self.hash, Self.keyUsage(0x28), Self.serverUsage]) == .paymentProcessing)
    #expect(try Self.purpose([Self.hash, Self.keyUsage(0x80)]) == .other)
    #expect(try Self.purpose([Self.hash, Self.keyUsage(0x80), Self.clientUsage]) == .merchantIdentity)
    #expect(try Self.purpose([Self.marker(ObjectIdentifiers.appleMerchantIdentityMarker)]) == .merchantIdentity)
    #expect(try Self.purpose([Self.hash], subject: "Apple Pay Merchant Identity:merchant.a") == .merchantIdentity)
    #expect(try Self.purpose([Self.clientUsage]) == .other)
    #expect(try Self.purpose([Self.serverUsage]) == .tlsServer)
    #expect(try Self.purpose([Self.serverUsage, authority]) == .authority)
    #expect(try Self.purpose([Self.codeUsage, Self.keyUsage(0x80)]) == .codeSigning)
    #expect(try Self.purpose([Self.codeUsage, Self.hash]) == .paymentProcessing)
    #expect(try Self.purpose([Self.marker(ObjectIdentifiers.appleLeafMarker)]) == .tokenSigner)
    #expect(
      try Self.purpose([Self.marker(ObjectIdentifiers.appleIntermediateMarker), authority]) == .tokenIntermediate)
    #expect(try Self.purpose([authority]) == .authority)
    #expect(try Self.purpose([Self.keyUsage(0x28)]) == .other)
  }

  @Test func `the merchant ID of the subject counts only if its hash matches`() throws {
    for (name, expected) in [("merchant.a", "merchant.a"), ("merchant.b", nil)] as [(String, String?)] {
      var recipe = CertificateRecipe()
      recipe.extensions = [Self.hash]
      recipe.subject = DER.sequence(
        DER.value(0x31, DER.sequence(DER.oid(ObjectIdentifiers.commonName), DER.value(0x0C, Array("x".utf8)))),
        DER.value(0x31, DER.sequence(DER.oid(ObjectIdentifiers.userID), DER.value(0x0C, Array(name.utf8)))))
      let certificate = try Certificate(der: recipe.der)
      #expect(certificate.merchantID == expected)
      #expect(certificate.subjectText(ObjectIdentifiers.commonName) == "x")
    }
  }

  @Test(.enabled(if: RealTokens.available)) func `real merchants' certificates are for payment processing`() throws {
    var seen = 0
    for token in RealTokens.all {
      guard let pem = token.certificatePEM else { continue }
      for case .certificate(let certificate) in try KeyFileInspection(KeyFile("certificate", pem)).items {
        #expect(certificate.purpose == .paymentProcessing)
        #expect(certificate.merchantID?.hasPrefix("merchant.") ?? false)
        seen += 1
      }
    }
    #expect(seen >= 3)
  }
}
