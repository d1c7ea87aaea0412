import PaymentToken

/// Counts of a pool since its start, and its present state, as plain values for a server to export.
public struct PoolMetrics: Sendable {
  /// Requests that wait for a worker now. Includes cancelled requests that no worker has reached yet.
  public internal(set) var queueDepth = 0
  /// The total size of these requests, in bytes.
  public internal(set) var queueBytes = 0
  /// Requests that wait for the slow path now.
  public internal(set) var slowPathDepth = 0
  /// Requests that wait for the answer of an asynchronous replay store now.
  public internal(set) var awaitingStore = 0
  /// Requests that were accepted by the pool and are not answered yet.
  public internal(set) var inFlight = 0
  /// Requests that the pool accepted.
  public internal(set) var submitted: UInt64 = 0
  /// Requests answered with a payment.
  public internal(set) var accepted: UInt64 = 0
  /// Requests whose token an engine rejected, by the code of the fault.
  public internal(set) var refusedByCode: [TokenFault.Code: UInt64] = [:]
  /// Requests refused because the queue, the slow path's queue or the room for requests that wait for a store was full.
  public internal(set) var overloaded: UInt64 = 0
  /// Requests cancelled before a worker began them.
  public internal(set) var cancelled: UInt64 = 0
  /// Requests whose deadline passed before a worker began them.
  public internal(set) var expired: UInt64 = 0
  /// Requests refused because the pool was shutting down.
  public internal(set) var refusedAtShutDown: UInt64 = 0
  /// Requests decrypted on their caller's thread.
  public internal(set) var ranOnCallerThread: UInt64 = 0
  /// Requests sent to the slow path. A request is counted again if the engine is replaced meanwhile and it returns
  /// there.
  public internal(set) var sentToSlowPath: UInt64 = 0
  /// The number of batches of each size; the index is the size.
  public internal(set) var batchesBySize = [UInt64](repeating: 0, count: DecryptionPool.Configuration.largestBatch + 1)
  /// Times from submission to answer, of the requests that an engine accepted or rejected.
  public internal(set) var latency = LatencyHistogram()
  /// The time that all workers together have spent on batches, in nanoseconds, callbacks included.
  public internal(set) var busyNanoseconds: UInt64 = 0

  /// Requests whose token an engine rejected.
  public var refused: UInt64 { refusedByCode.values.reduce(0, +) }

  /// Creates metrics with all counts zero.
  public init() {}

  mutating func add(_ other: PoolMetrics) {
    accepted += other.accepted
    refusedByCode.merge(other.refusedByCode, uniquingKeysWith: +)
    overloaded += other.overloaded
    cancelled += other.cancelled
    expired += other.expired
    ranOnCallerThread += other.ranOnCallerThread
    sentToSlowPath += other.sentToSlowPath
    for size in batchesBySize.indices { batchesBySize[size] += other.batchesBySize[size] }
    latency.add(other.latency)
    busyNanoseconds &+= other.busyNanoseconds
  }
}

/// The counts of one thread. Each thread has its own, so that threads do not contend for one lock.
final class Tally: Sendable {
  private let counts = Guarded(PoolMetrics())

  /// Adds the counts to `metrics`. Keeps no copy of them, which would make the thread copy its arrays at the next
  /// count.
  func add(to metrics: inout PoolMetrics) { counts.withLock { metrics.add($0) } }

  func count(_ change: (inout PoolMetrics) -> Void) { counts.withLock(change) }

  func countAccepted(after latency: Duration) {
    count { counts in
      counts.accepted += 1
      counts.latency.record(latency)
    }
  }

  func countRefused(_ fault: TokenFault, after latency: Duration) {
    count { counts in
      counts.refusedByCode[fault.code, default: 0] += 1
      counts.latency.record(latency)
    }
  }

  func countBatch(of size: Int, taking time: Duration) {
    count { counts in
      counts.batchesBySize[size] += 1
      counts.busyNanoseconds &+= LatencyHistogram.nanoseconds(time)
    }
  }
}
