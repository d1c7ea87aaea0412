import Benchmarking
import COpenSSL
import CP256

/// Verifications by one signer with a table.
final class LaneVerificationPart {
  private typealias Table = UnsafeMutablePointer<UInt64>

  private let kernel: assay_p256_kernel
  private let generator: Table
  private let signer: Table
  private let point: [UInt8]
  private var signatures: [assay_p256_signature] = []
  private var statuses: [UInt8]
  private var next = 0

  /// - Parameter random: draws 32 bytes.
  init(
    by kernel: assay_p256_kernel, signatures count: Int, random: () -> [UInt8]
  ) throws(BenchmarkFailure) {
    self.kernel = kernel
    let curve = try Curve()
    let (key, bytes) = try curve.signingKey(random())
    defer { EC_KEY_free(key) }
    point = Array(bytes.dropFirst())
    statuses = [UInt8](repeating: 0, count: count)
    generator = Self.room()
    signer = Self.room()
    var base = [UInt8](repeating: 0, count: 64)
    assay_p256_generator(&base)
    guard assay_p256_make_table(base, generator), assay_p256_make_table(point, signer) else {
      throw BenchmarkFailure("a table could not be made")
    }
    for _ in 0..<count {
      let digest = random()
      let value = try VerificationPart.sign(digest, with: key, nonce: random(), on: curve)
      defer { ECDSA_SIG_free(value) }
      signatures.append(try signature(value, over: digest))
    }
    // A verification that accepts everything would be fast.
    var altered = signatures[0]
    altered.digest.31 ^= 1
    var status = UInt8(ASSAY_P256_DONE)
    kernel.verify(generator, &altered, 1, &status)
    guard status == UInt8(ASSAY_P256_REFUSED) else {
      throw BenchmarkFailure("an altered digest was accepted")
    }
  }

  deinit {
    generator.deallocate()
    signer.deallocate()
  }

  private static func room() -> Table {
    UnsafeMutableRawPointer.allocate(
      byteCount: Int(ASSAY_P256_TABLE_SIZE), alignment: Int(ASSAY_P256_TABLE_ALIGNMENT)
    ).bindMemory(to: UInt64.self, capacity: Int(ASSAY_P256_TABLE_SIZE) / 8)
  }

  private func signature(
    _ value: OpaquePointer, over digest: [UInt8]
  ) throws(BenchmarkFailure) -> assay_p256_signature {
    var signature = assay_p256_signature()
    signature.table = UnsafePointer(signer)
    var (r, s) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    guard BN_bn2binpad(ECDSA_SIG_get0_r(value), &r, 32) == 32, BN_bn2binpad(ECDSA_SIG_get0_s(value), &s, 32) == 32
    else { throw .library }
    assay_p256_fill_signature(&signature, digest, r, r.count, s, s.count)
    return signature
  }

  /// Verifies `count` signatures, a multiple of the batch.
  func run(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<(count / signatures.count) {
      kernel.verify(generator, signatures, signatures.count, &statuses)
      guard statuses.allSatisfy({ $0 == UInt8(ASSAY_P256_DONE) }) else { throw Self.refused }
    }
  }

  /// Verifies `count` signatures, each with all lanes.
  func runOneByOne(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count {
      let status = signatures.withUnsafeBufferPointer { all in
        kernel.verify_one(generator, all.baseAddress.map { $0 + next })
      }
      guard status == UInt8(ASSAY_P256_DONE) else { throw Self.refused }
      next = next + 1 == signatures.count ? 0 : next + 1
    }
  }

  /// Makes the signer's table repeatedly.
  func makeTables(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count {
      guard assay_p256_make_table(point, signer) else { throw Self.refused }
    }
  }

  private static let refused = BenchmarkFailure("a valid signature was refused")
}
