import Benchmarking
import COpenSSL

/// P-256 in libcrypto, with scratch space that is allocated once.
final class Curve {
  let group: OpaquePointer
  let scratch: OpaquePointer
  let order: OpaquePointer

  init() throws(BenchmarkFailure) {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { throw .library }
    guard let scratch = BN_CTX_new() else {
      EC_GROUP_free(group)
      throw .library
    }
    guard let order = BN_dup(EC_GROUP_get0_order(group)) else {
      BN_CTX_free(scratch)
      EC_GROUP_free(group)
      throw .library
    }
    self.group = group
    self.scratch = scratch
    self.order = order
  }

  deinit {
    BN_free(order)
    BN_CTX_free(scratch)
    EC_GROUP_free(group)
  }

  /// A scalar in 1..<order from 32 bytes; benchmarks hold no secrets, but take the path that secrets take.
  func scalar(_ bytes: [UInt8]) throws(BenchmarkFailure) -> OpaquePointer {
    guard let scalar = BN_bin2bn(bytes, Int32(bytes.count), nil) else { throw .library }
    guard BN_nnmod(scalar, scalar, order, scratch) == 1, BN_is_zero(scalar) == 0 else {
      BN_free(scalar)
      throw .library
    }
    BN_set_flags(scalar, BN_FLG_CONSTTIME)
    return scalar
  }

  /// The 65 bytes 04 ‖ x ‖ y of `scalar` times the generator.
  func publicPoint(of scalar: OpaquePointer) throws(BenchmarkFailure) -> [UInt8] {
    guard let point = EC_POINT_new(group) else { throw .library }
    defer { EC_POINT_free(point) }
    var bytes = [UInt8](repeating: 0, count: 65)
    guard EC_POINT_mul(group, point, scalar, nil, nil, scratch) == 1,
      EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, scratch) == bytes.count
    else { throw .library }
    return bytes
  }

  /// The x-coordinate of `scalar` times a point 04 ‖ x ‖ y: the shared secret of a key agreement.
  func sharedSecret(_ scalar: OpaquePointer, with bytes: [UInt8]) throws(BenchmarkFailure) -> [UInt8] {
    guard let point = EC_POINT_new(group) else { throw .library }
    defer { EC_POINT_free(point) }
    guard let x = BN_new() else { throw .library }
    defer { BN_free(x) }
    guard EC_POINT_oct2point(group, point, bytes, bytes.count, scratch) == 1,
      EC_POINT_mul(group, point, nil, point, scalar, scratch) == 1,
      EC_POINT_get_affine_coordinates(group, point, x, nil, scratch) == 1
    else { throw .library }
    return try Self.bytes(x)
  }

  /// The 32 bytes of a number.
  static func bytes(_ number: OpaquePointer) throws(BenchmarkFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard BN_bn2binpad(number, &bytes, 32) == 32 else { throw .library }
    return bytes
  }

  /// A key to sign with, of a scalar from 32 bytes, and its point; the caller frees it with `EC_KEY_free`.
  func signingKey(_ bytes: [UInt8]) throws(BenchmarkFailure) -> (key: OpaquePointer, point: [UInt8]) {
    let scalar = try self.scalar(bytes)
    defer { BN_free(scalar) }
    let point = try publicPoint(of: scalar)
    guard let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { throw .library }
    guard EC_KEY_oct2key(key, point, point.count, scratch) == 1, EC_KEY_set_private_key(key, scalar) == 1 else {
      EC_KEY_free(key)
      throw .library
    }
    return (key, point)
  }
}

extension BenchmarkFailure {
  static let library = BenchmarkFailure("a call of libcrypto failed")
}
