import Benchmarking
import COpenSSL
import Minting

/// The first operation that every decryptor needs for an EC_v1 token: one ECDH on P-256, with everything else prepared.
///
/// It reads a point, which checks that it is on the curve, multiplies it once, and takes the x-coordinate.
final class AgreementPart {
  private let group: OpaquePointer
  private let scratch: OpaquePointer
  private let scalar: OpaquePointer
  private let point: OpaquePointer
  private let product: OpaquePointer
  private let x: OpaquePointer
  private let points: [[UInt8]]
  private var next = 0

  init(_ own: KeyPair, with others: ArraySlice<KeyPair>) throws(BenchmarkFailure) {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let scratch = BN_CTX_new(),
      let scalar = BN_bin2bn(own.scalar, 32, nil), let point = EC_POINT_new(group), let product = EC_POINT_new(group),
      let x = BN_new()
    else { throw .library }
    (self.group, self.scratch, self.scalar) = (group, scratch, scalar)
    (self.point, self.product, self.x) = (point, product, x)
    points = others.map(\.point)
    // A benchmark holds no secrets, but takes the path that secrets take.
    BN_set_flags(scalar, BN_FLG_CONSTTIME)
    // Check that both sides of the agreement get the same secret.
    var secret = [UInt8](repeating: 0, count: 32)
    guard let other = others.first, agree(0), BN_bn2binpad(x, &secret, 32) == 32,
      secret == (try other.secret(with: own))
    else { throw BenchmarkFailure("the two sides of a key agreement differ") }
  }

  deinit {
    BN_free(x)
    EC_POINT_free(product)
    EC_POINT_free(point)
    BN_free(scalar)
    BN_CTX_free(scratch)
    EC_GROUP_free(group)
  }

  func run(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count {
      guard agree(next) else { throw .library }
      next = next + 1 == points.count ? 0 : next + 1
    }
  }

  private func agree(_ index: Int) -> Bool {
    EC_POINT_oct2point(group, point, points[index], 65, scratch) == 1
      && EC_POINT_mul(group, product, nil, point, scalar, scratch) == 1
      && EC_POINT_get_affine_coordinates(group, product, x, nil, scratch) == 1
  }
}
