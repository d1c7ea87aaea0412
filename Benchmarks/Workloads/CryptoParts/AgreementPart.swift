import Benchmarking
import COpenSSL

/// The part of a token that no decryptor gets around: one ECDH, everything that can be made before made before.
///
/// A point read (and so checked to be on the curve), one multiplication, the x-coordinate.
final class AgreementPart {
  private let curve: Curve
  private let scalar: OpaquePointer
  private let points: [[UInt8]]
  private let point: OpaquePointer
  private let product: OpaquePointer
  private let x: OpaquePointer
  private var next = 0

  /// - Parameter random: draws 32 bytes.
  init(points count: Int, random: () -> [UInt8]) throws(BenchmarkFailure) {
    let curve = try Curve()
    var points: [[UInt8]] = []
    let scalar = try curve.scalar(random())
    var mirrored: [UInt8] = []
    for index in 0..<count {
      let other = try curve.scalar(random())
      defer { BN_free(other) }
      points.append(try curve.publicPoint(of: other))
      if index == 0 {
        mirrored = try curve.sharedSecret(other, with: curve.publicPoint(of: scalar))
      }
    }
    guard let point = EC_POINT_new(curve.group), let product = EC_POINT_new(curve.group), let x = BN_new() else {
      throw .library
    }
    self.curve = curve
    self.scalar = scalar
    self.points = points
    self.point = point
    self.product = product
    self.x = x
    // Check that both sides of the agreement get the same secret.
    guard try agree(0), try mirrored == Curve.bytes(x) else {
      throw BenchmarkFailure("the two sides of a key agreement differ")
    }
  }

  deinit {
    BN_free(x)
    EC_POINT_free(product)
    EC_POINT_free(point)
    BN_free(scalar)
  }

  func run(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count {
      guard try agree(next) else { throw .library }
      next = next + 1 == points.count ? 0 : next + 1
    }
  }

  private func agree(_ index: Int) throws(BenchmarkFailure) -> Bool {
    EC_POINT_oct2point(curve.group, point, points[index], 65, curve.scratch) == 1
      && EC_POINT_mul(curve.group, product, nil, point, scalar, curve.scratch) == 1
      && EC_POINT_get_affine_coordinates(curve.group, product, x, nil, curve.scratch) == 1
  }
}
