import CP256
import Synchronization

/// A cache of precomputed tables for the signers that occur most often.
///
/// ECDSA verification computes u1·G + u2·Q for the fixed generator G and the signer's key Q. With a table of multiples
/// of a point (a fixed-base comb: j · 2^(8i) · point for 32 positions i and j in 1...128), each product is a sum of 32
/// entries and needs no doubling, which makes verification several times faster. Apple signs all tokens with very few
/// keys, so the tables pay.
///
/// Making a table takes as long as 5 to 15 verifications by libcrypto. A key gets one after `minimumUses`
/// verifications, made by a detached task of low priority; until then, libcrypto verifies. There are `capacity` tables
/// of 256 kB; a new one replaces the least recently used. Only keys of verified chains are counted, so an attacker
/// cannot evict a table without leaves signed by Apple.
///
/// Threads keep the tables that they use (`KnownTables`) and ask here only for others: otherwise all threads would
/// write the lock, and the order of last uses under it, for every token. A thread marks a table that it uses, unless it
/// is marked already; the marks count as uses when a table must be evicted.
package final class SignerTables: Sendable {
  private struct Entry {
    let key: P256SignerKey
    /// Nil while it is being made, and permanently if making it failed.
    var table: SignerTable?
    var lastUse: UInt64
  }

  private struct State {
    var entries: [Entry] = []
    private var uses: UInt64 = 0

    /// A number for a use, higher than those of all before it.
    mutating func nextUse() -> UInt64 {
      uses += 1
      return uses
    }
  }

  /// The maximum number of tables, 2 MB in total. Four signers were seen in eleven years of genuine tokens.
  package static let capacity = 8
  /// The number of verifications after which a key gets a table.
  package static let minimumUses = 16

  /// When a key gets its table.
  package enum Moment: Sendable {
    /// After `minimumUses` verifications, on another thread.
    case afterSomeUses
    /// Before its first verification: for tests, which then know which code runs.
    case atOnce
  }

  private let state = Guarded(State())
  private let operations: P256Operations?
  private let moment: Moment

  package init(for kernel: P256Kernel, made moment: Moment = .afterSomeUses) {
    operations = kernel.operations
    self.moment = moment
  }

  deinit {
    // Threads may keep tables longer than their engine lives.
    for table in all { table.retire() }
  }

  /// Returns the table of a key that is about to verify a signature, and counts the use; nil if it has no table yet.
  package func table(for key: P256SignerKey) -> SignerTable? {
    guard operations != nil else { return nil }
    if let known = entry(of: key) { return known.table }
    switch moment {
    case .atOnce:
      if reserve(key) { fill(key) }
      return entry(of: key)?.table
    case .afterSomeUses:
      if key.countUse() == Self.minimumUses, reserve(key) {
        Task.detached(priority: .utility) { self.fill(key) }
      }
      return nil
    }
  }

  /// Whether no key ever gets a table.
  var isEmpty: Bool { operations == nil }

  private func entry(of key: P256SignerKey) -> Entry? {
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.key === key }) else { return nil }
      state.entries[index].lastUse = state.nextUse()
      return state.entries[index]
    }
  }

  /// The number of keys with a table, including those whose table failed or is being made.
  package var count: Int { state.withLock { $0.entries.count } }

  /// All tables, for tests.
  package var all: [SignerTable] { state.withLock { $0.entries.compactMap(\.table) } }

  /// Adds an entry for a key, and evicts the least recently used one if necessary; false if the key has an entry.
  private func reserve(_ key: P256SignerKey) -> Bool {
    state.withLock { state in
      // True only if another thread reserved one since this thread looked.
      if state.entries.contains(where: { $0.key === key }) { return false }
      if state.entries.count >= Self.capacity { Self.evict(&state) }
      state.entries.append(Entry(key: key, table: nil, lastUse: state.nextUse()))
      return true
    }
  }

  /// Evicts the least recently used entry. Requests here and marks of threads both count as uses.
  private static func evict(_ state: inout State) {
    for index in state.entries.indices where state.entries[index].table?.takeMark() == true {
      state.entries[index].lastUse = state.nextUse()
    }
    guard let oldest = state.entries.indices.min(by: { state.entries[$0].lastUse < state.entries[$1].lastUse })
    else { return }
    let entry = state.entries.remove(at: oldest)
    entry.key.forgetUses()
    entry.table?.retire()
  }

  private func fill(_ key: P256SignerKey) {
    let point = key.coordinates
    // Without the generator's table nobody reads a signer's.
    guard operations != nil, SignerTable.generator != nil, let table = SignerTable(point: point.span) else { return }
    state.withLock { state in
      guard let index = state.entries.firstIndex(where: { $0.key === key }) else { return }
      state.entries[index].table = table
    }
  }
}

/// The multiples of a public key, 256 kB, in the format that all kernels share (Sources/Kernels/CP256/include/CP256.h).
///
/// `@unchecked Sendable`: the words are only read after `init`.
package final class SignerTable: @unchecked Sendable {
  /// The entries, for the kernel. Valid as long as the table lives.
  package let words: UnsafePointer<UInt64>
  private let memory: UnsafeMutableRawPointer
  /// Whether a thread has used the table since the mark was taken.
  private let isMarked = Atomic(false)
  private let isRetired = Atomic(false)

  /// The generator's table; nil if making it failed.
  package static let generator: SignerTable? = {
    guard P256Kernel.fastest.operations != nil else { return nil }
    var point = InlineArray<64, UInt8>(repeating: 0)
    var span = point.mutableSpan
    span.withUnsafeMutableBufferPointer { assay_p256_generator($0.baseAddress) }
    return SignerTable(point: point.span)
  }()

  /// The entries of the generator's table, which are never written again; nil if making it failed.
  nonisolated(unsafe) static let generatorWords = generator?.words

  /// Computes the table of a point x ‖ y, 64 bytes, in less than a millisecond. Nil if the point is not on the curve or
  /// the result fails the kernel's checks.
  init?(point: Span<UInt8>) {
    // The kernel reads 64 bytes, and both callers pass 64.
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

  /// Marks the table as used; false if it is retired. Writes only if it is not marked: all threads read the mark.
  func markUse() -> Bool {
    guard !hasRetired else { return false }
    if !isMarked.load(ordering: .relaxed) { isMarked.store(true, ordering: .relaxed) }
    return true
  }

  /// Returns the mark, and removes it.
  func takeMark() -> Bool { isMarked.exchange(false, ordering: .relaxed) }

  /// Whether the table is retired.
  var hasRetired: Bool { isRetired.load(ordering: .relaxed) }

  /// Marks the table as retired, for the threads that keep it.
  func retire() { isRetired.store(true, ordering: .relaxed) }
}
