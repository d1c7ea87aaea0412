import MerchantKeys

/// Textual encodings (RFC 7468) of what was minted.
public enum PEM {
  /// `CERTIFICATE`.
  public static func certificate(_ der: [UInt8]) -> String { text("CERTIFICATE", der) }

  /// `EC PRIVATE KEY` (RFC 5915), named curve and public key included.
  package static func sec1(_ key: KeyPair) -> String { text("EC PRIVATE KEY", sec1Node(key, named: true).encoded) }

  /// `PRIVATE KEY` (RFC 5958), unencrypted.
  package static func pkcs8(_ key: KeyPair) -> String {
    text("PRIVATE KEY", pkcs8DER(key))
  }

  /// `PRIVATE KEY` of a key of two primes.
  package static func pkcs8(_ key: RSAKeyPair) throws(MintingError) -> String {
    let privateKey = try key.privateKeyNode().encoded
    return text(
      "PRIVATE KEY", ASN1Node.sequence([.integer(0), Algorithms.rsa, .octetString(privateKey)]).encoded)
  }

  /// The DER of `pkcs8`.
  package static func pkcs8DER(_ key: KeyPair) -> [UInt8] {
    ASN1Node.sequence([
      .integer(0), .sequence([OID.ecPublicKey, key.curve.oid]),
      .octetString(sec1Node(key, named: false).encoded),
    ]).encoded
  }

  private static func sec1Node(_ key: KeyPair, named: Bool) -> ASN1Node {
    .sequence(
      [.integer(1), .octetString(key.scalar)] + (named ? [.context(0, [key.curve.oid])] : [])
        + [.context(1, [.bitString(key.point)])])
  }

  private static func text(_ label: String, _ der: [UInt8]) -> String {
    String(decoding: PEMText.encode(der, label: label), as: UTF8.self)
  }
}
