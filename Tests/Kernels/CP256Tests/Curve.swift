import COpenSSL
import Foundation
import Minting
import TestSupport

/// The amount of random testing, and its seed.
enum Hunt {
  static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 20_261_256
  static let count = Ring.count(100_000, deep: 1_000_000)

  /// At least `count` operations. Half of the calls have 1 to 9 operations, the others 1 to 64.
  static func calls<Operation>(
    _ count: Int, _ generator: inout SeededGenerator, _ make: (inout SeededGenerator) -> Operation
  ) -> [[Operation]] {
    var calls: [[Operation]] = []
    var made = 0
    while made < count {
      let size = Int.random(in: 1...(Bool.random(using: &generator) ? 9 : 64), using: &generator)
      calls.append((0..<size).map { _ in make(&generator) })
      made += size
    }
    return calls
  }
}

/// P-256 by libcrypto, for comparison with the kernels. Numbers are 32 bytes, big-endian.
final class Curve {
  let group: OpaquePointer
  let order: OpaquePointer
  private let context: OpaquePointer

  init() {
    group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)!
    order = EC_GROUP_get0_order(group)!
    context = BN_CTX_new()!
  }

  deinit {
    BN_CTX_free(context)
    EC_GROUP_free(group)
  }

  /// A number modulo n, or 1 instead of 0.
  func scalar(_ bytes: [UInt8]) -> [UInt8] {
    let number = BN_bin2bn(bytes, Int32(bytes.count), nil)!
    defer { BN_free(number) }
    BN_nnmod(number, number, order, context)
    if BN_is_zero(number) == 1 { BN_set_word(number, 1) }
    return self.bytes(number)
  }

  /// A small number modulo n: n - |small| if it is negative.
  func scalar(_ small: Int) -> [UInt8] {
    let number = BN_new()!
    defer { BN_free(number) }
    BN_set_word(number, UInt(small.magnitude))
    if small < 0 { BN_sub(number, order, number) }
    return bytes(number)
  }

  /// 2^exponent modulo n.
  func power(_ exponent: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    bytes[31 - exponent / 8] = 1 << (exponent % 8)
    return scalar(bytes)
  }

  /// a + b modulo n.
  func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { combined(a, b, BN_mod_add) }
  /// a · b modulo n.
  func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] { combined(a, b, BN_mod_mul) }
  /// 1 / a modulo n.
  func inverse(_ a: [UInt8]) -> [UInt8] {
    let number = BN_bin2bn(a, 32, nil)!
    defer { BN_free(number) }
    let inverse = BN_mod_inverse(nil, number, order, context)!
    defer { BN_free(inverse) }
    return bytes(inverse)
  }

  private typealias Operation = (
    OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?, OpaquePointer?
  ) -> Int32

  private func combined(_ a: [UInt8], _ b: [UInt8], _ operation: Operation) -> [UInt8] {
    let (first, second) = (BN_bin2bn(a, 32, nil)!, BN_bin2bn(b, 32, nil)!)
    defer {
      BN_free(first)
      BN_free(second)
    }
    _ = operation(first, first, second, order, context)
    return bytes(first)
  }

  func bytes(_ number: OpaquePointer) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    BN_bn2binpad(number, &bytes, 32)
    return bytes
  }

  /// x ‖ y of scalar · point, by default of the generator; nil for infinity, or a point that is not on the curve.
  func multiply(_ scalar: [UInt8], _ point: [UInt8]? = nil) -> [UInt8]? {
    let number = BN_bin2bn(scalar, 32, nil)!
    let result = EC_POINT_new(group)!
    let factor = EC_POINT_new(group)!
    defer {
      BN_free(number)
      EC_POINT_free(result)
      EC_POINT_free(factor)
    }
    if let point {
      guard EC_POINT_oct2point(group, factor, [0x04] + point, 65, context) == 1 else {
        ERR_clear_error()
        return nil
      }
      EC_POINT_mul(group, result, nil, factor, number, context)
    } else {
      EC_POINT_mul(group, result, number, nil, nil, context)
    }
    var bytes = [UInt8](repeating: 0, count: 65)
    let count = EC_POINT_point2oct(group, result, POINT_CONVERSION_UNCOMPRESSED, &bytes, 65, context)
    guard count == 65 else { return nil }
    return Array(bytes.dropFirst())
  }

  /// Whether r and s, which may have any value, are a signature of the digest by a public point.
  func verifies(_ digest: [UInt8], r: [UInt8], s: [UInt8], by point: [UInt8]) -> Bool {
    let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1)!
    defer { EC_KEY_free(key) }
    guard EC_KEY_oct2key(key, [0x04] + point, 65, context) == 1 else { return false }
    let signature = ECDSA_SIG_new()!
    defer { ECDSA_SIG_free(signature) }
    ECDSA_SIG_set0(signature, BN_bin2bn(r, 32, nil), BN_bin2bn(s, 32, nil))
    defer { ERR_clear_error() }
    return ECDSA_do_verify(digest, 32, signature, key) == 1
  }
}

/// A signer with a known private key, so that signatures of any form can be made.
struct Signer {
  let curve: Curve
  let scalar: [UInt8]
  let point: [UInt8]

  init(_ curve: Curve, scalar: [UInt8]) {
    self.curve = curve
    self.scalar = scalar
    point = curve.multiply(scalar)!
  }

  /// Signs with this nonce (SEC 1 4.1.3).
  func sign(_ digest: [UInt8], nonce: [UInt8]) -> (r: [UInt8], s: [UInt8]) {
    let r = curve.scalar(Array(curve.multiply(nonce)!.prefix(32)))
    let sum = curve.sum(curve.product(r, scalar), digest)
    return (r, curve.product(curve.inverse(nonce), sum))
  }

  /// A genuine digest, r and s with the given u1 and u2, where r comes from u1·G + u2·Q. Nil if that is infinity.
  func signature(u1: [UInt8], u2: [UInt8]) -> (digest: [UInt8], r: [UInt8], s: [UInt8])? {
    let nonce = curve.sum(u1, curve.product(u2, scalar))
    guard nonce.contains(where: { $0 != 0 }), u2.contains(where: { $0 != 0 }) else { return nil }
    let r = curve.scalar(Array(curve.multiply(nonce)!.prefix(32)))
    let s = curve.product(r, curve.inverse(u2))
    return (curve.product(u1, s), r, s)
  }
}
