import PaymentToken

/// A merchant of RSA_v1 with payment processing keys and their certificates.
public struct RSATestMerchant: Sendable {
  /// One key that devices wrap AES keys under.
  public struct Key: Sendable {
    /// The private key.
    public let pair: RSAKeyPair
    /// The private key as PKCS #8 PEM.
    public let pkcs8PEM: String
    /// DER.
    public let certificate: [UInt8]
    /// SHA-256 of the SubjectPublicKeyInfo, 32 octets.
    public let publicKeyHash: [UInt8]

    /// The certificate as PEM.
    public var certificatePEM: String { PEM.certificate(certificate) }
  }

  /// The merchant identifier, `merchant.…`.
  public let identifier: String
  /// Of 2,048, 3,072 and 4,096 bits.
  public let keys: [Key]

  init(_ identifier: String, from generator: SeededGenerator, at time: UnixTime) throws(MintingError) {
    let authority = try MerchantAuthority(from: generator, at: time)
    var stream = generator.stream("merchant \(identifier)")
    var keys: [Key] = []
    for fixed in [FixedRSAKeys.merchant2048, FixedRSAKeys.merchant3072, FixedRSAKeys.merchant4096] {
      let pair = try fixed.pair
      keys.append(
        Key(
          pair: pair, pkcs8PEM: try fixed.pem,
          certificate: try authority.certify(pair.publicKeyInfo, of: identifier, from: &stream),
          publicKeyHash: Hashing.sha256(pair.publicKeyInfo.encoded)))
    }
    self.identifier = identifier
    self.keys = keys
  }
}
