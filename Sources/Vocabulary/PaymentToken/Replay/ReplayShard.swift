import Synchronization

/// A part of a replay store with its own lock.
final class ReplayShard: Sendable {
  /// The maximum number of entries.
  let capacity: Int
  private let state: Mutex<ReplayEntries>

  /// - Parameter lifetime: the time in seconds that an entry must be remembered.
  init(capacity: Int, lifetime: UInt64) {
    self.capacity = capacity
    state = Mutex(ReplayEntries(capacity: capacity, lifetime: lifetime))
  }

  var allocatedBytes: Int { state.withLock { $0.allocatedBytes } }

  /// Looks an identifier up and, if `remembering`, adds it, under one lock. Without adding, returns `.replayed` or
  /// `.full`.
  func insert(_ id: Bytes32, hash: UInt, at now: UnixTime, remembering: Bool) -> ReplayVerdict {
    state.withLock { entries in
      if entries.contains(id, hash: hash) { return .replayed }
      guard remembering else { return .full }
      return entries.append(id, hash: hash, at: now) ? .fresh : .full
    }
  }
}

/// Entries in the order of their times, oldest first, found by hash.
///
/// A ring buffer with chained hashing: when it is full, a new entry replaces the oldest if that has expired. There are
/// at least as many chains as entries, so a chain has at most one entry on average.
struct ReplayEntries {
  private struct Entry {
    let id: Bytes32
    let time: UnixTime
    let chain: UInt32
    /// The next entry of the same chain, always an older one.
    var next: UInt32
  }

  private static let none = UInt32.max

  private let capacity: Int
  private let lifetime: UInt64
  private var entries: [Entry] = []
  /// The index of the oldest entry when the ring is full.
  private var oldest = 0
  /// The first entry of each chain; the number of chains is a power of two.
  private var chains: [UInt32]
  /// The latest time of any entry. A new entry never gets an earlier one.
  private var latest: UnixTime?

  init(capacity: Int, lifetime: UInt64) {
    self.capacity = capacity
    self.lifetime = lifetime
    entries.reserveCapacity(capacity)
    var chainCount = 1
    while chainCount < capacity { chainCount *= 2 }
    chains = [UInt32](repeating: Self.none, count: chainCount)
  }

  var allocatedBytes: Int {
    entries.capacity * MemoryLayout<Entry>.stride + chains.capacity * MemoryLayout<UInt32>.stride
  }

  /// Whether the identifier is remembered.
  func contains(_ id: Bytes32, hash: UInt) -> Bool {
    var index = chains[chain(of: hash)]
    while index != Self.none {
      let entry = entries[Int(index)]
      if entry.id == id { return true }
      index = entry.next
    }
    return false
  }

  /// Remembers an identifier that is not yet remembered; false when there is no room.
  mutating func append(_ id: Bytes32, hash: UInt, at now: UnixTime) -> Bool {
    guard let index = freePlace(at: now) else { return false }
    // Times stay in order even if clocks go back. An entry may therefore live longer, never shorter.
    let time = max(now, latest ?? now)
    latest = time
    let chain = chain(of: hash)
    let entry = Entry(id: id, time: time, chain: UInt32(chain), next: chains[chain])
    if index == entries.count { entries.append(entry) } else { entries[index] = entry }
    chains[chain] = UInt32(index)
    return true
  }

  /// The index for a new entry: an unused one, else the oldest entry's, which is forgotten; nil if it has not expired.
  ///
  /// All entries that were forgotten earlier are older than this one. So they have expired at `now` too, even if the
  /// clock has gone back since.
  private mutating func freePlace(at now: UnixTime) -> Int? {
    if entries.count < capacity { return entries.count }
    guard capacity > 0, hasExpired(entries[oldest].time, at: now) else { return nil }
    let place = oldest
    unlink(UInt32(place))
    oldest = place + 1 == capacity ? 0 : place + 1
    return place
  }

  /// Removes the oldest entry, which is the last of its chain, from the chain.
  private mutating func unlink(_ place: UInt32) {
    let chain = Int(entries[Int(place)].chain)
    guard chains[chain] != place else {
      chains[chain] = Self.none
      return
    }
    var index = Int(chains[chain])
    while entries[index].next != place { index = Int(entries[index].next) }
    entries[index].next = Self.none
  }

  /// Whether an entry of that time has expired. Both ends of its lifetime are included in it.
  private func hasExpired(_ time: UnixTime, at now: UnixTime) -> Bool {
    time < now && time.absoluteDistance(to: now) > lifetime
  }

  private func chain(of hash: UInt) -> Int { Int(hash & UInt(chains.count - 1)) }
}
