import CP256

/// The multiples of a public key, 256 kB, in the format that all kernels share (Sources/Kernels/CP256/include/CP256.h).
///
/// ECDSA verification computes u1·G + u2·Q for the fixed generator G and the signer's key Q. With a table of multiples
/// of a point (a fixed-base comb: j · 2^(8i) · point for 32 positions i and j in 1...128), each product is a sum of 32
/// entries and needs no doubling, which makes verification several times faster. Apple signs all tokens with very few
/// keys, so few tables suffice.
///
/// `@unchecked Sendable`: the words are only read after `init`.
package final class SignerTable: @unchecked Sendable {
  /// The entries, for the kernel. Valid as long as the table lives.
  package let words: UnsafePointer<UInt64>
  private let memory: UnsafeMutableRawPointer

  /// The generator's table; nil if this machine can run no kernel, or making the table failed.
  package static let generator: SignerTable? = {
    guard P256Kernel.fastest.operations != nil else { return nil }
    var point = InlineArray<64, UInt8>(repeating: 0)
    var span = point.mutableSpan
    span.withUnsafeMutableBufferPointer { assay_p256_generator($0.baseAddress) }
    return SignerTable(point: point.span)
  }()

  /// The entries of the generator's table, which are never written again; nil if there is no table.
  nonisolated(unsafe) static let generatorWords = generator?.words

  /// Computes the table of a point x ‖ y, 64 bytes. Nil if the point is not on the curve or the result fails the
  /// kernel's checks.
  init?(point: Span<UInt8>) {
    guard point.count == 64 else { return nil }
    memory = .allocate(byteCount: Int(ASSAY_P256_TABLE_SIZE), alignment: Int(ASSAY_P256_TABLE_ALIGNMENT))
    let words = memory.bindMemory(
      to: UInt64.self, capacity: Int(ASSAY_P256_TABLE_SIZE) / MemoryLayout<UInt64>.size)
    self.words = UnsafePointer(words)
    guard point.withUnsafeBufferPointer({ assay_p256_make_table($0.baseAddress, words) }) else { return nil }
  }

  deinit {
    memory.deallocate()
  }
}
