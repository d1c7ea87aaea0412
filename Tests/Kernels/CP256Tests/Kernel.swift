import CP256
import CP256Faults
import TestSupport
import Testing

/// A kernel's functions, with byte arrays as arguments and results.
///
/// `@unchecked Sendable`: stateless C functions.
struct Kernel: @unchecked Sendable, CustomTestStringConvertible {
  let functions: assay_p256_kernel

  var name: String { String(cString: functions.name) }
  var testDescription: String { name }
  var lanes: Int { Int(functions.lanes) }

  /// Each kernel natively if this machine runs it, otherwise emulated. The second ring also has all emulations.
  static let all: [Kernel] = {
    let listed = (0..<assay_p256_kernel_count()).compactMap { assay_p256_kernel_at($0)?.pointee }.map(Kernel.init)
    let native = listed.filter { !$0.functions.is_emulated && $0.functions.is_supported() }
    let chosen = listed.filter { kernel in
      guard kernel.functions.is_emulated else { return kernel.functions.is_supported() }
      return Ring.isDeep || !native.contains { kernel.name == $0.name + "-emulated" }
    }
    print("kernels of P-256 under test: \(chosen.map(\.name).joined(separator: ", "))")
    return chosen
  }()

  static let agreeing = all.filter { $0.functions.agree != nil }

  /// The number of random operations of a test: fewer for emulations, which are slow.
  func count(_ native: Int) -> Int { functions.is_emulated ? max(64, native / 50) : native }

  enum Status: UInt8 {
    case done = 0
    case refused = 1
    case unsure = 2
  }

  struct Agreement {
    let peer: [UInt8]
    let scalar: [UInt8]
  }

  /// A bit to flip after a window (assay_p256_plan_fault).
  struct Fault {
    let window, coordinate, limb, bit, lane: Int
  }

  /// Computes one to 64 agreements.
  func agree(_ agreements: [Agreement], fault: Fault? = nil) -> [(status: Status, secret: [UInt8])] {
    let count = agreements.count
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 128 * count)
    defer { bytes.deallocate() }
    bytes.initialize(repeating: 0xEE, count: 128 * count)
    var lanes: [assay_p256_agreement] = []
    for (index, agreement) in agreements.enumerated() {
      let place = bytes + 128 * index
      place.update(from: agreement.peer, count: 64)
      (place + 64).update(from: agreement.scalar, count: 32)
      lanes.append(assay_p256_agreement(peer: place, scalar: place + 64, secret: place + 96))
    }
    var statuses = [UInt8](repeating: 0xEE, count: Int(ASSAY_P256_BATCH))
    if let fault, let faulty = assay_p256_faulty_kernel(name) {
      assay_p256_plan_fault(
        Int32(fault.window), Int32(fault.coordinate), Int32(fault.limb), Int32(fault.bit), Int32(fault.lane))
      faulty.pointee.agree(lanes, count, &statuses)
    } else {
      functions.agree(lanes, count, &statuses)
    }
    return (0..<count).map { index in
      (Status(rawValue: statuses[index])!, (0..<32).map { bytes[128 * index + 96 + $0] })
    }
  }

  /// A signer's table; `@unchecked Sendable`: the one that threads share is only read.
  final class Table: @unchecked Sendable {
    let words: UnsafeMutablePointer<UInt64>
    static let wordCount = Int(ASSAY_P256_TABLE_SIZE) / 8

    /// Nil if the point is not on the curve.
    init?(_ point: [UInt8]) {
      words = UnsafeMutableRawPointer.allocate(byteCount: 8 * Table.wordCount, alignment: 64)
        .bindMemory(to: UInt64.self, capacity: Table.wordCount)
      guard assay_p256_make_table(point, words) else { return nil }
    }

    deinit {
      words.deallocate()
    }

    /// Copies the entries of a position to another.
    func copyPosition(_ source: Int, to target: Int) {
      (words + 1024 * target).update(from: words + 1024 * source, count: 1024)
    }

    static let generator: Table = {
      var point = [UInt8](repeating: 0, count: 64)
      assay_p256_generator(&point)
      return Table(point)!
    }()
  }

  struct Signature {
    let digest, r, s: [UInt8]
    let table: Table

    var lane: assay_p256_signature {
      var lane = assay_p256_signature()
      lane.table = UnsafePointer(table.words)
      assay_p256_fill_signature(&lane, digest, r, r.count, s, s.count)
      return lane
    }
  }

  /// Verifies one to 64 signatures.
  func verify(_ signatures: [Signature], generator: Table = .generator) -> [Status] {
    var statuses = [UInt8](repeating: 0xEE, count: Int(ASSAY_P256_BATCH))
    withExtendedLifetime(signatures) {
      functions.verify(generator.words, signatures.map(\.lane), signatures.count, &statuses)
    }
    return statuses.prefix(signatures.count).map { Status(rawValue: $0)! }
  }

  func verifyOne(_ signature: Signature, generator: Table = .generator) -> Status {
    guard let verifyOne = functions.verify_one else { return verify([signature], generator: generator)[0] }
    return withExtendedLifetime(signature) {
      var lane = signature.lane
      return Status(rawValue: verifyOne(generator.words, &lane))!
    }
  }
}
