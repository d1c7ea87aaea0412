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
    let scalar = try KeyPair.reduce(wideScalar, on: curve)
    let group = try curve.group()
    let context = try BigNumberContext()
    let product = try CurvePoint(group)
    try check(
      EC_POINT_mul(group.pointer, product.pointer, scalar.pointer, nil, nil, context.pointer), "EC_POINT_mul")
    var encoded = [UInt8](repeating: 0, count: 1 + 2 * curve.size)
    let written = EC_POINT_point2oct(
      group.pointer, product.pointer, POINT_CONVERSION_UNCOMPRESSED, &encoded, encoded.count, context.pointer)
    guard written == encoded.count else { throw .library("EC_POINT_point2oct") }
    self.curve = curve
    self.scalar = try scalar.bytes(count: curve.size)
    point = encoded
  }

  /// 1 + (`wide` mod n − 1).
  static func reduce(_ wide: [UInt8], on curve: Curve) throws(MintingError) -> BigNumber {
    let group = try curve.group()
    let context = try BigNumberContext()
    let number = try BigNumber(wide)
    let lessOne = try BigNumber()
    guard BN_copy(lessOne.pointer, group.order) != nil else { throw .library("BN_copy") }
    try check(BN_sub_word(lessOne.pointer, 1), "BN_sub_word")
    try check(BN_nnmod(number.pointer, number.pointer, lessOne.pointer, context.pointer), "BN_nnmod")
    try check(BN_add_word(number.pointer, 1), "BN_add_word")
    return number
  }

  /// SubjectPublicKeyInfo (RFC 5480): id-ecPublicKey, named curve, uncompressed point.
  public var publicKeyInfo: ASN1Node {
    .sequence([.sequence([OID.ecPublicKey, curve.oid]), .bitString(point)])
  }

  /// The x-coordinate of this scalar times a point, as long as a coordinate (SP 800-56A, 5.7.1.2).
  ///
  /// - Parameter other: `04 ‖ x ‖ y` on the same curve; anything else throws.
  public func sharedSecret(with other: [UInt8]) throws(MintingError) -> [UInt8] {
    let group = try curve.group()
    let context = try BigNumberContext()
    let point = try CurvePoint(group)
    let scalar = try BigNumber(scalar)
    guard EC_POINT_oct2point(group.pointer, point.pointer, other, other.count, context.pointer) == 1 else {
      throw .recipe("not a point of the curve")
    }
    try check(
      EC_POINT_mul(group.pointer, point.pointer, nil, point.pointer, scalar.pointer, context.pointer), "EC_POINT_mul")
    let x = try BigNumber()
    try check(
      EC_POINT_get_affine_coordinates(group.pointer, point.pointer, x.pointer, nil, context.pointer),
      "EC_POINT_get_affine_coordinates")
    return try x.bytes(count: curve.size)
  }
}
