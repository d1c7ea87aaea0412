import PaymentToken

/// What a pool has done since it began, and how it stands: plain values, for a server to export.
public struct PoolMetrics: Sendable {
  /// Requests that wait for a worker now, taken back ones included until a worker has passed them.
  public internal(set) var queueDepth = 0
  /// Their bytes.
  public internal(set) var queueBytes = 0
  /// Requests that wait for the slow path now.
  public internal(set) var slowPathDepth = 0
  /// Requests taken and not answered.
  public internal(set) var inFlight = 0
  /// Requests taken.
  public internal(set) var submitted: UInt64 = 0
  /// Requests that were answered with a payment.
  public internal(set) var accepted: UInt64 = 0
  /// Requests that were answered with an engine's verdict against them.
  public internal(set) var refusedByCode: [TokenFault.Code: UInt64] = [:]
  /// Requests not taken because the queue was full, or answered so because the slow path was.
  public internal(set) var overloaded: UInt64 = 0
  /// Requests taken back before they were begun.
  public internal(set) var cancelled: UInt64 = 0
  /// Requests whose deadline passed before they were begun.
  public internal(set) var expired: UInt64 = 0
  /// Requests not taken because the pool was shutting down.
  public internal(set) var refusedAtShutDown: UInt64 = 0
  /// Requests that were decrypted on the caller's thread.
  public internal(set) var ranOnCallerThread: UInt64 = 0
  /// Requests that went to the slow path; one may go there again when the engine is replaced meanwhile.
  public internal(set) var sentToSlowPath: UInt64 = 0
  /// How many batches there were of each size; the index is the size.
  public internal(set) var batchesBySize = [UInt64](repeating: 0, count: DecryptionPool.Configuration.largestBatch + 1)
  /// From submission to answer, of the requests that were accepted or refused by an engine.
  public internal(set) var latency = LatencyHistogram()
  /// Time that workers have spent on batches, in nanoseconds, of all together; what callbacks take included.
  public internal(set) var busyNanoseconds: UInt64 = 0

  /// How many requests an engine refused.
  public var refused: UInt64 { refusedByCode.values.reduce(0, +) }

  /// Counts of a pool that has done nothing yet.
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

/// One thread's counts, so that threads do not count in the same place; read by whoever asks for the pool's.
final class Tally: Sendable {
  enum Event {
    case cancelled, expired, overloaded, cold, lentCaller
  }

  private let counts = Guarded(PoolMetrics())

  /// Adds them, without keeping anything that the thread would have to copy before it counts on.
  func add(to metrics: inout PoolMetrics) { counts.withLock { metrics.add($0) } }

  func count(_ event: Event) {
    counts.withLock { counts in
      switch event {
      case .cancelled: counts.cancelled += 1
      case .expired: counts.expired += 1
      case .overloaded: counts.overloaded += 1
      case .cold: counts.sentToSlowPath += 1
      case .lentCaller: counts.ranOnCallerThread += 1
      }
    }
  }

  func countAccepted(after latency: Duration) {
    counts.withLock { counts in
      counts.accepted += 1
      counts.latency.record(latency)
    }
  }

  func countRefused(_ fault: TokenFault, after latency: Duration) {
    counts.withLock { counts in
      counts.refusedByCode[fault.code, default: 0] += 1
      counts.latency.record(latency)
    }
  }

  func countBatch(of size: Int, taking time: Duration) {
    counts.withLock { counts in
      counts.batchesBySize[size] += 1
      counts.busyNanoseconds &+= LatencyHistogram.nanoseconds(time)
    }
  }
}
