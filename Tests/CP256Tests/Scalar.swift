import CP256

/// The scalar kernel, by its name, with arrays for bytes.
enum Scalar {
  static var kernels: [assay_p256_kernel] {
    (0..<assay_p256_kernel_count()).map { assay_p256_kernel_at($0)!.pointee }.filter { $0.is_supported() }
  }

  static var kernel: assay_p256_kernel {
    kernels.first { String(cString: $0.name) == "scalar" }!
  }

  /// A table that `kernel` made; `@unchecked Sendable`: the one that threads share is only read.
  final class Table: @unchecked Sendable {
    let words: UnsafeMutablePointer<UInt64>
    static let wordCount = Int(ASSAY_P256_TABLE_SIZE) / 8

    /// Nil when the point is not on the curve.
    init?(_ point: [UInt8], by kernel: assay_p256_kernel = Scalar.kernel) {
      words = UnsafeMutableRawPointer.allocate(byteCount: 8 * Table.wordCount, alignment: 64)
        .bindMemory(to: UInt64.self, capacity: Table.wordCount)
      guard kernel.make_table(point, words) else { return nil }
    }

    deinit {
      words.deallocate()
    }

    /// Gives a position the entries of another.
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

    init(_ parts: (digest: [UInt8], r: [UInt8], s: [UInt8]), _ table: Table) {
      (digest, r, s) = parts
      self.table = table
    }

    var lane: assay_p256_signature {
      var lane = assay_p256_signature()
      lane.table = UnsafePointer(table.words)
      withUnsafeMutableBytes(of: &lane.digest) { $0.copyBytes(from: digest) }
      withUnsafeMutableBytes(of: &lane.r) { $0.copyBytes(from: r) }
      withUnsafeMutableBytes(of: &lane.s) { $0.copyBytes(from: s) }
      return lane
    }
  }

  /// The statuses of 1...64 signatures verified together, and of each verified alone.
  static func verify(_ signatures: [Signature]) -> [(together: UInt8, alone: UInt8)] {
    withExtendedLifetime(signatures) {
      var statuses = [UInt8](repeating: 0xEE, count: Int(ASSAY_P256_BATCH))
      let (lanes, kernel) = (signatures.map(\.lane), kernel)
      kernel.verify(Table.generator.words, lanes, lanes.count, &statuses)
      return lanes.indices.map { index in
        var lane = lanes[index]
        return (statuses[index], kernel.verify_one(Table.generator.words, &lane))
      }
    }
  }
}

enum Bytes {
  /// A big-endian number and a small one, added.
  static func sum(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
    var bytes = bytes
    var carry = number
    for index in stride(from: bytes.count - 1, through: 0, by: -1) where carry > 0 {
      carry += Int(bytes[index])
      bytes[index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    return bytes
  }

  /// The same number with its lowest bit changed.
  static func flipped(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bytes.count - 1] ^= 1
    return bytes
  }
}
