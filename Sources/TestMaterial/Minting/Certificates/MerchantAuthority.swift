import PaymentToken

/// The issuer of payment processing certificates, modelled on Apple Worldwide Developer Relations CA - G2.
package struct MerchantAuthority {
  private let key: KeyPair
  private let time: UnixTime

  /// - Parameters:
  ///   - generator: where the key comes from.
  ///   - time: certificates are valid from half a year before to a year and a half after it.
  init(from generator: SeededGenerator, at time: UnixTime) throws(MintingError) {
    var stream = generator.stream("merchant authority")
    key = try KeyPair(.p256, from: &stream)
    self.time = time
  }

  /// A certificate, PEM, for a merchant of whom only the identifier and a public key are known.
  ///
  /// - Parameters:
  ///   - point: the public key of P-256, `04 ‖ x ‖ y`.
  ///   - time: the certificate is valid from half a year before to a year and a half after it.
  package static func standIn(
    for point: [UInt8], of identifier: String, at time: UnixTime
  ) throws(MintingError) -> String {
    let generator = SeededGenerator(seed: 0)
    var stream = generator.stream("stand-in")
    let authority = try MerchantAuthority(from: generator, at: time)
    return PEM.certificate(try authority.certify(KeyPair.publicKeyInfo(.p256, point), of: identifier, from: &stream))
  }

  /// A merchant's certificate, DER.
  ///
  /// - Parameters:
  ///   - publicKeyInfo: of P-256 or RSA.
  ///   - stream: where the serial number comes from.
  func certify(
    _ publicKeyInfo: ASN1Node, of identifier: String, from stream: inout SeededGenerator
  ) throws(MintingError) -> [UInt8] {
    let year = TestPKI.year
    let recipe = CertificateRecipe(
      serial: TestPKI.serial(&stream), algorithm: Algorithms.ecdsaSHA256, digest: .sha256,
      issuer: Names.name("assay Test Developer Relations CA"), notBefore: .time(time.advanced(by: -year / 2)),
      notAfter: .time(time.advanced(by: year + year / 2)), subject: Names.merchant(identifier),
      publicKeyInfo: publicKeyInfo,
      extensions: [
        Extensions.basicConstraints(authority: false),
        Extensions.authorityKeyIdentifier(Extensions.keyIdentifier(of: key.publicKeyInfo)),
        Extensions.informationAccess("relations"), Extensions.policies, Extensions.distributionPoints("relations"),
        Extensions.subjectKeyIdentifier(Extensions.keyIdentifier(of: publicKeyInfo)),
        Extensions.keyUsage(0x28), Extensions.merchantIdentifierHash(identifier),
      ])
    return try recipe.issue(by: .ec(key))
  }
}
