import COpenSSL

/// The public half of an RSA key; its exponent is 65537.
package struct RSAPublicKey: Hashable, Sendable {
  /// Big-endian, without leading zeros.
  package let modulus: [UInt8]

  private static let exponent: [UInt8] = [1, 0, 1]

  /// The key with this modulus.
  package init(modulus: [UInt8]) {
    self.modulus = modulus
  }

  /// SubjectPublicKeyInfo (RFC 3279, 2.3.1) with NULL parameters.
  package var publicKeyInfo: ASN1Node {
    let key = ASN1Node.sequence([.unsigned(modulus), .unsigned(Self.exponent)])
    return .sequence([.sequence([OID.rsaEncryption, .null]), .bitString(key.encoded)])
  }

  /// A number as long as the modulus to the power of the public exponent (RFC 8017, 5.1.1).
  package func encrypt(encoded: [UInt8]) throws(MintingError) -> [UInt8] {
    let (value, exponent, modulus) = (
      try BigNumber(encoded), try BigNumber(Self.exponent), try BigNumber(self.modulus)
    )
    return try BigNumber("BN_mod_exp") { BN_mod_exp($0, value.pointer, exponent.pointer, modulus.pointer, $1) }
      .bytes(count: self.modulus.count)
  }
}
