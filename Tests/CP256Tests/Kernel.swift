import CP256
import CP256Faults

/// The kernel's routines with arrays for octets.
enum Kernel {
  static let isAvailable = assay_p256_has_lanes()

  enum Status: UInt8 {
    case done = 0
    case refused = 1
    case unsure = 2
  }

  struct Agreement {
    let peer: [UInt8]
    let scalar: [UInt8]
  }

  /// A bit to change between two windows.
  struct Fault {
    let window, coordinate, limb, bit, lane: Int
  }

  /// One to 64 agreements; secrets that are not done are to be zeros.
  static func agree(_ agreements: [Agreement], fault: Fault? = nil) -> [(status: Status, secret: [UInt8])] {
    let count = agreements.count
    let octets = UnsafeMutablePointer<UInt8>.allocate(capacity: 128 * count)
    defer { octets.deallocate() }
    octets.initialize(repeating: 0xEE, count: 128 * count)
    var lanes: [assay_p256_agreement] = []
    for (index, agreement) in agreements.enumerated() {
      let place = octets + 128 * index
      place.update(from: agreement.peer, count: 64)
      (place + 64).update(from: agreement.scalar, count: 32)
      lanes.append(assay_p256_agreement(peer: place, scalar: place + 64, secret: place + 96))
    }
    var statuses = [UInt8](repeating: 0xEE, count: Int(ASSAY_P256_BATCH))
    if let fault {
      assay_p256_agree_with_fault(
        lanes, count, &statuses, Int32(fault.window), Int32(fault.coordinate), Int32(fault.limb), Int32(fault.bit),
        Int32(fault.lane))
    } else {
      assay_p256_agree(lanes, count, &statuses)
    }
    return (0..<count).map { index in
      (Status(rawValue: statuses[index])!, (0..<32).map { octets[128 * index + 96 + $0] })
    }
  }

  /// A signer's table; `@unchecked Sendable`: the one that threads share is only read.
  final class Table: @unchecked Sendable {
    let words: UnsafeMutablePointer<UInt64>
    static let wordCount = Int(ASSAY_P256_TABLE_SIZE) / 8

    /// Nil when the point is none.
    init?(_ point: [UInt8]) {
      words = UnsafeMutableRawPointer.allocate(byteCount: 8 * Table.wordCount, alignment: 64)
        .bindMemory(to: UInt64.self, capacity: Table.wordCount)
      guard assay_p256_make_table(point, words) else { return nil }
    }

    deinit {
      words.deallocate()
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
      withUnsafeMutableBytes(of: &lane.digest) { $0.copyBytes(from: digest) }
      withUnsafeMutableBytes(of: &lane.r) { $0.copyBytes(from: r) }
      withUnsafeMutableBytes(of: &lane.s) { $0.copyBytes(from: s) }
      return lane
    }
  }

  /// One to 64 signatures.
  static func verify(_ signatures: [Signature], generator: Table = .generator) -> [Status] {
    var statuses = [UInt8](repeating: 0xEE, count: Int(ASSAY_P256_BATCH))
    withExtendedLifetime(signatures) {
      assay_p256_verify(generator.words, signatures.map(\.lane), signatures.count, &statuses)
    }
    return statuses.prefix(signatures.count).map { Status(rawValue: $0)! }
  }

  /// One signature on all lanes.
  static func verifyOne(_ signature: Signature, generator: Table = .generator) -> Status {
    withExtendedLifetime(signature) {
      var lane = signature.lane
      return Status(rawValue: assay_p256_verify_one(generator.words, &lane))!
    }
  }
}
