import PaymentToken

/// A merchant with payment processing keys and their certificates.
public struct TestMerchant: Sendable {
  /// One key that devices encrypt to.
  public struct Key: Sendable {
    /// The private key.
    public let pair: KeyPair
    /// DER.
    public let certificate: [UInt8]
    /// SHA-256 of the SubjectPublicKeyInfo, 32 octets.
    public let publicKeyHash: [UInt8]

    /// The private key as SEC 1 PEM.
    public var sec1PEM: String { PEM.sec1(pair) }
    /// The private key as PKCS #8 PEM.
    public var pkcs8PEM: String { PEM.pkcs8(pair) }
    /// The certificate as PEM.
    public var certificatePEM: String { PEM.certificate(certificate) }
  }

  /// The merchant identifier, `merchant.…`.
  public let identifier: String
  /// Several at once are normal: a new certificate overlaps with the old one.
  public let keys: [Key]

  /// SHA-256 of the identifier: the party-V info of the key derivation.
  public var identifierHash: [UInt8] { Hashing.sha256(Array(identifier.utf8)) }

  init(
    _ identifier: String, keys count: Int, from generator: SeededGenerator, at time: UnixTime
  ) throws(MintingError) {
    let year: Int64 = 31_556_952
    var authorityStream = generator.stream("merchant authority")
    let authority = try KeyPair(.p256, from: &authorityStream)
    var keys: [Key] = []
    for index in 0..<count {
      var stream = generator.stream("merchant \(identifier)", UInt64(index))
      let pair = try KeyPair(.p256, from: &stream)
      let recipe = CertificateRecipe(
        serial: TestPKI.serial(&stream), algorithm: Algorithms.ecdsaSHA256, digest: .sha256,
        issuer: Names.name("assay Test Developer Relations CA"), notBefore: .time(time.advanced(by: -year / 2)),
        notAfter: .time(time.advanced(by: year + year / 2)), subject: Names.merchant(identifier),
        publicKeyInfo: pair.publicKeyInfo,
        extensions: [
          Extensions.basicConstraints(authority: false),
          Extensions.authorityKeyIdentifier(Extensions.keyIdentifier(of: authority.publicKeyInfo)),
          Extensions.informationAccess("relations"), Extensions.policies, Extensions.distributionPoints("relations"),
          Extensions.subjectKeyIdentifier(Extensions.keyIdentifier(of: pair.publicKeyInfo)),
          Extensions.keyUsage(0x28), Extensions.merchantIdentifierHash(identifier),
        ])
      keys.append(
        Key(
          pair: pair, certificate: try recipe.issue(by: .ec(authority)),
          publicKeyHash: Hashing.sha256(pair.publicKeyInfo.encoded)))
    }
    self.identifier = identifier
    self.keys = keys
  }
}

extension TestMerchant.Key {
  /// A key without a certificate, of a scalar that a test chose.
  package init(_ pair: KeyPair) {
    self.init(pair: pair, certificate: [], publicKeyHash: Hashing.sha256(pair.publicKeyInfo.encoded))
  }
}
