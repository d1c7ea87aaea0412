import COpenSSL

/// Arithmetic modulo the order n of a curve, P-256 unless another is named, on big-endian numbers as long as a
/// coordinate.
package struct ScalarField {
  private let curve: Curve
  private let group: CurveGroup

  package init(_ curve: Curve = .p256) throws(MintingError) {
    self.curve = curve
    group = try curve.group()
  }

  /// The number that `compute` writes to its first argument. Then come `left`, `right` and a context. 1 is success.
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

  /// 1 + (`wide` mod n − 1), which is a private key.
  func reducedToKey(_ wide: [UInt8]) throws(MintingError) -> [UInt8] {
    let number = try BigNumber(wide)
    let lessOne = try BigNumber()
    guard BN_copy(lessOne.pointer, group.order) != nil else { throw .library("BN_copy") }
    try check(BN_sub_word(lessOne.pointer, 1), "BN_sub_word")
    let scalar = try BigNumber("BN_nnmod") { BN_nnmod($0, number.pointer, lessOne.pointer, $1) }
    try check(BN_add_word(scalar.pointer, 1), "BN_add_word")
    return try scalar.bytes(count: curve.size)
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

  /// A scalar times a point 04 ‖ x ‖ y, or times the generator if `point` is nil. Throws `recipe` for a point that is
  /// not on the curve.
  package func multiple(_ scalar: [UInt8], of point: [UInt8]? = nil) throws(MintingError) -> [UInt8] {
    let factor = try BigNumber(scalar)
    guard let point else { return try CurvePoint(curve, generatorTimes: factor).encoded() }
    let base = try CurvePoint(curve)
    guard EC_POINT_oct2point(group.pointer, base.pointer, point, point.count, nil) == 1 else {
      ERR_clear_error()
      throw .recipe("not a point of the curve")
    }
    return try CurvePoint(curve, base, times: factor).encoded()
  }

  /// The smallest i from 0 to `most` for which (`scalar` + i) times a point, or times the generator if `point` is nil,
  /// has an x-coordinate that begins with a zero byte; nil if there is none.
  func stepsToLeadingZero(from scalar: [UInt8], of point: [UInt8]?, most: Int) throws(MintingError) -> Int? {
    let (sum, step) = (try CurvePoint(curve), try CurvePoint(curve))
    let one = [UInt8](repeating: 0, count: curve.size - 1) + [1]
    for (target, bytes) in [(sum, try multiple(scalar, of: point)), (step, try multiple(one, of: point))] {
      try check(EC_POINT_oct2point(group.pointer, target.pointer, bytes, bytes.count, nil), "EC_POINT_oct2point")
    }
    let (context, x) = (try BigNumberContext(), try BigNumber())
    for count in 0...most {
      try check(
        EC_POINT_get_affine_coordinates(group.pointer, sum.pointer, x.pointer, nil, context.pointer),
        "EC_POINT_get_affine_coordinates")
      if BN_num_bits(x.pointer) <= 8 * (curve.size - 1) { return count }
      try check(
        EC_POINT_add(group.pointer, sum.pointer, sum.pointer, step.pointer, context.pointer), "EC_POINT_add")
    }
    return nil
  }

  /// The x-coordinate of a nonce times the generator, modulo n: the r of a signature with this nonce.
  package func commitment(_ nonce: [UInt8]) throws(MintingError) -> [UInt8] {
    try reduced(Array(multiple(nonce)[1...curve.size]))
  }

  /// The signature of a digest with this nonce by a key (SEC 1, 4.1.3); nil where r or s would be 0.
  package func sign(_ digest: [UInt8], nonce: [UInt8], by key: [UInt8]) throws(MintingError) -> ECDSAValue? {
    let r = try commitment(nonce)
    // s = (z + r d) / k mod n
    let s = try product(sum(product(key, r), Array(digest.prefix(curve.size))), inverse(nonce))
    return [r, s].allSatisfy { $0.contains { $0 != 0 } } ? ECDSAValue(r: r, s: s) : nil
  }

  /// The public key 04 ‖ x ‖ y under which (r, s) verifies for the digest e: Q = (s R − e G) / r (SEC 1, 4.1.6). R is
  /// the point with the x-coordinate `pointX` and an even y. Nil if the curve has no such point.
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
