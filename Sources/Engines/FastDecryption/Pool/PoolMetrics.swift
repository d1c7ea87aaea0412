import PaymentToken

/// Counts of a pool since its start, which never fall, and its present state, as plain values for a server to export.
public struct PoolMetrics: Sendable {
  /// Requests that wait for a worker now. Includes cancelled requests that no worker has reached yet.
  public internal(set) var queueDepth = 0
  /// The total size of these requests, in bytes.
  public internal(set) var queueBytes = 0
  /// Requests that wait for the slow path now.
  public internal(set) var slowPathDepth = 0
  /// Requests that wait for the answer of an asynchronous replay store now.
  public internal(set) var awaitingStore = 0
  /// Requests that the pool has admitted and not answered yet.
  public internal(set) var inFlight = 0
  /// Requests that the pool admitted.
  public internal(set) var submitted: UInt64 = 0
  /// Requests answered with a payment.
  public internal(set) var accepted: UInt64 = 0
  /// Requests whose token was rejected (`DecryptionPool.Refusal.token`), by the code of the fault.
  public internal(set) var refusedByCode: [TokenFault.Code: UInt64] = [:]
  /// Requests refused as `DecryptionPool.Refusal.overloaded`.
  public internal(set) var overloaded: UInt64 = 0
  /// Requests cancelled before a worker began them, or before the slow path returned them.
  public internal(set) var cancelled: UInt64 = 0
  /// Requests whose deadline passed before a worker began them, or before the slow path returned them.
  public internal(set) var expired: UInt64 = 0
  /// Requests refused because the pool was shutting down.
  public internal(set) var refusedAtShutDown: UInt64 = 0
  /// Requests decrypted on their caller's thread.
  public internal(set) var ranOnCallerThread: UInt64 = 0
  /// Requests sent to the slow path because of their certificates, including those that it did not admit. A request
  /// counts again if it is sent there again, such as after the engine was replaced.
  public internal(set) var sentToSlowPath: UInt64 = 0
  /// Requests sent to the slow path to unwrap a key by RSA (RSA_v1), including those that it did not admit.
  public internal(set) var postponedUnwrapping: UInt64 = 0
  /// The number of batches of each size; the index is the size.
  public internal(set) var batchesBySize = [UInt64](repeating: 0, count: DecryptionPool.Configuration.largestBatch + 1)
  /// Times from submission to answer, of the requests answered with a payment or a fault.
  public internal(set) var latency = LatencyHistogram()
  /// The time that all workers together have spent on batches, in nanoseconds, with the callbacks of those requests
  /// that need no answer of an asynchronous store.
  public internal(set) var busyNanoseconds: UInt64 = 0

  /// Requests whose token was rejected.
  public var refused: UInt64 { refusedByCode.values.reduce(0, +) }

  /// Creates metrics with all counts zero.
  package init() {}
}
