import COpenSSL

/// A test key on a curve. Made from a printed seed and therefore worthless: it is never wiped.
public struct KeyPair: Hashable, Sendable {
  /// The curve it is on.
  public let curve: Curve
  /// Big-endian, as long as a coordinate.
  public let scalar: [UInt8]
  /// `04 ‖ x ‖ y`.
  public let point: [UInt8]

  /// A key whose scalar is drawn from the stream.
  public init(_ curve: Curve, from generator: inout SeededGenerator) throws(MintingError) {
    try self.init(curve, wideScalar: generator.bytes(curve.size + 16))
  }

  /// The key of 1 + (`wideScalar` mod n − 1): 16 octets more than a scalar leave no bias worth naming.
  package init(_ curve: Curve, wideScalar: [UInt8]) throws(MintingError) {
    let group = try curve.group()
    let wide = try BigNumber(wideScalar)
    let lessOne = try BigNumber()
    guard BN_copy(lessOne.pointer, group.order) != nil else { throw .library("BN_copy") }
    try check(BN_sub_word(lessOne.pointer, 1), "BN_sub_word")
    let scalar = try BigNumber("BN_nnmod") { BN_nnmod($0, wide.pointer, lessOne.pointer, $1) }
    try check(BN_add_word(scalar.pointer, 1), "BN_add_word")
    self.curve = curve
    self.scalar = try scalar.bytes(count: curve.size)
    point = try CurvePoint(curve, generatorTimes: scalar).encoded()
  }

  /// SubjectPublicKeyInfo (RFC 5480): id-ecPublicKey, named curve, uncompressed point.
  public var publicKeyInfo: ASN1Node {
    .sequence([.sequence([OID.ecPublicKey, curve.oid]), .bitString(point)])
  }

  /// The x-coordinate of this scalar times a point, as long as a coordinate (SP 800-56A, 5.7.1.2).
  ///
  /// - Parameter other: `04 ‖ x ‖ y` on the same curve; anything else throws.
  public func sharedSecret(with other: [UInt8]) throws(MintingError) -> [UInt8] {
    let point = try CurvePoint(curve)
    guard EC_POINT_oct2point(point.group.pointer, point.pointer, other, other.count, nil) == 1 else {
      throw .recipe("not a point of the curve")
    }
    let product = try CurvePoint(curve, point, times: BigNumber(scalar)).encoded()
    return Array(product[1...curve.size])
  }
}
