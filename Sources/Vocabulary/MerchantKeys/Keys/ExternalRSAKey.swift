public import PaymentToken

/// An RSA key whose private half is external: in an HSM, a KMS or a PKCS #11 device.
public struct ExternalRSAKey: Sendable {
  /// The modulus, big-endian without leading zeros, 256 to 512 bytes. The public exponent is 65537.
  public let modulus: [UInt8]
  /// The size of the modulus in bits.
  public let bits: Int
  /// The canonical SubjectPublicKeyInfo (RFC 3279 section 2.3.1).
  public let subjectPublicKeyInfo: [UInt8]
  /// Unwraps the keys: one call per token, in stage 11.
  public let transport: any KeyTransport

  /// A key with this modulus and the exponent 65537.
  ///
  /// - Throws: ``KeyError`` with `rsaKeySize`, or `malformedKey` for a modulus that is even.
  public init(modulus: [UInt8], transport: any KeyTransport) throws(KeyError) {
    let magnitude = Array(modulus.drop { $0 == 0 })
    let bits = magnitude.count * 8 - (magnitude.first?.leadingZeroBitCount ?? 0)
    guard RSAPrivateKey.allowedBits.contains(bits) else { throw KeyError(.rsaKeySize) }
    guard let last = magnitude.last, last & 1 == 1 else { throw KeyError(.malformedKey) }
    self.modulus = magnitude
    self.bits = bits
    self.transport = transport
    subjectPublicKeyInfo = Self.subjectPublicKeyInfo(of: magnitude)
  }

  /// A key with the public key of a payment processing certificate.
  ///
  /// - Throws: ``KeyError`` with `unsupportedKeyAlgorithm` unless it is an RSA key, or `rsaKeySize`.
  public init(of certificate: Certificate, transport: any KeyTransport) throws(KeyError) {
    guard case .rsa(let modulus, _) = certificate.publicKey else { throw KeyError(.unsupportedKeyAlgorithm) }
    try self.init(modulus: modulus, transport: transport)
  }

  private static func subjectPublicKeyInfo(of modulus: [UInt8]) -> [UInt8] {
    let sign: [UInt8] = modulus[0] >= 0x80 ? [0] : []
    let key = value(0x30, value(0x02, sign + modulus) + [0x02, 0x03, 0x01, 0x00, 0x01])
    let algorithm = value(0x30, value(0x06, ObjectIdentifiers.rsaEncryption) + [0x05, 0x00])
    return value(0x30, algorithm + value(0x03, [0] + key))
  }

  /// A DER value of fewer than 65,536 bytes.
  private static func value(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    let (high, low) = (UInt8(contents.count >> 8), UInt8(contents.count & 0xFF))
    let length = contents.count < 0x80 ? [low] : contents.count < 0x100 ? [0x81, low] : [0x82, high, low]
    return [tag] + length + contents
  }
}
