/// Remembers transactions, so that a token is accepted only once (rule 14.4).
///
/// ``MemoryReplayStore`` serves one process. Several processes need one store that they share, or each accepts a token
/// that another has accepted. Of the products of this package, SQLiteReplayStore serves one machine,
/// PostgreSQLReplayStore and RedisReplayStore serve several.
public protocol ReplayStore: Sendable {
  /// Tests and sets the transactionId in one atomic step. Engines call it last, when every other check has passed.
  ///
  /// Return `.fresh` only when the identifier is certain to be remembered. Return `.unavailable` if the store cannot be
  /// reached, fails or times out: the token is then rejected.
  ///
  /// - Parameters:
  ///   - transactionId: the decoded 32 bytes.
  ///   - now: the caller's time. It may be earlier than in the previous call, because threads race and clocks are set.
  ///   - window: the policy's window in seconds. An entry must live at least twice as long, both ends included, by
  ///     callers' times. Clocks differ, and a request may have waited in a pool's queue since `now`. So a store that
  ///     goes by another clock, such as a database's, keeps an entry longer: by twice the greatest difference between
  ///     that clock and `now` at which it still returns `.fresh`.
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict

  /// This store, if it can be asked without waiting for the answer. `nil` by default.
  var asynchronous: (any AsynchronousReplayStore)? { get }
}

extension ReplayStore {
  /// Nil: the store answers on the thread that asks.
  public var asynchronous: (any AsynchronousReplayStore)? { nil }
}

/// The result of ``ReplayStore/insert(_:at:window:)``.
@frozen
public enum ReplayVerdict: Hashable, Sendable, BitwiseCopyable {
  /// Not seen before, and now remembered.
  case fresh
  /// Seen before.
  case replayed
  /// Unknown, and cannot be remembered: the token must be rejected.
  case full
  /// The store did not answer. It may or may not have remembered the transaction: the token must be rejected.
  case unavailable
}

/// Remembers transactions in the memory of this process, with a fixed capacity.
///
/// Any number of threads may share it. No entry is forgotten while its token could still be replayed: a store without
/// room returns `.full`, and the token is rejected. A transaction is remembered for twice `longestWindow`, both ends
/// included, and longer while there is room.
///
/// Why a token cannot be fresh twice, whatever the clocks do: a token signed at s is only looked up at times n with
/// |s − n| ≤ window, so any two lookups are at most twice the window apart. At the second lookup its entry is either
/// present, or was forgotten to make room. A shard forgets only its oldest entry, in order of time, and only if that
/// entry is older than twice `longestWindow`. The entry of the first lookup is not that old.
///
/// It knows nothing of the time before it was made: a token that an earlier process accepted is fresh again. Where
/// processes restart, use a store that outlives them, or refuse tokens that may have been accepted before: set
/// ``VerificationPolicy/signingTimes`` to the range from start + t + 1 second to now + t. Here t is the greatest error
/// of a clock. The earlier process must have ended before the start, and have had the same upper bound.
public final class MemoryReplayStore: ReplayStore {
  /// The longest supported window, in seconds.
  public let longestWindow: UInt32
  private let shards: [ReplayShard]

  /// Makes an empty store.
  ///
  /// It reserves at most 63 bytes for each transaction of `capacity`, and never grows. A keyed hash spreads
  /// transactions over up to 64 shards, each with an eighth more room than its share, so that none fills up long before
  /// the others. Below 8,192 entries there is one shard of exactly `capacity`.
  ///
  /// - Parameters:
  ///   - capacity: the number of transactions to remember, 0...2^31: those accepted in twice the window at the busiest
  ///     time.
  ///   - longestWindow: the longest window of the policies that use the store, in seconds. For a longer window it
  ///     returns `.full`, because it may have forgotten transactions that such a policy still accepts.
  public init(capacity: Int, longestWindow: UInt32 = 300) {
    precondition((0...Self.maximumCapacity).contains(capacity), "capacity of a replay store")
    let room = Self.room(for: capacity)
    self.longestWindow = longestWindow
    shards = (0..<room.shards).map { _ in ReplayShard(capacity: room.entries, lifetime: 2 * UInt64(longestWindow)) }
  }

  /// Tests and sets in one atomic step. If the window exceeds `longestWindow`, returns `.full` instead of `.fresh`.
  public func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    // The hash is seeded per process, so nobody can choose identifiers that collide in one shard or chain.
    let hash = UInt(bitPattern: transactionId.hashValue)
    // The lowest bits choose the shard, those above them the chain in it.
    let (rest, shard) = hash.quotientAndRemainder(dividingBy: UInt(shards.count))
    return shards[Int(shard)].insert(transactionId, hash: rest, at: now, remembering: window <= longestWindow)
  }

  /// The maximum number of transactions that it holds.
  public var entryLimit: Int { shards.reduce(0) { $0 + $1.capacity } }

  /// The reserved memory, in bytes.
  package var allocatedBytes: Int { shards.reduce(0) { $0 + $1.allocatedBytes } }

  private static let maximumCapacity = 1 << 31
  private static let maximumShards = 64
  private static let minimumShardCapacity = 4_096

  private static func room(for capacity: Int) -> (shards: Int, entries: Int) {
    var shards = 1
    while shards < maximumShards, capacity / (2 * shards) >= minimumShardCapacity { shards *= 2 }
    guard shards > 1 else { return (1, capacity) }
    // An eighth of 4,096 or more is at least eight standard deviations of a shard's load.
    let share = (capacity + shards - 1) / shards
    return (shards, share + share / 8)
  }
}
