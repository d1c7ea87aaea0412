/// What a certificate is for, as far as it says so itself: nobody's signature on it is looked at.
public enum CertificatePurpose: String, Hashable, Sendable, CaseIterable {
  /// A merchant's, whose key tokens are encrypted to (Apple Pay Payment Processing).
  case paymentProcessing
  /// A merchant's, for TLS to Apple's servers (Apple Pay Merchant Identity): opens no token.
  case merchantIdentity
  /// Apple's leaf that signs tokens.
  case tokenSigner
  /// Apple's authority above that leaf.
  case tokenIntermediate
  /// Another authority.
  case authority
  /// None of these.
  case other
}

extension Certificate {
  /// The certificate's purpose.
  ///
  /// Both kinds of merchants' certificates carry the merchant-ID hash. Seen in processing ones: keyEncipherment and
  /// keyAgreement, no extended usage. Identity ones are for TLS clients, and their common name says what they are.
  public var purpose: CertificatePurpose {
    if firstExtension(ObjectIdentifiers.appleLeafMarker) != nil { return .tokenSigner }
    if firstExtension(ObjectIdentifiers.appleIntermediateMarker) != nil { return .tokenIntermediate }
    if basicConstraints?.isAuthority ?? false { return .authority }
    if isMerchantIdentity { return .merchantIdentity }
    guard firstExtension(ObjectIdentifiers.appleMerchantIDHash) != nil else { return .other }
    guard let keyUsage, !keyUsage.keyEncipherment, !keyUsage.keyAgreement else { return .paymentProcessing }
    return .other
  }

  /// The merchant ID in the subject's userId, if its SHA-256 is the one in Apple's extension.
  public var merchantID: String? {
    guard let text = subjectText(ObjectIdentifiers.userID), let hash = try? merchantIDHash(),
      hash == Digest.sha256(merchantID: text)
    else { return nil }
    return text
  }

  /// The first text under this attribute of the subject (contents bytes, see ``ObjectIdentifiers``), if there.
  public func subjectText(_ attribute: [UInt8]) -> String? {
    DistinguishedName(subject).firstText(attribute)
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
  /// Bit 2.
  var keyEncipherment: Bool { contains(bit: 2) }

  /// Bit 4.
  var keyAgreement: Bool { contains(bit: 4) }
}
