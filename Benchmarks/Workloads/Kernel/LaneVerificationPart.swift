import Benchmarking
import CP256

/// Benchmarks a kernel's ECDSA verification, of signatures by one signer whose table is precomputed.
final class LaneVerificationPart {
  private typealias Table = UnsafeMutablePointer<UInt64>

  private let kernel: assay_p256_kernel
  private let generator: Table
  private let signer: Table
  private let point: [UInt8]
  private var signatures: [assay_p256_signature] = []
  private var statuses: [UInt8]
  private var next = 0

  init(by kernel: assay_p256_kernel, _ signed: CurveMaterial.Signed) throws(BenchmarkFailure) {
    self.kernel = kernel
    point = Array(signed.key.point.dropFirst())
    statuses = [UInt8](repeating: 0, count: signed.signatures.count)
    generator = Self.allocateTable()
    signer = Self.allocateTable()
    var base = [UInt8](repeating: 0, count: 64)
    assay_p256_generator(&base)
    guard assay_p256_make_table(base, generator), assay_p256_make_table(point, signer) else {
      throw Self.noTable
    }
    for (digest, value) in signed.signatures {
      var signature = assay_p256_signature()
      signature.table = UnsafePointer(signer)
      assay_p256_fill_signature(&signature, digest, value.r, value.r.count, value.s, value.s.count)
      signatures.append(signature)
    }
    // A kernel that accepts everything would look fast, so check that it rejects one altered digest.
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

  private static func allocateTable() -> Table {
    UnsafeMutableRawPointer.allocate(
      byteCount: Int(ASSAY_P256_TABLE_SIZE), alignment: Int(ASSAY_P256_TABLE_ALIGNMENT)
    ).bindMemory(to: UInt64.self, capacity: Int(ASSAY_P256_TABLE_SIZE) / 8)
  }

  /// Verifies `count` signatures, a multiple of the number of signatures; a remainder is not run.
  func run(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<(count / signatures.count) {
      kernel.verify(generator, signatures, signatures.count, &statuses)
      guard statuses.allSatisfy({ $0 == UInt8(ASSAY_P256_DONE) }) else { throw Self.rejected }
    }
  }

  /// Verifies `count` signatures, one at a time.
  func runOneByOne(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count {
      let status = signatures.withUnsafeBufferPointer { all in
        kernel.verify_one(generator, all.baseAddress.map { $0 + next })
      }
      guard status == UInt8(ASSAY_P256_DONE) else { throw Self.rejected }
      next = next + 1 == signatures.count ? 0 : next + 1
    }
  }

  /// Makes the signer's table repeatedly; overwrites the table that the other benchmarks use.
  func makeTables(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count {
      guard assay_p256_make_table(point, signer) else { throw Self.noTable }
    }
  }

  private static let noTable = BenchmarkFailure("a table could not be made")
  private static let rejected = BenchmarkFailure("a valid signature was rejected")
}
