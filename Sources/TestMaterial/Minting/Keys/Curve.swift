import COpenSSL

/// The curves of minted keys.
package enum Curve: Hashable, Sendable, CaseIterable {
  case p256, p384
  /// Curves that parse in a certificate and are refused in its chain.
  case p521, secp256k1

  /// The bytes of a coordinate, and of a scalar.
  package var size: Int {
    switch self {
    case .p256, .secp256k1: 32
    case .p384: 48
    case .p521: 66
    }
  }

  var oid: ASN1Node {
    switch self {
    case .p256: OID.p256
    case .p384: OID.p384
    case .p521: OID.p521
    case .secp256k1: OID.secp256k1
    }
  }

  private static let p256Group = CurveGroup(NID_X9_62_prime256v1)
  private static let p384Group = CurveGroup(NID_secp384r1)
  private static let p521Group = CurveGroup(NID_secp521r1)
  private static let secp256k1Group = CurveGroup(NID_secp256k1)

  func group() throws(MintingError) -> CurveGroup {
    let group =
      switch self {
      case .p256: Curve.p256Group
      case .p384: Curve.p384Group
      case .p521: Curve.p521Group
      case .secp256k1: Curve.secp256k1Group
      }
    guard let group else { throw .library("EC_GROUP_new_by_curve_name") }
    return group
  }
}

/// An EC_GROUP, made once for each curve, immutable and therefore shared.
final class CurveGroup: @unchecked Sendable {
  let pointer: OpaquePointer
  /// Owned by the group.
  let order: OpaquePointer

  init?(_ nid: Int32) {
    guard let group = EC_GROUP_new_by_curve_name(nid) else { return nil }
    guard let order = EC_GROUP_get0_order(group) else {
      EC_GROUP_free(group)
      return nil
    }
    pointer = group
    self.order = order
  }

  deinit { EC_GROUP_free(pointer) }
}

/// An EC_POINT that frees itself.
final class CurvePoint {
  let group: CurveGroup
  let pointer: OpaquePointer
  private let size: Int

  init(_ curve: Curve) throws(MintingError) {
    group = try curve.group()
    guard let point = EC_POINT_new(group.pointer) else { throw .library("EC_POINT_new") }
    pointer = point
    size = 1 + 2 * curve.size
  }

  /// The sum of a multiple of the generator and a multiple of a point, either of which may be left out.
  convenience init(
    _ curve: Curve, generatorTimes scalar: BigNumber? = nil, _ point: CurvePoint? = nil, times factor: BigNumber? = nil
  ) throws(MintingError) {
    try self.init(curve)
    try check(
      EC_POINT_mul(group.pointer, pointer, scalar?.pointer, point?.pointer, factor?.pointer, nil), "EC_POINT_mul")
  }

  deinit { EC_POINT_clear_free(pointer) }

  /// `04 ‖ x ‖ y`; throws for the point at infinity.
  func encoded() throws(MintingError) -> [UInt8] {
    var encoded = [UInt8](repeating: 0, count: size)
    let written = EC_POINT_point2oct(
      group.pointer, pointer, POINT_CONVERSION_UNCOMPRESSED, &encoded, encoded.count, nil)
    guard written == encoded.count else { throw .library("EC_POINT_point2oct") }
    return encoded
  }
}
