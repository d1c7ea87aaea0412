extension DecryptionPool {
  /// A pool's threads, bounds and waiting times. Docs/Embedding.md has measurements for choosing them.
  ///
  /// A pool does not start with a value outside of the stated range: its initializer throws
  /// `StartFailure.invalidConfiguration`, or `unavailableCPU`.
  public struct Configuration: Sendable {
    /// The number of threads that decrypt batches, 1 to 1,024. Use one for each CPU that may be busy with tokens: a
    /// worker with requests waits for nothing but callbacks, a replay store, or an external key.
    public var workers: Int
    /// The CPUs that workers are pinned to, in order. If there are more workers than CPUs, the next worker gets the
    /// first CPU again. If empty, workers are not pinned.
    ///
    /// Pin workers only if all requests come by `submit`. A worker that answers `decrypt` resumes a task; if the Swift
    /// runtime starts a thread for that, the new thread is pinned to the worker's CPU as well.
    public var cpus: [Int]
    /// The number of requests that may wait for workers, 1 to 16,777,216. Further requests are refused as
    /// `overloaded`. It bounds memory, and the time for which a request waits.
    public var queueCapacity: Int
    /// The total size of the requests that wait for workers, in bytes, at least 1. Further requests are refused as
    /// `overloaded`; a request that waits alone may be larger. In addition each worker holds up to 64 requests, and
    /// each of the slow path's two queues holds up to this number of bytes.
    public var queueBytes: Int
    /// The number of requests in each of the slow path's two queues, 1 to 16,777,216: those whose certificates are new,
    /// and those with a key to unwrap by RSA. Further requests are refused as `overloaded`. The bound is separate from
    /// `queueCapacity` because an attacker can make any number of new certificates.
    public var slowPathCapacity: Int
    /// The number of chains of new certificates that the pool verifies per second, 1 to 1,000,000, after a burst of 64.
    /// Each takes as long as dozens of tokens of a batch, and an attacker can send any number of them. A request is
    /// refused as `overloaded` at once if, at this rate, the turn of its chain comes after its deadline.
    public var unknownChainsPerSecond: Int
    /// How long an idle worker spins before it sleeps; zero or more. Spinning saves the tens of microseconds that it
    /// takes to wake a thread, but keeps a CPU busy.
    public var spinDuration: Duration
    /// How long two to seven waiting requests may wait for others, zero or more: larger batches use the CPU better. A
    /// single request never waits.
    public var batchingDelay: Duration
    /// Whether `decrypt` runs on the caller's thread while the pool is idle, which saves waking a worker. Set it to
    /// `false` if a replay store or an external key can block. A request with an `AsynchronousReplayStore` never runs
    /// there; of one with new certificates only stages 0 to 5 do.
    public var runsOnCallerThread: Bool
    /// The number of requests that may wait for the answer of an `AsynchronousReplayStore`, 1 to 16,777,216. Further
    /// requests are refused as `overloaded`. Besides the request, each takes 1 kB of memory, or more if its payload is
    /// longer.
    public var storeCapacity: Int
    /// How long an `AsynchronousReplayStore` may take to answer; more than zero. A request without an answer by then,
    /// or by its deadline, is refused as `replayStoreUnavailable`.
    public var storeTimeLimit: Duration
    /// How many chains the pool may verify at once if it has verified none for a while. It is more than Apple has
    /// signers, so that a pool that starts can verify the chains of all of them without a delay.
    package var unknownChainBurst = 64
    /// The scheduler that runs the pool's threads in tests of their interleavings; nil outside of tests.
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
  /// The maximum number of requests in a batch.
  static var largestBatch: Int { BatchWorkspace.window }
  /// The number of lanes of the widest kernel, and so of requests that fill it. `fma4` has four lanes, and computes the
  /// same number of requests in two groups.
  static var lanes: Int { 8 }
  /// How long a worker must have accepted no token of EC_v1 before it unwraps keys by RSA itself. A token of EC_v1 that
  /// arrives then has to wait for it. With 500 random arrivals a second or more, fewer than one token in a hundred
  /// follows such a long gap.
  static var quietTimeBeforeUnwrapping: Duration { .milliseconds(10) }
  /// How long a pool must be without new requests to count as idle, so that it may decrypt on the caller's thread. This
  /// is the mean gap at 10,000 requests a second; at lower rates batches save little time.
  static var quietTime: Duration { .microseconds(100) }

  var isValid: Bool {
    // `queueCapacity` and `slowPathCapacity` are bounded because their queues allocate all slots at the start.
    [queueCapacity, slowPathCapacity, storeCapacity].allSatisfy((1...1 << 24).contains)
      && (1...1_024).contains(workers) && queueBytes >= 1 && (1...1_000_000).contains(unknownChainsPerSecond)
      && spinDuration >= .zero && batchingDelay >= .zero && storeTimeLimit > .zero
  }

  /// How many of `waiting` requests one worker takes: an equal share, rounded up to full lanes, and at most
  /// `largestBatch`.
  func share(of waiting: Int) -> Int {
    let equal = (waiting + workers - 1) / workers
    let filled = (equal + Self.lanes - 1) / Self.lanes * Self.lanes
    return min(waiting, filled, Self.largestBatch)
  }

  /// How many of the `count` oldest requests one batch can decrypt by the earliest of their deadlines.
  ///
  /// A result below `count` is a multiple of `lanes`, and at least `lanes`. A deadline that has passed, or that a batch
  /// of `lanes` requests would miss, is ignored: no allowed result meets it.
  ///
  /// - Parameters:
  ///   - time: the time that each request of a batch takes.
  ///   - deadline: returns the deadline of the request at an index, the oldest first; nil if it has none.
  package static func timelySize(
    of count: Int, each time: Duration, at now: ContinuousClock.Instant, deadline: (Int) -> ContinuousClock.Instant?
  ) -> Int {
    let soonest = now.advanced(by: time * lanes)
    var end: ContinuousClock.Instant?
    for index in 0..<count {
      if let deadline = deadline(index), deadline >= soonest { end = min(end ?? deadline, deadline) }
      // With this request the batch would miss the earliest deadline.
      if let end, now.advanced(by: time * (index + 1)) > end { return index / lanes * lanes }
    }
    return count
  }
}
