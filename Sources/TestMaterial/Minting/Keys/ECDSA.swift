import COpenSSL

/// An ECDSA signature value (SEC 1, 4.1.3) as two magnitudes.
public struct ECDSAValue: Hashable, Sendable {
  /// Big-endian, as long as the order.
  public var r: [UInt8]
  /// Big-endian, as long as the order.
  public var s: [UInt8]

  package init(r: [UInt8], s: [UInt8]) {
    self.r = r
    self.s = s
  }

  /// SEQUENCE of two INTEGERs (RFC 3279, 2.2.3).
  public var node: ASN1Node { .sequence([.unsigned(r), .unsigned(s)]) }
}

extension KeyPair {
  /// Signs a digest with a nonce that follows from key and digest, in the spirit of RFC 6979: the same bytes at every run.
  public func sign(digest: [UInt8]) throws(MintingError) -> ECDSAValue {
    let group = try curve.group()
    let context = try BigNumberContext()
    let nonce = try KeyPair.reduce(
      Hashing.sha512(scalar + digest) + Hashing.sha512(digest + scalar).prefix(18), on: curve)
    let point = try CurvePoint(group)
    try check(
      EC_POINT_mul(group.pointer, point.pointer, nonce.pointer, nil, nil, context.pointer), "EC_POINT_mul")
    let r = try BigNumber()
    try check(
      EC_POINT_get_affine_coordinates(group.pointer, point.pointer, r.pointer, nil, context.pointer),
      "EC_POINT_get_affine_coordinates")
    try check(BN_nnmod(r.pointer, r.pointer, group.order, context.pointer), "BN_nnmod")

    // s = (z + r d) / k mod n
    let s = try BigNumber(scalar)
    let z = try BigNumber(Array(digest.prefix(curve.size)))
    try check(BN_mod_mul(s.pointer, s.pointer, r.pointer, group.order, context.pointer), "BN_mod_mul")
    try check(BN_mod_add(s.pointer, s.pointer, z.pointer, group.order, context.pointer), "BN_mod_add")
    guard BN_mod_inverse(nonce.pointer, nonce.pointer, group.order, context.pointer) != nil else {
      throw .library("BN_mod_inverse")
    }
    try check(BN_mod_mul(s.pointer, s.pointer, nonce.pointer, group.order, context.pointer), "BN_mod_mul")
    guard BN_is_zero(r.pointer) == 0, BN_is_zero(s.pointer) == 0 else { throw .library("ECDSA") }
    return ECDSAValue(r: try r.bytes(count: curve.size), s: try s.bytes(count: curve.size))
  }

  /// The order n, big-endian.
  package func order() throws(MintingError) -> [UInt8] {
    let group = try curve.group()
    var bytes = [UInt8](repeating: 0, count: curve.size)
    guard BN_bn2binpad(group.order, &bytes, Int32(bytes.count)) == Int32(bytes.count) else {
      throw .library("BN_bn2binpad")
    }
    return bytes
  }

  /// The other s of the same signature, n − s.
  package func negated(_ value: ECDSAValue) throws(MintingError) -> ECDSAValue {
    let group = try curve.group()
    let s = try BigNumber(value.s)
    try check(BN_sub(s.pointer, group.order, s.pointer), "BN_sub")
    return ECDSAValue(r: value.r, s: try s.bytes(count: curve.size))
  }
}
