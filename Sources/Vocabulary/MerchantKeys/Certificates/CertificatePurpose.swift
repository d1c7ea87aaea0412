/// The purpose of a certificate by its own content. Its signature is not verified.
@nonexhaustive
public enum CertificatePurpose: String, Hashable, Sendable, CaseIterable {
  /// A merchant's payment processing certificate: tokens are encrypted to its key.
  case paymentProcessing
  /// A merchant identity certificate, for TLS to Apple's servers. Its key decrypts no tokens.
  case merchantIdentity
  /// Apple's leaf, which signs tokens.
  case tokenSigner
  /// Apple's intermediate, which issues that leaf.
  case tokenIntermediate
  /// Another certificate authority.
  case authority
  /// A TLS server's certificate.
  case tlsServer
  /// A certificate that signs apps, such as Apple's development and distribution certificates.
  case codeSigning
  /// None of these.
  case other
}

extension Certificate {
  /// The certificate's purpose.
  ///
  /// Both kinds of merchant certificates have the merchant-ID hash. Payment processing certificates have
  /// keyEncipherment or keyAgreement and no extended key usage. Merchant identity certificates have Apple's marker, a
  /// common name that says so, or the extended key usage of TLS clients.
  public var purpose: CertificatePurpose {
    if firstExtension(ObjectIdentifiers.appleLeafMarker) != nil { return .tokenSigner }
    if firstExtension(ObjectIdentifiers.appleIntermediateMarker) != nil { return .tokenIntermediate }
    if basicConstraints?.isAuthority ?? false, !isSelfSignedForUse { return .authority }
    if isMerchantIdentity { return .merchantIdentity }
    guard firstExtension(ObjectIdentifiers.appleMerchantIDHash) != nil else {
      if extendedKeyUsages.contains(ObjectIdentifiers.codeSigning) { return .codeSigning }
      return extendedKeyUsages.contains(ObjectIdentifiers.serverAuthentication) ? .tlsServer : .other
    }
    guard let keyUsage, !keyUsage.keyEncipherment, !keyUsage.keyAgreement else { return .paymentProcessing }
    return .other
  }

  /// The merchant ID in the subject's userId, if Apple's extension has its SHA-256.
  public var merchantID: String? {
    guard let text = subjectText(ObjectIdentifiers.userID), let hash = try? merchantIDHash(),
      hash == Digest.sha256(merchantID: text)
    else { return nil }
    return text
  }

  /// The text of the subject's first attribute with this OID (contents bytes, see `ObjectIdentifiers`), if present.
  package func subjectText(_ attribute: [UInt8]) -> String? {
    DistinguishedName(subject).firstText(attribute)
  }

  /// Whether it is self-issued, but not an authority's. Some tools mark every self-signed certificate as an authority.
  private var isSelfSignedForUse: Bool {
    subject == issuer
      && (isMerchantIdentity || !extendedKeyUsages.isEmpty
        || firstExtension(ObjectIdentifiers.appleMerchantIDHash) != nil)
  }

  private var isMerchantIdentity: Bool {
    if firstExtension(ObjectIdentifiers.appleMerchantIdentityMarker) != nil { return true }
    if subjectText(ObjectIdentifiers.commonName)?.hasPrefix("Apple Pay Merchant Identity:") ?? false { return true }
    guard firstExtension(ObjectIdentifiers.appleMerchantIDHash) != nil else { return false }
    return extendedKeyUsages.contains(ObjectIdentifiers.clientAuthentication)
  }

  private var extendedKeyUsages: [[UInt8]] {
    guard let value = firstExtension(ObjectIdentifiers.extendedKeyUsage)?.value,
      let list = try? DERReader.single(value[...]), list.tag == .sequence
    else { return [] }
    var usages: [[UInt8]] = []
    var inside = list.reader
    while !inside.isAtEnd, let usage = try? inside.read(.objectIdentifier) { usages.append(Array(usage.contents)) }
    return usages
  }
}

extension KeyUsage {
  var keyEncipherment: Bool { contains(bit: 2) }

  var keyAgreement: Bool { contains(bit: 4) }
}
