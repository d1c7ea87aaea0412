import COpenSSL

/// Arithmetic modulo the order n of P-256, on big-endian numbers of 32 octets: for signatures made to measure.
package struct ScalarField {
  private let group: CurveGroup
  private let context: BigNumberContext

  package init() throws(MintingError) {
    group = try Curve.p256.group()
    context = try BigNumberContext()
  }

  /// The number modulo n.
  package func reduced(_ number: [UInt8]) throws(MintingError) -> [UInt8] {
    let result = try BigNumber(number)
    try check(BN_nnmod(result.pointer, result.pointer, group.order, context.pointer), "BN_nnmod")
    return try result.bytes(count: 32)
  }

  package func product(_ left: [UInt8], _ right: [UInt8]) throws(MintingError) -> [UInt8] {
    let result = try BigNumber(left)
    let other = try BigNumber(right)
    try check(BN_mod_mul(result.pointer, result.pointer, other.pointer, group.order, context.pointer), "BN_mod_mul")
    return try result.bytes(count: 32)
  }

  package func sum(_ left: [UInt8], _ right: [UInt8]) throws(MintingError) -> [UInt8] {
    let result = try BigNumber(left)
    let other = try BigNumber(right)
    try check(BN_mod_add(result.pointer, result.pointer, other.pointer, group.order, context.pointer), "BN_mod_add")
    return try result.bytes(count: 32)
  }

  package func negated(_ number: [UInt8]) throws(MintingError) -> [UInt8] {
    let result = try BigNumber()
    let other = try BigNumber(number)
    try check(BN_mod_sub(result.pointer, result.pointer, other.pointer, group.order, context.pointer), "BN_mod_sub")
    return try result.bytes(count: 32)
  }

  package func inverse(_ number: [UInt8]) throws(MintingError) -> [UInt8] {
    let result = try BigNumber(number)
    guard BN_mod_inverse(result.pointer, result.pointer, group.order, context.pointer) != nil else {
      throw .library("BN_mod_inverse")
    }
    return try result.bytes(count: 32)
  }

  /// The key pair of a scalar in 1…n−1.
  package func keyPair(_ scalar: [UInt8]) throws(MintingError) -> KeyPair {
    let lessOne = try BigNumber(scalar)
    try check(BN_sub_word(lessOne.pointer, 1), "BN_sub_word")
    return try KeyPair(.p256, wideScalar: lessOne.bytes(count: 32))
  }

  /// The x-coordinate of a scalar times the generator, modulo n: what a nonce makes of r.
  package func commitment(_ nonce: [UInt8]) throws(MintingError) -> [UInt8] {
    try reduced(Array(keyPair(nonce).point[1...32]))
  }

  /// The public key under which (r, s) verifies for a digest with the point of that x-coordinate, the y even:
  /// Q = (s R − e G) / r, 04 ‖ x ‖ y (SEC 1, 4.1.6). Nil where the curve has no such point.
  package func recoveredKey(
    digest: [UInt8], r: [UInt8], s: [UInt8], pointX: [UInt8]
  ) throws(MintingError) -> [UInt8]? {
    let point = try CurvePoint(group)
    let x = try BigNumber(pointX)
    guard
      EC_POINT_set_compressed_coordinates(group.pointer, point.pointer, x.pointer, 0, context.pointer) == 1
    else {
      ERR_clear_error()
      return nil
    }
    let inverse = try inverse(r)
    let ofGenerator = try BigNumber(negated(product(digest, inverse)))
    let ofPoint = try BigNumber(product(s, inverse))
    let key = try CurvePoint(group)
    try check(
      EC_POINT_mul(
        group.pointer, key.pointer, ofGenerator.pointer, point.pointer, ofPoint.pointer, context.pointer),
      "EC_POINT_mul")
    var encoded = [UInt8](repeating: 0, count: 65)
    let written = EC_POINT_point2oct(
      group.pointer, key.pointer, POINT_CONVERSION_UNCOMPRESSED, &encoded, encoded.count, context.pointer)
    guard written == encoded.count else { throw .library("EC_POINT_point2oct") }
    return encoded
  }
}
