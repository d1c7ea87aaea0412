import PaymentToken
import Synchronization
import TokenScanning

/// The chains and tables that an engine knows at one time.
///
/// `@unchecked Sendable`: nothing changes after `init`.
final class SignerSnapshot: @unchecked Sendable {
  /// The part of a snapshot that decryption reads, without reference counting. Valid as long as the snapshot lives.
  struct Contents {
    let number: UInt64
    let chains: UnsafeBufferPointer<ChainList.Entry>
    let tables: UnsafeBufferPointer<TableEntry>
  }

  /// A key and the entries of its table.
  struct TableEntry {
    let key: Unmanaged<P256SignerKey>
    let words: UnsafePointer<UInt64>
  }

  static let empty = SignerSnapshot(number: 0, chains: ChainList(), tables: [])
  /// The number of the newest snapshot of the process.
  private static let lastNumber = Atomic<UInt64>(0)

  let contents: Contents
  let chains: ChainList
  /// The oldest first.
  let tables: [(key: P256SignerKey, table: SignerTable)]
  private let tableEntries: UnsafeMutableBufferPointer<TableEntry>

  private init(number: UInt64, chains: ChainList, tables: [(key: P256SignerKey, table: SignerTable)]) {
    self.chains = chains
    self.tables = tables
    tableEntries = .allocate(capacity: tables.count)
    for (index, entry) in tables.enumerated() {
      tableEntries.initializeElement(
        at: index, to: TableEntry(key: .passUnretained(entry.key), words: entry.table.words))
    }
    contents = Contents(number: number, chains: chains.entries, tables: UnsafeBufferPointer(tableEntries))
  }

  private convenience init(chains: ChainList, tables: [(key: P256SignerKey, table: SignerTable)]) {
    let number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
    self.init(number: number, chains: chains, tables: tables)
  }

  deinit {
    tableEntries.deallocate()
  }

  /// Different for each snapshot of the process; 0 for `empty`.
  var number: UInt64 { contents.number }

  /// A snapshot with another chain, which replaces the oldest if necessary; nil if the chain is known.
  func adding(_ chain: VerifiedChain) -> SignerSnapshot? {
    chains.index(of: chain.facts.pointee.bytes.span) == nil
      ? SignerSnapshot(chains: ChainList(chains, adding: chain), tables: tables) : nil
  }

  /// A snapshot with another table, which replaces the oldest if necessary; nil if the key has a table.
  func adding(_ table: SignerTable, of key: P256SignerKey) -> SignerSnapshot? {
    if tables.contains(where: { $0.key === key }) { return nil }
    let kept = tables.suffix(KnownSigners.tableCapacity - 1)
    for evicted in tables.dropLast(kept.count) { evicted.key.forgetUses() }
    return SignerSnapshot(chains: chains, tables: kept + [(key, table)])
  }
}

/// An immutable list of verified chains, the oldest first. Snapshots that differ only in their tables share it.
///
/// A chain is found by a fingerprint of its certificates. The fingerprint need not resist collisions: only chains whose
/// leaf has signed a token are listed, and every byte is compared. Adding one copies 24 bytes and retains an object for
/// each chain, which takes far less time than the verification before it.
///
/// `@unchecked Sendable`: nothing changes after `init`.
final class ChainList: @unchecked Sendable {
  struct Entry {
    let fingerprint: UInt64
    let facts: UnsafePointer<ChainFacts>
  }

  /// Valid as long as the list lives.
  let entries: UnsafeBufferPointer<Entry>
  private let memory: UnsafeMutableBufferPointer<Entry>
  /// They own the facts that the entries point to.
  private let chains: [VerifiedChain]

  init() {
    chains = []
    memory = .allocate(capacity: 0)
    entries = UnsafeBufferPointer(memory)
  }

  /// Creates a list with another chain, which replaces the oldest if the list is full.
  init(_ older: ChainList, adding chain: VerifiedChain) {
    let kept = older.chains.suffix(KnownSigners.chainCapacity - 1)
    chains = kept + [chain]
    memory = .allocate(capacity: kept.count + 1)
    _ = memory.initialize(from: older.entries.suffix(kept.count))
    let facts = chain.facts
    memory.initializeElement(
      at: kept.count, to: Entry(fingerprint: Self.fingerprint(of: facts.pointee.bytes.span), facts: facts))
    entries = UnsafeBufferPointer(memory)
  }

  deinit {
    memory.deallocate()
  }

  /// The index of the chain with these certificates; nil if it is not listed.
  func index(of certificates: Span<UInt8>) -> Int? { entries.index(of: certificates) }

  /// Mixes 8 of every 64 bytes: a certificate's public key and its signature have 64 random bytes each, so chains with
  /// different leaves have different fingerprints.
  fileprivate static func fingerprint(of certificates: Span<UInt8>) -> UInt64 { certificates.mixedWords(every: 64) }
}

extension UnsafeBufferPointer<ChainList.Entry> {
  /// The index of the chain with these certificates; nil if it is not among the entries.
  fileprivate func index(of certificates: Span<UInt8>) -> Int? {
    guard !isEmpty else { return nil }
    let fingerprint = ChainList.fingerprint(of: certificates)
    for index in indices where self[index].fingerprint == fingerprint {
      if self[index].facts.pointee.holds(certificates) { return index }
    }
    return nil
  }
}

/// The snapshot of a workspace, with which it finds chains and tables without a lock.
///
/// Retains the snapshot once. Decrypting a token reads only `contents`, because retaining the snapshot would write to
/// memory that threads share. A snapshot that is replaced in the middle of a token or window is released by the next
/// `begin`: until then, `FoundChain`s and waiting signatures refer to its chains and tables.
///
/// Numbers differ between engines with caches of their own, so a workspace never uses what another engine has learned.
struct HeldSigners {
  private var snapshot = SignerSnapshot.empty
  private var contents = SignerSnapshot.empty.contents
  /// The snapshots held since `begin`, without the current one.
  private var replaced: [SignerSnapshot] = []
  /// The index of the chain found last, which is compared first.
  private var latest = 0

  /// Takes the engine's snapshot before a token or window, and releases those before it.
  @inline(__always)
  mutating func begin(with signers: KnownSigners) {
    update(from: signers)
    if !replaced.isEmpty { replaced.removeAll() }
  }

  /// Takes the engine's snapshot if it differs from the held one, and returns whether it did.
  @discardableResult
  mutating func update(from signers: KnownSigners) -> Bool {
    guard signers.number != contents.number else { return false }
    take(signers.snapshot)
    return true
  }

  /// Takes a snapshot of the engine that uses the workspace now.
  mutating func take(_ newer: SignerSnapshot) {
    replaced.append(snapshot)
    snapshot = newer
    contents = newer.contents
  }

  /// The index of the chain with these certificates; nil if the snapshot has none.
  func chainIndex(of certificates: Span<UInt8>) -> Int? {
    if latest < contents.chains.count, contents.chains[latest].facts.pointee.holds(certificates) { return latest }
    return contents.chains.index(of: certificates)
  }

  /// The chain at an index, which becomes the first to be compared. Valid until `begin`.
  mutating func chain(at index: Int) -> UnsafePointer<ChainFacts> {
    latest = index
    return contents.chains[index].facts
  }

  /// The entries of a key's table; nil if the snapshot has none. Valid until `begin`.
  func table(of key: Unmanaged<P256SignerKey>) -> UnsafePointer<UInt64>? {
    for entry in contents.tables where entry.key.toOpaque() == key.toOpaque() { return entry.words }
    return nil
  }
}
