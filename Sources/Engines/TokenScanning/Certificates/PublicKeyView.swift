/// The key of a SubjectPublicKeyInfo (RFC 5480, RFC 3279; Docs/Verification.md 5.16).
public enum PublicKeyView: Sendable {
  /// 04 ‖ x ‖ y, 65 bytes. Not checked to be a point on P-256.
  case p256(Range<Int>)
  /// 04 ‖ x ‖ y, 97 bytes. Not checked to be a point on P-384.
  case p384(Range<Int>)
  /// The modulus: positive, odd, at most 4,096 bits, without a leading zero byte; the exponent is 65537.
  case rsa(modulus: Range<Int>)
  /// Another curve or algorithm.
  case other

  init(_ info: consuming DERScanner) throws(MalformedDER) {
    let algorithm = try info.algorithmIdentifier()
    let key = try info.bytesOfBitString()
    try info.expectEnd()
    if info.holds(CertificateBytes.idECPublicKey, in: algorithm.type) {
      guard let curve = algorithm.parameters, curve.tag == DERTag.objectIdentifier else { throw MalformedDER() }
      self = try Self.ellipticCurveKey(key, curve: curve.content, in: info)
    } else if info.holds(CertificateBytes.rsaEncryption, in: algorithm.type) {
      guard let parameters = algorithm.parameters, parameters.tag == DERTag.null else { throw MalformedDER() }
      self = try Self.rsaKey(DERScanner(info.input, key))
    } else {
      self = .other
    }
  }

  private static func ellipticCurveKey(
    _ key: Range<Int>, curve: Range<Int>, in scanner: borrowing DERScanner
  ) throws(MalformedDER) -> PublicKeyView {
    let isP256 = scanner.holds(CertificateBytes.prime256v1, in: curve)
    guard isP256 || scanner.holds(CertificateBytes.secp384r1, in: curve) else { return .other }
    guard key.count == (isP256 ? 65 : 97), scanner.input[key.lowerBound] == 0x04 else { throw MalformedDER() }
    return isP256 ? .p256(key) : .p384(key)
  }

  private static func rsaKey(_ outer: consuming DERScanner) throws(MalformedDER) -> PublicKeyView {
    let sequence = try outer.element(DERTag.sequence)
    try outer.expectEnd()
    var integers = outer.inside(sequence)
    let modulus = try integers.positiveInteger()
    let exponent = try integers.positiveInteger()
    try integers.expectEnd()
    guard modulus.count <= 512, integers.input[modulus.upperBound - 1] & 1 == 1,
      integers.holds([0x01, 0x00, 0x01], in: exponent)
    else { throw MalformedDER() }
    return .rsa(modulus: modulus)
  }
}
