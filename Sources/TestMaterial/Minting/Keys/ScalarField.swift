import COpenSSL

/// Arithmetic modulo the order n of a curve, P-256 unless another is named, on big-endian numbers as long as a coordinate.
package struct ScalarField {
  private let curve: Curve
  private let group: CurveGroup

  package init(_ curve: Curve = .p256) throws(MintingError) {
    self.curve = curve
    group = try curve.group()
  }

  /// What a call of this name makes of numbers: given the result, they, n and a context, it returns 1.
  private func result(
    _ call: StaticString, _ left: [UInt8], _ right: [UInt8] = [],
    _ compute: (OpaquePointer, OpaquePointer, OpaquePointer, OpaquePointer) -> Int32
  ) throws(MintingError) -> [UInt8] {
    let (left, right) = (try BigNumber(left), try BigNumber(right))
    return try BigNumber(call) { compute($0, left.pointer, right.pointer, $1) }.bytes(count: curve.size)
  }

  /// The number modulo n.
  package func reduced(_ number: [UInt8]) throws(MintingError) -> [UInt8] {
    try result("BN_nnmod", number) { BN_nnmod($0, $1, group.order, $3) }
  }

  package func product(_ left: [UInt8], _ right: [UInt8]) throws(MintingError) -> [UInt8] {
    try result("BN_mod_mul", left, right) { BN_mod_mul($0, $1, $2, group.order, $3) }
  }

  package func sum(_ left: [UInt8], _ right: [UInt8]) throws(MintingError) -> [UInt8] {
    try result("BN_mod_add", left, right) { BN_mod_add($0, $1, $2, group.order, $3) }
  }

  package func negated(_ number: [UInt8]) throws(MintingError) -> [UInt8] {
    try result("BN_mod_sub", [], number) { BN_mod_sub($0, $1, $2, group.order, $3) }
  }

  package func inverse(_ number: [UInt8]) throws(MintingError) -> [UInt8] {
    try result("BN_mod_inverse", number) { BN_mod_inverse($0, $1, group.order, $3) == nil ? 0 : 1 }
  }

  /// The key pair of a scalar in 1…n−1.
  package func keyPair(_ scalar: [UInt8]) throws(MintingError) -> KeyPair {
    let lessOne = try BigNumber(scalar)
    try check(BN_sub_word(lessOne.pointer, 1), "BN_sub_word")
    return try KeyPair(curve, wideScalar: lessOne.bytes(count: curve.size))
  }

  /// The x-coordinate of a scalar times the generator, modulo n: what a nonce makes of r.
  package func commitment(_ nonce: [UInt8]) throws(MintingError) -> [UInt8] { try commitment(of: keyPair(nonce)) }

  /// The same of a nonce that is a key pair.
  func commitment(of nonce: KeyPair) throws(MintingError) -> [UInt8] {
    try reduced(Array(nonce.point[1...curve.size]))
  }

  /// The public key under which (r, s) verifies for a digest with the point of that x-coordinate, the y even:
  /// Q = (s R − e G) / r, 04 ‖ x ‖ y (SEC 1, 4.1.6). Nil where the curve has no such point.
  package func recoveredKey(
    digest: [UInt8], r: [UInt8], s: [UInt8], pointX: [UInt8]
  ) throws(MintingError) -> [UInt8]? {
    let point = try CurvePoint(curve)
    let x = try BigNumber(pointX)
    guard EC_POINT_set_compressed_coordinates(group.pointer, point.pointer, x.pointer, 0, nil) == 1 else {
      ERR_clear_error()
      return nil
    }
    let inverse = try inverse(r)
    let ofGenerator = try BigNumber(negated(product(digest, inverse)))
    let ofPoint = try BigNumber(product(s, inverse))
    return try CurvePoint(curve, generatorTimes: ofGenerator, point, times: ofPoint).encoded()
  }
}
