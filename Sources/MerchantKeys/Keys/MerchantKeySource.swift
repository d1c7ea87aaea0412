import PaymentToken

/// One private key with what belongs to it, for ``MerchantKeySet``.
public struct MerchantKeySource: Sendable {
  /// The private key.
  public let secret: MerchantSecret
  /// The payment processing certificates of this very key; none, one, or several after a renewal.
  public var certificates: [Certificate]
  /// The merchant ID as registered with Apple, if given: never its hash, also when it looks like one.
  public var merchantID: String?
  /// The name of the key's file, for errors and reports.
  public let file: String?

  /// A P-256 key with what is known of it; one certificate is enough for most.
  public init(
    privateKey: PrivateKey, certificate: Certificate? = nil, merchantID: String? = nil, file: String? = nil
  ) {
    self.init(secret: .p256(privateKey), certificate: certificate, merchantID: merchantID, file: file)
  }

  /// A key of any kind with what is known of it.
  public init(
    secret: MerchantSecret, certificate: Certificate? = nil, merchantID: String? = nil, file: String? = nil
  ) {
    self.secret = secret
    certificates = certificate.map { [$0] } ?? []
    self.merchantID = merchantID
    self.file = file
  }
}

extension Certificate {
  /// The merchant-ID hash in extension 1.2.840.113635.100.6.32: a DER UTF8String of 64 hex digits of either case.
  ///
  /// - Returns: nil when the certificate has no such extension.
  /// - Throws: `KeyError.Code.malformedMerchantIDExtension`.
  public func merchantIDHash() throws(KeyError) -> Octets32? {
    guard let entry = firstExtension(ObjectIdentifiers.appleMerchantIDHash) else { return nil }
    guard let text = try? DERReader.single(entry.value[...]), text.tag == .utf8String,
      let hash = Octets32(hex: String(decoding: text.contents, as: UTF8.self))
    else { throw KeyError(.malformedMerchantIDExtension) }
    return hash
  }
}
