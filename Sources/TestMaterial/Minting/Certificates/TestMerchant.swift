import PaymentToken

/// A merchant of EC_v1.
public typealias TestMerchant = MintedMerchant<KeyPair>

/// A merchant of RSA_v1.
public typealias RSATestMerchant = MintedMerchant<RSAKeyPair>

/// A merchant with payment processing keys of one kind and their certificates.
public struct MintedMerchant<Pair: Sendable>: Sendable {
  /// One key that devices encrypt to, or wrap AES keys under.
  public struct Key: Sendable {
    /// The private key.
    package let pair: Pair
    /// The private key as PKCS #8 PEM.
    public let pkcs8PEM: String
    /// DER.
    public let certificate: [UInt8]
    /// SHA-256 of the SubjectPublicKeyInfo, 32 bytes.
    public let publicKeyHash: [UInt8]

    /// The certificate as PEM.
    public var certificatePEM: String { PEM.certificate(certificate) }
  }

  /// The merchant identifier, `merchant.…`.
  public let identifier: String
  /// The keys. Several at once are normal: a new certificate overlaps with the old one. The keys of an RSA_v1 merchant
  /// have 2,048, 3,072 and 4,096 bits.
  public let keys: [Key]

  /// SHA-256 of the identifier: the party-V info of the key derivation.
  public var identifierHash: [UInt8] { Hashing.sha256(Array(identifier.utf8)) }
}

extension MintedMerchant<KeyPair> {
  init(
    _ identifier: String, keys count: Int, from generator: SeededGenerator, at time: UnixTime
  ) throws(MintingError) {
    let authority = try MerchantAuthority(from: generator, at: time)
    var keys: [Key] = []
    for index in 0..<count {
      var stream = generator.stream("merchant \(identifier)", UInt64(index))
      let pair = try KeyPair(.p256, from: &stream)
      keys.append(
        Key(pair, certificate: try authority.certify(pair.publicKeyInfo, of: identifier, from: &stream)))
    }
    self.init(identifier: identifier, keys: keys)
  }
}

extension MintedMerchant<KeyPair>.Key {
  init(_ pair: KeyPair, certificate: [UInt8]) {
    self.init(
      pair: pair, pkcs8PEM: PEM.pkcs8(pair), certificate: certificate,
      publicKeyHash: Hashing.sha256(pair.publicKeyInfo.encoded))
  }

  /// The private key as SEC 1 PEM.
  public var sec1PEM: String { PEM.sec1(pair) }
}

extension MintedMerchant<RSAKeyPair> {
  init(_ identifier: String, from generator: SeededGenerator, at time: UnixTime) throws(MintingError) {
    let authority = try MerchantAuthority(from: generator, at: time)
    var stream = generator.stream("merchant \(identifier)")
    var keys: [Key] = []
    for fixed in [FixedRSAKeys.merchant2048, FixedRSAKeys.merchant3072, FixedRSAKeys.merchant4096] {
      let pair = try fixed.pair
      keys.append(
        Key(
          pair: pair, pkcs8PEM: try PEM.pkcs8(pair),
          certificate: try authority.certify(pair.publicKeyInfo, of: identifier, from: &stream),
          publicKeyHash: Hashing.sha256(pair.publicKeyInfo.encoded)))
    }
    self.init(identifier: identifier, keys: keys)
  }
}
