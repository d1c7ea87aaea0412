import CP256

/// The tables that a thread used, so that it finds them without taking the lock of the engine's tables.
///
/// This cache retains the tables and their keys. If the engine evicts a table, it marks it as retired; the thread then
/// asks the engine again, and releases the table before its next token.
struct KnownTables {
  private struct Entry {
    /// Nil if the table is retired.
    var key: Unmanaged<P256SignerKey>?
    let table: Unmanaged<SignerTable>
  }

  /// Twice the number that an engine has: a thread may serve several engines, and a table may be retired during a
  /// window.
  private static var capacity: Int { 2 * SignerTables.capacity }

  private var entries: [Entry] = []
  /// Own the objects that the entries point to.
  private var owned: [(key: P256SignerKey, table: SignerTable)] = []

  /// The index of a key's table; nil if the key has none yet. Indices are valid until `trim`.
  mutating func index(of key: Unmanaged<P256SignerKey>, among tables: SignerTables) -> Int? {
    for index in entries.indices where entries[index].key?.toOpaque() == key.toOpaque() {
      if entries[index].table._withUnsafeGuaranteedRef({ $0.markUse() }) { return index }
      entries[index].key = nil
    }
    guard !tables.isEmpty else { return nil }
    return add(key.takeUnretainedValue(), among: tables)
  }

  /// The table at an index.
  func words(at index: Int) -> UnsafePointer<UInt64> { entries[index].table._withUnsafeGuaranteedRef { $0.words } }

  /// The key of the table at an index.
  func key(at index: Int) -> P256SignerKey { owned[index].key }

  /// Makes room, and releases tables that their engine has evicted, or whose engine no longer exists. Called before
  /// each token or window, because signatures refer to tables by their indices.
  mutating func trim() {
    guard entries.count >= Self.capacity || hasRetired else { return }
    entries.removeAll(keepingCapacity: true)
    owned.removeAll(keepingCapacity: true)
  }

  private var hasRetired: Bool {
    for entry in entries where entry.table._withUnsafeGuaranteedRef({ $0.hasRetired }) { return true }
    return false
  }

  private mutating func add(_ key: P256SignerKey, among tables: SignerTables) -> Int? {
    guard let table = tables.table(for: key) else { return nil }
    entries.append(Entry(key: Unmanaged.passUnretained(key), table: Unmanaged.passUnretained(table)))
    owned.append((key, table))
    return entries.count - 1
  }
}
