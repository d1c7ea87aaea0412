extension DecryptionPool {
  /// A pool's threads, bounds and waiting times. Docs/Embedding.md has measurements for choosing them.
  public struct Configuration: Sendable {
    /// The number of threads that decrypt batches, at least 1. Use one per CPU that should be busy with tokens: a
    /// worker waits only for callbacks, a replay store, or an external key.
    public var workers: Int
    /// The CPUs that workers are pinned to, in order and then again from the first. Empty leaves the choice to the
    /// system.
    ///
    /// A thread that the Swift runtime starts while a pinned worker resumes a task inherits the worker's CPU: pin
    /// workers only where requests come by `submit`.
    public var cpus: [Int]
    /// The number of requests that may wait, at least 1. Further requests are refused as `overloaded`. Bounds memory,
    /// and the time that an accepted request waits.
    public var queueCapacity: Int
    /// The total size of the waiting requests, in bytes, at least 1. A single request may exceed it. Workers hold up to
    /// 64 requests each in addition, and the slow path has a queue of the same size.
    public var queueBytes: Int
    /// The number of requests that may wait for the verification of new certificates, at least 1, and of those that may
    /// wait for a key to be unwrapped by RSA. An attacker can make any number of new certificates.
    public var slowPathCapacity: Int
    /// How many chains of new certificates the pool verifies a second, 1 to 1,000,000, after 64 at once. Each takes as
    /// long as dozens of tokens, and an attacker can send any number of them. A request that would not be begun by its
    /// deadline is refused as `overloaded`.
    public var unknownChainsPerSecond: Int
    /// How long an idle worker spins before it sleeps. Waking a thread takes tens of microseconds; spinning keeps a CPU
    /// busy.
    public var spinDuration: Duration
    /// How long two to seven waiting requests may wait for others, which makes better use of the CPU. A single request
    /// never waits.
    public var batchingDelay: Duration
    /// Whether `decrypt` runs on the caller's thread while the pool is idle, which saves waking a worker. Set it to
    /// `false` if a replay store or an external key can block. A request with an `AsynchronousReplayStore` or with new
    /// certificates never does.
    public var runsOnCallerThread: Bool
    /// The number of accepted requests that may wait for an `AsynchronousReplayStore`, at least 1. Further requests are
    /// refused as `overloaded`. Each takes 1 kB.
    public var storeCapacity: Int
    /// How long an `AsynchronousReplayStore` may take. A request without its answer by then, or by its deadline, is
    /// refused as `replayStoreUnavailable`.
    public var storeTimeLimit: Duration
    /// How many chains may be verified at once after a while without any: more than Apple has signers, so that a pool
    /// that starts need not wait for any of them.
    package var unknownChainBurst = 64
    /// Runs the pool's threads in a test of their interleavings.
    package var schedule: (any PoolSchedule)?

    /// Creates a configuration; the defaults suit one worker and a local replay store.
    public init(
      workers: Int = 1, cpus: [Int] = [], queueCapacity: Int = 1_024, queueBytes: Int = 16 << 20,
      slowPathCapacity: Int = 256, unknownChainsPerSecond: Int = 10, spinDuration: Duration = .microseconds(50),
      batchingDelay: Duration = .zero, runsOnCallerThread: Bool = true, storeCapacity: Int = 4_096,
      storeTimeLimit: Duration = .seconds(1)
    ) {
      self.workers = workers
      self.cpus = cpus
      self.queueCapacity = queueCapacity
      self.queueBytes = queueBytes
      self.slowPathCapacity = slowPathCapacity
      self.unknownChainsPerSecond = unknownChainsPerSecond
      self.spinDuration = spinDuration
      self.batchingDelay = batchingDelay
      self.runsOnCallerThread = runsOnCallerThread
      self.storeCapacity = storeCapacity
      self.storeTimeLimit = storeTimeLimit
    }
  }
}

extension DecryptionPool.Configuration {
  /// The most requests of a batch.
  static var largestBatch: Int { BatchWorkspace.window }
  /// The number of requests that fill the lanes of the widest kernel; `fma4` computes them in two groups of four.
  static var lanes: Int { 8 }
  /// How long a worker must have had no token of EC_v1 before it unwraps keys by RSA itself. At 500 random arrivals a
  /// second or more, fewer than one token in a hundred follows a gap that long and may find the worker unwrapping.
  static var quietTimeBeforeUnwrapping: Duration { .milliseconds(10) }
  /// How long a pool must be without requests to count as idle. Below 10,000 requests a second, batches save little
  /// time.
  static var quietTime: Duration { .microseconds(100) }

  var isValid: Bool {
    workers >= 1 && queueCapacity >= 1 && queueBytes >= 1 && slowPathCapacity >= 1
      && (1...1_000_000).contains(unknownChainsPerSecond) && spinDuration >= .zero && batchingDelay >= .zero
      && storeCapacity >= 1 && storeTimeLimit > .zero
  }

  /// How many of `waiting` requests one worker takes: an equal share, rounded up to full lanes.
  func share(of waiting: Int) -> Int {
    let equal = (waiting + workers - 1) / workers
    let filled = (equal + Self.lanes - 1) / Self.lanes * Self.lanes
    return min(waiting, filled, Self.largestBatch)
  }

  /// How many of the `count` oldest requests make a batch that ends before the earliest of their deadlines: full groups
  /// of lanes, and one group at least. A deadline that even this group would miss, or that has passed, does not count.
  ///
  /// - Parameters:
  ///   - time: the time that a request of a batch takes.
  ///   - deadline: the deadline of the request of that index.
  package static func timelySize(
    of count: Int, each time: Duration, at now: ContinuousClock.Instant, deadline: (Int) -> ContinuousClock.Instant?
  ) -> Int {
    let soonest = now.advanced(by: time * lanes)
    var end: ContinuousClock.Instant?
    for index in 0..<count {
      if let deadline = deadline(index), deadline >= soonest { end = min(end ?? deadline, deadline) }
      // The batch cannot take this request in.
      if let end, now.advanced(by: time * (index + 1)) > end { return max(lanes, index / lanes * lanes) }
    }
    return count
  }
}
