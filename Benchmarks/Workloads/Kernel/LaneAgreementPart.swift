import Benchmarking
import CP256
import Minting

/// Key agreements, a whole batch at a time, each with a scalar of its own.
final class LaneAgreementPart {
  private let kernel: assay_p256_kernel
  private let bytes: UnsafeMutablePointer<UInt8>
  private var agreements: [assay_p256_agreement] = []
  private var statuses: [UInt8]

  /// x ‖ y, the scalar and room for the secret.
  private static let stride = 128

  /// - Parameter keys: each agrees with the next.
  init(by kernel: assay_p256_kernel, _ keys: [KeyPair]) throws(BenchmarkFailure) {
    self.kernel = kernel
    let count = keys.count
    statuses = [UInt8](repeating: 0, count: count)
    bytes = .allocate(capacity: count * Self.stride)
    bytes.initialize(repeating: 0, count: count * Self.stride)
    for index in 0..<count {
      let place = bytes + index * Self.stride
      place.update(from: Array(keys[(index + 1) % count].point.dropFirst()), count: 64)
      (place + 64).update(from: keys[index].scalar, count: 32)
      agreements.append(assay_p256_agreement(peer: place, scalar: place + 64, secret: place + 96))
    }
    run(count)
    for index in 0..<count {
      let secret = (0..<32).map { bytes[index * Self.stride + 96 + $0] }
      guard secret == (try keys[index].secret(with: keys[(index + 1) % count])) else {
        throw BenchmarkFailure("the kernel and libcrypto make different secrets")
      }
    }
  }

  deinit {
    bytes.deallocate()
  }

  /// Runs `count` agreements, a multiple of the number of keys; a remainder is not run.
  func run(_ count: Int) {
    for _ in 0..<(count / agreements.count) { kernel.agree(agreements, agreements.count, &statuses) }
  }
}
