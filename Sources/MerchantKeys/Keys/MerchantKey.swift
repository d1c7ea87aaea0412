public import PaymentToken

/// What is public about a loaded key.
public struct MerchantKey: Hashable, Sendable {
  /// SHA-256 of the SubjectPublicKeyInfo: the certificate's own octets, else the canonical ones of the key.
  public let publicKeyHash: Octets32
  /// The tokens the key opens.
  public let version: TokenVersion
  /// The certificate's merchant-ID hash, or SHA-256 of the merchant ID: party-V info of EC_v1's key derivation. Only an
  /// RSA key may be without.
  public let merchantIDHash: Octets32?
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

  /// The first and last second of the certificate's validity.
  public var validity: ClosedRange<UnixTime>? {
    guard let certificate, certificate.notBefore <= certificate.notAfter else { return nil }
    return certificate.notBefore...certificate.notAfter
  }
}
