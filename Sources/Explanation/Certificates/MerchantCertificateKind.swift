public import MerchantKeys

/// Which of the two certificates of a merchant ID a certificate is, by what it says of itself.
public enum MerchantCertificateKind: Hashable, Sendable {
  /// Devices encrypt to its key.
  case paymentProcessing
  /// The client certificate for sessions with Apple's servers; it may carry the merchant-ID hash as well.
  case merchantIdentity
  /// Neither.
  case other

  /// Judges by Apple's extension for identity certificates, client authentication as extended key usage, and the names
  /// that Apple's portal gives; the identity's signs come first because it, too, may have the merchant-ID hash.
  public init(_ certificate: Certificate) {
    let commonName = DistinguishedName(certificate.subject).commonName ?? ""
    let usage = certificate.firstExtension(MerchantCertificateKind.extendedKeyUsage)
    if certificate.firstExtension(MerchantCertificateKind.identityMarker) != nil
      || usage.map(MerchantCertificateKind.allowsClientAuthentication) ?? false
      || commonName.hasPrefix("Apple Pay Merchant Identity:")
    {
      self = .merchantIdentity
    } else if certificate.firstExtension(ObjectIdentifiers.appleMerchantIDHash) != nil {
      self = .paymentProcessing
    } else {
      self = .other
    }
  }

  /// 1.2.840.113635.100.6.28
  private static let identityMarker: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x1C]
  /// extKeyUsage, 2.5.29.37 (RFC 5280 section 4.2.1.12)
  private static let extendedKeyUsage: [UInt8] = [0x55, 0x1D, 0x25]
  /// id-kp-clientAuth, 1.3.6.1.5.5.7.3.2
  private static let clientAuthentication: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02]

  private static func allowsClientAuthentication(_ usage: CertificateExtension) -> Bool {
    guard var purposes = try? DERReader.single(usage.value[...]).reader else { return false }
    while let purpose = try? purposes.read() {
      if Array(purpose.contents) == clientAuthentication { return true }
    }
    return false
  }
}
