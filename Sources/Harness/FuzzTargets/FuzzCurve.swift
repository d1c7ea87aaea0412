import COpenSSL

/// P-256 by libcrypto, which the kernel is held against. Numbers are 32 octets, big-endian; points x ‖ y.
///
/// Whatever libcrypto has no memory for ends the process: a fuzzer that goes on would compare nothing.
final class FuzzCurve {
  private let group: OpaquePointer
  private let order: OpaquePointer
  private let scratch: OpaquePointer

  /// Nil without memory.
  init?() {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
    guard let scratch = BN_CTX_new(), let order = EC_GROUP_get0_order(group) else {
      EC_GROUP_free(group)
      return nil
    }
    (self.group, self.order, self.scratch) = (group, order, scratch)
  }

  deinit {
    BN_CTX_free(scratch)
    EC_GROUP_free(group)
  }

  private static func must(_ isDone: Bool) {
    if !isDone { FuzzTargets.fail("crash", "libcrypto", "") }
  }

  private static func must(_ pointer: OpaquePointer?) -> OpaquePointer {
    guard let pointer else { FuzzTargets.fail("crash", "libcrypto", "no memory") }
    return pointer
  }

  private func number(_ octets: [UInt8]) -> OpaquePointer {
    Self.must(BN_bin2bn(octets, Int32(octets.count), nil))
  }

  private func octets(_ number: OpaquePointer) -> [UInt8] {
    var octets = [UInt8](repeating: 0, count: 32)
    Self.must(BN_bn2binpad(number, &octets, 32) == 32)
    return octets
  }

  /// A number modulo n, 1 where that is 0.
  func scalar(_ value: [UInt8]) -> [UInt8] {
    let number = number(value)
    defer { BN_free(number) }
    Self.must(BN_nnmod(number, number, order, scratch) == 1)
    if BN_is_zero(number) == 1 { Self.must(BN_set_word(number, 1) == 1) }
    return octets(number)
  }

  /// n less a number within 1..<n.
  func negated(_ value: [UInt8]) -> [UInt8] {
    let number = number(value)
    defer { BN_free(number) }
    Self.must(BN_sub(number, order, number) == 1)
    return octets(number)
  }

  /// scalar · point, of the generator where there is none; nil for a point that is none.
  func multiply(_ scalar: [UInt8], _ point: [UInt8]? = nil) -> [UInt8]? {
    let factor = number(scalar)
    let result = Self.must(EC_POINT_new(group))
    defer {
      BN_free(factor)
      EC_POINT_free(result)
    }
    if let point {
      guard EC_POINT_oct2point(group, result, [0x04] + point, 65, scratch) == 1 else {
        ERR_clear_error()
        return nil
      }
      Self.must(EC_POINT_mul(group, result, nil, result, factor, scratch) == 1)
    } else {
      Self.must(EC_POINT_mul(group, result, factor, nil, nil, scratch) == 1)
    }
    var octets = [UInt8](repeating: 0, count: 65)
    Self.must(EC_POINT_point2oct(group, result, POINT_CONVERSION_UNCOMPRESSED, &octets, 65, scratch) == 65)
    return Array(octets.dropFirst())
  }

  /// A signature with this nonce (SEC 1 4.1.3); nil where r or s would be 0.
  func sign(_ digest: [UInt8], nonce: [UInt8], by key: [UInt8]) -> (r: [UInt8], s: [UInt8])? {
    guard let x = multiply(nonce)?.prefix(32) else { return nil }
    let (k, r, d, s) = (number(nonce), number(Array(x)), number(key), number(digest))
    defer { for value in [k, r, d, s] { BN_free(value) } }
    Self.must(BN_nnmod(r, r, order, scratch) == 1)
    Self.must(BN_mod_mul(d, d, r, order, scratch) == 1)
    Self.must(BN_mod_add(s, s, d, order, scratch) == 1)
    let inverse = Self.must(BN_mod_inverse(nil, k, order, scratch))
    defer { BN_free(inverse) }
    Self.must(BN_mod_mul(s, s, inverse, order, scratch) == 1)
    guard BN_is_zero(r) == 0, BN_is_zero(s) == 0 else { return nil }
    return (octets(r), octets(s))
  }

  /// Whether r and s, of any value, sign a digest by a public point.
  func verifies(_ digest: [UInt8], r: [UInt8], s: [UInt8], by point: [UInt8]) -> Bool {
    let key = Self.must(EC_KEY_new_by_curve_name(NID_X9_62_prime256v1))
    let signature = Self.must(ECDSA_SIG_new())
    defer {
      ECDSA_SIG_free(signature)
      EC_KEY_free(key)
      ERR_clear_error()
    }
    Self.must(EC_KEY_oct2key(key, [0x04] + point, 65, scratch) == 1)
    Self.must(ECDSA_SIG_set0(signature, number(r), number(s)) == 1)
    return ECDSA_do_verify(digest, 32, signature, key) == 1
  }
}
