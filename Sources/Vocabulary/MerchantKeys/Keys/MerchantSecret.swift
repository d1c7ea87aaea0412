package import PaymentToken

/// The private half of a merchant key, for a ``MerchantKeySet``.
package enum MerchantSecret: Sendable {
  /// A P-256 key, for EC_v1.
  case p256(PrivateKey)
  /// An RSA key, for RSA_v1.
  case rsa(RSAPrivateKey)
  /// An external P-256 key, for EC_v1.
  case external(ExternalECKey)
  /// An external RSA key, for RSA_v1.
  case externalRSA(ExternalRSAKey)

  /// The version of the tokens that the key opens.
  package var version: TokenVersion {
    switch self {
    case .p256, .external: .ecV1
    case .rsa, .externalRSA: .rsaV1
    }
  }

  /// The public half, which pairs certificates with keys.
  package var publicKey: PublicKey {
    switch self {
    case .p256(let key): .p256(key.publicKey)
    case .rsa(let key): .rsa(modulus: key.modulus, bits: key.bits)
    case .external(let key): .p256(key.publicKey)
    case .externalRSA(let key): .rsa(modulus: key.modulus, bits: key.bits)
    }
  }

  /// The key, if it is a P-256 key and not external.
  var p256Key: PrivateKey? {
    guard case .p256(let key) = self else { return nil }
    return key
  }

  /// The key agreement, if the key is an external P-256 key.
  var agreement: (any KeyAgreement)? {
    guard case .external(let key) = self else { return nil }
    return key.agreement
  }

  /// The key transport, if the key is an external RSA key.
  var transport: (any KeyTransport)? {
    guard case .externalRSA(let key) = self else { return nil }
    return key.transport
  }

  /// The key, if it is an RSA key and not external.
  var rsaKey: RSAPrivateKey? {
    guard case .rsa(let key) = self else { return nil }
    return key
  }

  /// The canonical SubjectPublicKeyInfo (RFC 5480, RFC 3279 section 2.3.1).
  package var subjectPublicKeyInfo: [UInt8] {
    switch self {
    case .p256(let key): key.subjectPublicKeyInfo
    case .rsa(let key): key.subjectPublicKeyInfo
    case .external(let key): PrivateKey.subjectPublicKeyInfo(of: key.publicKey)
    case .externalRSA(let key): key.subjectPublicKeyInfo
    }
  }

  /// SHA-256 of the canonical SubjectPublicKeyInfo.
  package func publicKeyHash() -> Bytes32 { Digest.sha256(subjectPublicKeyInfo) }
}
