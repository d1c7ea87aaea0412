import COpenSSL

/// The curves of minted keys.
package enum Curve: Hashable, Sendable, CaseIterable {
  case p256, p384
  /// Curves that parse in a certificate and are refused in its chain.
  case p521, secp256k1

  /// The bytes of a coordinate, and of a scalar.
  package var size: Int { facts.size }
  var oid: ASN1Node { facts.oid }

  private var facts: (size: Int, oid: ASN1Node, nid: Int32) {
    switch self {
    case .p256: (32, OID.p256, NID_X9_62_prime256v1)
    case .p384: (48, OID.p384, NID_secp384r1)
    case .p521: (66, OID.p521, NID_secp521r1)
    case .secp256k1: (32, OID.secp256k1, NID_secp256k1)
    }
  }

  private static let groups = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { curve in CurveGroup(curve.facts.nid).map { (curve, $0) } })

  func group() throws(MintingError) -> CurveGroup {
    guard let group = Curve.groups[self] else { throw .library("EC_GROUP_new_by_curve_name") }
    return group
  }
}

/// An EC_GROUP, made once for each curve, immutable and therefore shared.
final class CurveGroup: @unchecked Sendable {
  let pointer: OpaquePointer
  /// Owned by the group.
  var order: OpaquePointer? { EC_GROUP_get0_order(pointer) }

  init?(_ nid: Int32) {
    guard let group = EC_GROUP_new_by_curve_name(nid) else { return nil }
    pointer = group
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
