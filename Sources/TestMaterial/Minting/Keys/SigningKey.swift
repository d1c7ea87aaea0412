/// A key that signs certificates.
package enum SigningKey: Hashable, Sendable {
  case ec(KeyPair)
  case rsa(RSAKeyPair)

  /// SubjectPublicKeyInfo.
  package var publicKeyInfo: ASN1Node {
    switch self {
    case .ec(let key): key.publicKeyInfo
    case .rsa(let key): key.publicKeyInfo
    }
  }

  /// The signature value of a message, as the BIT STRING of a certificate holds it.
  package func sign(_ message: [UInt8], _ digest: SignatureDigest) throws(MintingError) -> [UInt8] {
    switch self {
    case .ec(let key): try key.sign(digest: digest.hash(message)).node.encoded
    case .rsa(let key): try key.sign(message, digest)
    }
  }
}
