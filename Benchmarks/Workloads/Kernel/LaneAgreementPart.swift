import Benchmarking
import COpenSSL
import CP256

/// Key agreements, a whole batch at a time, each with a scalar of its own.
final class LaneAgreementPart {
  private let kernel: assay_p256_kernel
  private let peers: [[UInt8]]
  private let scalars: [[UInt8]]
  private let bytes: UnsafeMutablePointer<UInt8>
  private var agreements: [assay_p256_agreement] = []
  private var statuses: [UInt8]

  /// x ‖ y, the scalar and room for the secret.
  private static let stride = 128

  /// - Parameter random: draws 32 bytes.
  init(by kernel: assay_p256_kernel, points count: Int, random: () -> [UInt8]) throws(BenchmarkFailure) {
    self.kernel = kernel
    let curve = try Curve()
    var peers: [[UInt8]] = []
    var scalars: [[UInt8]] = []
    for _ in 0..<count {
      let other = try curve.scalar(random())
      let own = try curve.scalar(random())
      defer {
        BN_free(other)
        BN_free(own)
      }
      peers.append(Array(try curve.publicPoint(of: other).dropFirst()))
      scalars.append(try Curve.bytes(own))
    }
    self.peers = peers
    self.scalars = scalars
    statuses = [UInt8](repeating: 0, count: count)
    bytes = .allocate(capacity: count * Self.stride)
    bytes.initialize(repeating: 0, count: count * Self.stride)
    for index in 0..<count {
      let place = bytes + index * Self.stride
      place.update(from: peers[index], count: 64)
      (place + 64).update(from: scalars[index], count: 32)
      agreements.append(assay_p256_agreement(peer: place, scalar: place + 64, secret: place + 96))
    }
    run(count)
    for index in 0..<count {
      let secret = (0..<32).map { bytes[index * Self.stride + 96 + $0] }
      let own = try curve.scalar(scalars[index])
      defer { BN_free(own) }
      guard secret == (try curve.sharedSecret(own, with: [0x04] + peers[index])) else {
        throw BenchmarkFailure("the kernel and libcrypto make different secrets")
      }
    }
  }

  deinit {
    bytes.deallocate()
  }

  /// Runs `count` agreements, a multiple of the batch.
  func run(_ count: Int) {
    for _ in 0..<(count / agreements.count) { kernel.agree(agreements, agreements.count, &statuses) }
  }
}
