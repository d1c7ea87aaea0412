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
    let authority = try MerchantAuthority(from: generator, at: time)
    var keys: [Key] = []
    for index in 0..<count {
      var stream = generator.stream("merchant \(identifier)", UInt64(index))
      let pair = try KeyPair(.p256, from: &stream)
      keys.append(
        Key(
          pair: pair, certificate: try authority.certify(pair.publicKeyInfo, of: identifier, from: &stream),
          publicKeyHash: Hashing.sha256(pair.publicKeyInfo.encoded)))
    }
    self.identifier = identifier
    self.keys = keys
  }
}
