/// Remembers transactions, so that a token is accepted once (Docs/Verification.md 14.4).
///
/// ``MemoryReplayStore`` serves one process. Several processes need a store that all of them ask, such as the one in
/// Examples/sqlite-replay: what one process remembers another would accept again.
public protocol ReplayStore: Sendable {
  /// One atomic test-and-set of the decoded transactionId, asked only when every other check has passed.
  ///
  /// Must answer `.fresh` only when the identifier is certain to be remembered: a store that cannot be reached, fails
  /// or gives no answer in time answers `.full`, and the token is refused.
  ///
  /// - Parameters:
  ///   - transactionId: the decoded 32 bytes.
  ///   - now: the caller's time. It may be earlier than at the call before: callers are threads, and clocks are set.
  ///   - window: the policy's window in seconds; an entry must live at least twice as long, both ends included.
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict
}

/// A replay store's answer.
@frozen
public enum ReplayVerdict: Hashable, Sendable, BitwiseCopyable {
  /// Not seen before, and remembered from now on.
  case fresh
  /// Seen before.
  case replayed
  /// Not known to be seen before, and cannot be remembered: the token must be refused.
  case full
}

/// Remembers transactions in the memory of this process, within a bound that is fixed when it is made.
///
/// Shared by any number of threads. Nothing is forgotten to make room while it could still be replayed: a store
/// without room answers `.full`, and the token is refused. A transaction is remembered for twice the window, both ends
/// included, and longer while there is room.
///
/// Why a token cannot be fresh twice, whatever the clocks do: it was signed at s, and is asked about only at times n
/// with |s − n| ≤ window, so at times that lie no further apart than twice the window. At the second time its entry is
/// either still there, or it was forgotten. Then its shard is full ever after, and makes room only by forgetting its
/// oldest entry, which is no older than those forgotten before, when that is older than twice the window; the first
/// time is not.
public final class MemoryReplayStore: ReplayStore {
  /// The longest window it may be asked with, in seconds.
  public let longestWindow: UInt32
  private let shards: [ReplayShard]

  /// An empty store.
  ///
  /// Reserves at most 56 bytes an entry (48 and its part in the chains), and never more. Transactions are spread over
  /// up to 64 shards by a keyed hash. Where there are several, each has an eighth more room than its share, so that none
  /// is full long before the others; below 8,192 entries there is one, of exactly `capacity`.
  ///
  /// - Parameters:
  ///   - capacity: how many transactions it is to remember, 0...2^31: those accepted in twice the window, at the
  ///     busiest time.
  ///   - longestWindow: the longest window of the policies it is used with. Asked with a longer one it answers `.full`:
  ///     it may have forgotten what such a policy still accepts.
  public init(capacity: Int, longestWindow: UInt32 = 300) {
    precondition((0...Self.largestCapacity).contains(capacity), "capacity of a replay store")
    let room = Self.room(for: capacity)
    self.longestWindow = longestWindow
    shards = (0..<room.shards).map { _ in ReplayShard(capacity: room.entries, lifetime: 2 * UInt64(longestWindow)) }
  }

  /// One atomic test-and-set; `.full` also for a window longer than `longestWindow`.
  public func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    // Seeded for each process, so that nobody can choose identifiers that meet in one shard or chain.
    let hash = UInt(bitPattern: transactionId.hashValue)
    // The lowest bits choose the shard, those above them the chain in it.
    let (rest, shard) = hash.quotientAndRemainder(dividingBy: UInt(shards.count))
    return shards[Int(shard)].insert(transactionId, hash: rest, at: now, remembering: window <= longestWindow)
  }

  /// The most transactions it holds at any time.
  public var entryLimit: Int { shards.count * (shards.first?.capacity ?? 0) }

  /// The memory it has reserved, in bytes.
  package var allocatedBytes: Int { shards.reduce(0) { $0 + $1.allocatedBytes } }

  private static let largestCapacity = 1 << 31
  private static let mostShards = 64
  private static let fewestEntriesOfShard = 4_096

  private static func room(for capacity: Int) -> (shards: Int, entries: Int) {
    var shards = 1
    while shards < mostShards, capacity / (2 * shards) >= fewestEntriesOfShard { shards *= 2 }
    guard shards > 1 else { return (1, capacity) }
    // An eighth of 4,096 or more is at least eight standard deviations of a shard's share.
    let share = (capacity + shards - 1) / shards
    return (shards, share + share / 8)
  }
}
