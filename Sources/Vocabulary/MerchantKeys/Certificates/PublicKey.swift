/// The public key of a certificate, checked by rule 5.16.
@nonexhaustive
public enum PublicKey: Hashable, Sendable {
  /// A point on P-256: 04 ‖ x ‖ y, 65 bytes.
  case p256([UInt8])
  /// A point on P-384: 04 ‖ x ‖ y, 97 bytes.
  case p384([UInt8])
  /// An odd modulus of `bits` bits, 4,096 at most, big-endian without leading zeros; the exponent is 65537.
  case rsa(modulus: [UInt8], bits: Int)
  /// Another algorithm or curve, which verifies nothing.
  case other
}

extension PublicKey {
  /// Reads the contents of a SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
  init(subjectPublicKeyInfo: DERElement) throws(DERError) {
    let (algorithm, key) = try subjectPublicKeyInfo.readAll { (inside) throws(DERError) in
      (try inside.readAlgorithmIdentifier(), try inside.read(.bitString).wholeBitString())
    }
    switch algorithm.oid {
    case ObjectIdentifiers.ecPublicKey: self = try PublicKey.ellipticCurve(algorithm.parameters, Array(key))
    case ObjectIdentifiers.rsaEncryption: self = try PublicKey.rsa(algorithm.parameters, key)
    default: self = .other
    }
  }

  private static func ellipticCurve(_ parameters: DERElement?, _ point: [UInt8]) throws(DERError) -> PublicKey {
    guard let parameters, parameters.tag == .objectIdentifier else { throw .unexpectedValue }
    switch Array(parameters.contents) {
    case ObjectIdentifiers.prime256v1:
      guard EllipticCurve.p256.contains(point) else { throw .unexpectedValue }
      return .p256(point)
    case ObjectIdentifiers.secp384r1:
      guard EllipticCurve.p384.contains(point) else { throw .unexpectedValue }
      return .p384(point)
    default:
      return .other
    }
  }

  /// RSAPublicKey (RFC 8017 appendix A.1.1).
  private static func rsa(_ parameters: DERElement?, _ key: ArraySlice<UInt8>) throws(DERError) -> PublicKey {
    guard parameters?.tag == .null else { throw .unexpectedValue }
    let sequence = try DERReader.single(key)
    guard sequence.tag == .sequence else { throw .unexpectedValue }
    let (modulus, exponent) = try sequence.readAll { (inside) throws(DERError) in
      (try inside.read(.integer).contents, try inside.read(.integer).contents)
    }
    guard let first = modulus.first, first < 0x80, let last = modulus.last, last & 1 == 1,
      Array(exponent) == [0x01, 0x00, 0x01]
    else { throw .unexpectedValue }
    let magnitude = Array(first == 0 ? modulus.dropFirst() : modulus)
    let bits = magnitude.count * 8 - (magnitude.first?.leadingZeroBitCount ?? 0)
    guard bits <= 4_096 else { throw .unexpectedValue }
    return .rsa(modulus: magnitude, bits: bits)
  }
}
