/// A test key on a curve. Made from a printed seed and therefore worthless: it is never wiped.
public struct KeyPair: Hashable, Sendable {
  /// The curve it is on.
  package let curve: Curve
  /// Big-endian, as long as a coordinate.
  package let scalar: [UInt8]
  /// `04 ‖ x ‖ y`.
  package let point: [UInt8]

  /// A key whose scalar is drawn from the stream.
  package init(_ curve: Curve, from generator: inout SeededGenerator) throws(MintingError) {
    try self.init(curve, wideScalar: generator.bytes(curve.size + 16))
  }

  /// The key of 1 + (`wideScalar` mod n − 1). If `wideScalar` is 16 bytes longer than a scalar, the bias is negligible.
  package init(_ curve: Curve, wideScalar: [UInt8]) throws(MintingError) {
    let field = try ScalarField(curve)
    self.curve = curve
    scalar = try field.reducedToKey(wideScalar)
    point = try field.multiple(scalar)
  }

  /// SubjectPublicKeyInfo (RFC 5480): id-ecPublicKey, named curve, uncompressed point.
  package var publicKeyInfo: ASN1Node { Self.publicKeyInfo(curve, point) }

  /// SubjectPublicKeyInfo (RFC 5480) of a point.
  static func publicKeyInfo(_ curve: Curve, _ point: [UInt8]) -> ASN1Node {
    .sequence([.sequence([OID.ecPublicKey, curve.oid]), .bitString(point)])
  }

  /// The first key pair whose public point has an x-coordinate that begins with a zero byte. The search begins with
  /// this key and adds 1 to the scalar in each step. Nil after 2,048 steps; one key in 256 is expected to match.
  ///
  /// - Parameter point: if given, the shared secret with this point must begin with a zero byte instead.
  package func nextWithLeadingZero(inSecretWith point: [UInt8]? = nil) throws(MintingError) -> KeyPair? {
    let field = try ScalarField(curve)
    guard let steps = try field.stepsToLeadingZero(from: scalar, of: point, most: 2_048) else { return nil }
    return try field.keyPair(field.sum(scalar, [UInt8(steps >> 8), UInt8(steps & 0xFF)]))
  }

  /// The x-coordinate of this scalar times a point, as long as a coordinate (SP 800-56A, 5.7.1.2).
  ///
  /// - Parameter other: `04 ‖ x ‖ y` on the same curve; anything else throws.
  package func sharedSecret(with other: [UInt8]) throws(MintingError) -> [UInt8] {
    Array(try ScalarField(curve).multiple(scalar, of: other)[1...curve.size])
  }
}
