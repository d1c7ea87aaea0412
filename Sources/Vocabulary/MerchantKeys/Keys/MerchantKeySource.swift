public import PaymentToken

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
  public func merchantIDHash() throws(KeyError) -> Bytes32? {
    guard let entry = firstExtension(ObjectIdentifiers.appleMerchantIDHash) else { return nil }
    guard let text = try? DERReader.single(entry.value[...]), text.tag == .utf8String,
      let hash = Bytes32(hex: String(decoding: text.contents, as: UTF8.self))
    else { throw KeyError(.malformedMerchantIDExtension) }
    return hash
  }
}

/// What is public about a loaded key.
public struct MerchantKey: Hashable, Sendable {
  /// SHA-256 of the SubjectPublicKeyInfo: the certificate's own bytes, else the canonical ones of the key.
  public let publicKeyHash: Bytes32
  /// The tokens the key opens.
  public let version: TokenVersion
  /// The certificate's merchant-ID hash, or SHA-256 of the merchant ID: party-V info of EC_v1's key derivation. Only an
  /// RSA key may be without.
  public let merchantIDHash: Bytes32?
  /// The merchant ID, if one was given.
  public let merchantID: String?
  /// Whether the private key is kept elsewhere and only asked for shared secrets.
  public let isExternal: Bool
  /// P-256 for EC_v1, RSA for RSA_v1.
  public let publicKey: PublicKey
  /// The payment processing certificate, if one was given. Its validity is for reports; no token depends on it.
  public let certificate: Certificate?
  /// The file the private key came from, if known.
  public let file: String?

  /// Whether the derivation of AES keys takes the merchant ID's hash (11.2): without it the key opens nothing.
  public var needsMerchantID: Bool { version.derivesFromMerchantID }

  /// The first and last second of the certificate's validity.
  public var validity: ClosedRange<UnixTime>? {
    guard let certificate, certificate.notBefore <= certificate.notAfter else { return nil }
    return certificate.notBefore...certificate.notAfter
  }
}

extension TokenVersion {
  /// Whether the derivation of its AES keys takes the merchant ID's hash (11.2).
  var derivesFromMerchantID: Bool {
    switch self {
    case .ecV1: true
    case .rsaV1: false
    }
  }
}

/// A P-256 key whose private half is kept elsewhere: its point, and who is asked for shared secrets.
public struct ExternalKey: Sendable {
  /// 04 ‖ x ‖ y, 65 bytes.
  public let publicKey: [UInt8]
  /// Asked once a token, in stage 11.
  public let agreement: any KeyAgreement

  /// A key by its point, 04 ‖ x ‖ y.
  ///
  /// - Throws: `KeyError.Code.unsupportedCurve` unless it is a point of P-256.
  public init(publicKey: [UInt8], agreement: any KeyAgreement) throws(KeyError) {
    guard EllipticCurve.p256.contains(publicKey) else { throw KeyError(.unsupportedCurve) }
    self.publicKey = publicKey
    self.agreement = agreement
  }

  /// The key that a payment processing certificate is for.
  ///
  /// - Throws: `KeyError.Code.unsupportedCurve` unless that is one of P-256.
  public init(of certificate: Certificate, agreement: any KeyAgreement) throws(KeyError) {
    guard case .p256(let point) = certificate.publicKey else { throw KeyError(.unsupportedCurve) }
    publicKey = point
    self.agreement = agreement
  }
}
