public import PaymentToken

/// A private key with its certificates and merchant ID, for ``MerchantKeySet``.
package struct MerchantKeySource: Sendable {
  /// The private key.
  package let secret: MerchantSecret
  /// The payment processing certificates of this key: none, one, or several after a renewal.
  package var certificates: [Certificate]
  /// The merchant ID as registered with Apple, if given. It is always hashed, even if it looks like a hash.
  package var merchantID: String?
  /// The name of the key's file, for errors and reports.
  package let file: String?

  /// A P-256 key.
  package init(
    privateKey: PrivateKey, certificate: Certificate? = nil, merchantID: String? = nil, file: String? = nil
  ) {
    self.init(secret: .p256(privateKey), certificate: certificate, merchantID: merchantID, file: file)
  }

  /// A key of any kind.
  package init(
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
      let hash = Bytes32(hex: String(streamSafe: text.contents))
    else { throw KeyError(.malformedMerchantIDExtension) }
    return hash
  }
}

/// The public properties of a loaded key.
public struct MerchantKey: Hashable, Sendable {
  /// SHA-256 of the canonical SubjectPublicKeyInfo, which is also the certificate's.
  public let publicKeyHash: Bytes32
  /// The version of the tokens that the key opens.
  public let version: TokenVersion
  /// The certificate's merchant-ID hash, or SHA-256 of the merchant ID, 32 bytes: PartyVInfo of EC_v1's key derivation.
  /// Nil only for RSA keys.
  public let merchantIDHash: Bytes32?
  /// The merchant ID, if one was given.
  public let merchantID: String?
  /// Whether the private key is external.
  public let isExternal: Bool
  /// P-256 for EC_v1, RSA for RSA_v1.
  public let publicKey: PublicKey
  /// The payment processing certificate, if given. Its validity is only for reports: it does not affect tokens.
  public let certificate: Certificate?
  /// The file the private key came from, if known.
  public let file: String?

  /// Whether the key needs a merchant ID to decrypt (rule 11.2).
  public var needsMerchantID: Bool { version.derivesFromMerchantID }

  /// The validity of the certificate, both ends included; nil without one, or if it ends before it begins.
  public var validity: ClosedRange<UnixTime>? {
    guard let certificate, certificate.notBefore <= certificate.notAfter else { return nil }
    return certificate.notBefore...certificate.notAfter
  }
}

extension TokenVersion {
  /// Whether AES keys are derived from the merchant-ID hash (rule 11.2).
  var derivesFromMerchantID: Bool {
    switch self {
    case .ecV1: true
    case .rsaV1: false
    }
  }
}

/// A P-256 key whose private half is external: in an HSM, a KMS or a PKCS #11 device.
public struct ExternalECKey: Sendable {
  /// The public key, 04 ‖ x ‖ y, 65 bytes.
  public let publicKey: [UInt8]
  /// Computes the shared secrets: one call per token, in stage 11.
  public let agreement: any KeyAgreement

  /// A key with this public key, 04 ‖ x ‖ y.
  ///
  /// - Throws: `KeyError.Code.unsupportedCurve` unless it is a point on P-256.
  public init(publicKey: [UInt8], agreement: any KeyAgreement) throws(KeyError) {
    guard EllipticCurve.p256.contains(publicKey) else { throw KeyError(.unsupportedCurve) }
    self.publicKey = publicKey
    self.agreement = agreement
  }

  /// A key with the public key of a payment processing certificate.
  ///
  /// - Throws: `KeyError.Code.unsupportedCurve` unless it is on P-256.
  public init(of certificate: Certificate, agreement: any KeyAgreement) throws(KeyError) {
    guard case .p256(let point) = certificate.publicKey else { throw KeyError(.unsupportedCurve) }
    publicKey = point
    self.agreement = agreement
  }
}
