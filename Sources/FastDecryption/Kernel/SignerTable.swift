import CP256

/// Multiples of a signer's public key, 256 kB: with them a signature is verified without a doubling.
///
/// `@unchecked Sendable`: the words are only read after `init`.
package final class SignerTable: @unchecked Sendable {
  /// For the kernel; lives as long as the table.
  let words: UnsafePointer<UInt64>
  /// What verifies with it.
  let operations: P256Operations
  private let memory: UnsafeMutableRawPointer

  /// The generator's; nil only where making it failed.
  static let generator: SignerTable? = {
    guard let operations = P256Kernel.fastest.operations else { return nil }
    var point = InlineArray<64, UInt8>(repeating: 0)
    var span = point.mutableSpan
    span.withUnsafeMutableBufferPointer { assay_p256_generator($0.baseAddress) }
    return SignerTable(point: point.span, for: operations)
  }()

  /// Computes the table of x ‖ y, 64 bytes, in 0.3 to 0.8 ms: all kernels share one format. Nil when the point is not on the curve or the result does not pass the kernel's own checks.
  init?(point: Span<UInt8>, for operations: P256Operations) {
    guard point.count == 64 else { return nil }
    self.operations = operations
    memory = .allocate(byteCount: Int(ASSAY_P256_TABLE_SIZE), alignment: Int(ASSAY_P256_TABLE_ALIGNMENT))
    let words = memory.bindMemory(
      to: UInt64.self, capacity: Int(ASSAY_P256_TABLE_SIZE) / MemoryLayout<UInt64>.size)
    self.words = UnsafePointer(words)
    guard point.withUnsafeBufferPointer({ operations.makeTable($0.baseAddress, words) }) else { return nil }
  }

  deinit {
    memory.deallocate()
  }

  /// Changes one bit of the table: only for the test that such a table is noticed, before other threads have it.
  package func flipBit(_ bit: Int, ofWord index: Int) {
    UnsafeMutablePointer(mutating: words)[index] ^= 1 << UInt64(bit)
  }

  /// How many words a table has.
  package static var wordCount: Int { Int(ASSAY_P256_TABLE_SIZE) / MemoryLayout<UInt64>.size }
}
