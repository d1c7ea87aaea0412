import CP256

/// The tables of the signers that verify most: few, bounded, least recently used.
///
/// A table is made off the path of the tokens, once a key has verified often enough for it to pay. Only keys of verified
/// chains come here.
package final class SignerTables: Sendable {
  private struct Entry {
    let key: P256SignerKey
    /// Nil while it is being made, and for good if it could not be.
    var table: SignerTable?
    var lastUse: UInt64
  }

  private struct State {
    var entries: [Entry] = []
    var uses: UInt64 = 0
  }

  /// How many tables are kept: 2 MB. In eleven years of real tokens four signers were seen.
  package static let capacity = 8
  /// Verifications after which a key gets a table: making one takes as long as five to fifteen by libcrypto.
  package static let leastUses = 16

  /// When a key gets its table.
  package enum Moment: Sendable {
    /// Once it has verified often enough, and on another thread.
    case afterSomeUses
    /// Before it first verifies: for tests, which are to know which path is taken.
    case atOnce
  }

  private let state = Guarded(State())
  private let operations: P256Operations?
  private let moment: Moment

  package init(for kernel: P256Kernel, made moment: Moment = .afterSomeUses) {
    operations = kernel.operations
    self.moment = moment
  }

  /// The table of a key that is about to verify; nil when it has none, or none yet.
  package func table(for key: P256SignerKey) -> SignerTable? {
    guard operations != nil else { return nil }
    if let known = entry(of: key) { return known.table }
    switch moment {
    case .atOnce:
      if reserve(key) { fill(key) }
      return entry(of: key)?.table
    case .afterSomeUses:
      if key.countUse() == Self.leastUses, reserve(key) {
        Task.detached(priority: .utility) { self.fill(key) }
      }
      return nil
    }
  }

  private func entry(of key: P256SignerKey) -> Entry? {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.key === key }) else { return nil }
      state.uses += 1
      state.entries[index].lastUse = state.uses
      return state.entries[index]
    }
  }

  /// How many keys have a table, or had one made that failed.
  package var count: Int { state.withLock { $0.entries.count } }

  /// Every table: for tests.
  package var all: [SignerTable] { state.withLock { $0.entries.compactMap(\.table) } }

  /// Gives a key a place, in turn for the least recently used one; false if it has one.
  private func reserve(_ key: P256SignerKey) -> Bool {
    state.withLock { state in
      if state.entries.contains(where: { $0.key === key }) { return false }
      if state.entries.count >= Self.capacity,
        let oldest = state.entries.indices.min(by: { state.entries[$0].lastUse < state.entries[$1].lastUse })
      {
        state.entries[oldest].key.forgetUses()
        state.entries.remove(at: oldest)
      }
      state.uses += 1
      state.entries.append(Entry(key: key, table: nil, lastUse: state.uses))
      return true
    }
  }

  private func fill(_ key: P256SignerKey) {
    let point = key.coordinates
    guard let operations, SignerTable.generator != nil, let table = SignerTable(point: point.span, for: operations)
    else { return }
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.key === key }) else { return }
      state.entries[index].table = table
    }
  }
}

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
