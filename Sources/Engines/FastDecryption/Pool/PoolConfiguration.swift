extension DecryptionPool {
  /// How much a pool takes, and what it spends on waiting (Docs/Embedding.md has a table for choosing).
  public struct Configuration: Sendable {
    /// Threads that decrypt batches, at least one. One for each CPU that is to be busy with tokens, no more: they wait for
    /// nothing but callbacks, a replay store, or a key that is held elsewhere.
    public var workers: Int
    /// The CPUs the workers are pinned to, one after the other and then from the front; empty to leave that to the system.
    /// A thread that the Swift runtime starts while a pinned worker resumes a task inherits the CPU: pin where callbacks
    /// are used.
    public var cpus: [Int]
    /// How many requests may wait. Beyond it a request is refused as `overloaded`: the bound of memory, and of how long
    /// an accepted one waits.
    public var queueCapacity: Int
    /// How many bytes the waiting requests may have together; one alone may have more. Workers have up to 64 requests each
    /// in hand beside these, and the slow path its own.
    public var queueBytes: Int
    /// How many requests may wait for certificates not seen yet, of one of which any attacker can make as many as he likes.
    public var slowPathCapacity: Int
    /// How long an idle worker looks for work before it sleeps. Waking one takes the system tens of microseconds; a long
    /// time costs a CPU for as long.
    public var spinDuration: Duration
    /// How long two to seven waiting requests may wait for others, which saves time on the whole; a lone one never waits.
    public var batchingDelay: Duration
    /// Whether the async form decrypts on the caller's own thread when the pool has been idle for a while, which saves
    /// waking a worker. Say no where a replay store or a key held elsewhere can keep a thread waiting.
    public var runsOnCallerThread: Bool

    public init(
      workers: Int = 1, cpus: [Int] = [], queueCapacity: Int = 1_024, queueBytes: Int = 16 << 20,
      slowPathCapacity: Int = 256, spinDuration: Duration = .microseconds(50), batchingDelay: Duration = .zero,
      runsOnCallerThread: Bool = true
    ) {
      self.workers = workers
      self.cpus = cpus
      self.queueCapacity = queueCapacity
      self.queueBytes = queueBytes
      self.slowPathCapacity = slowPathCapacity
      self.spinDuration = spinDuration
      self.batchingDelay = batchingDelay
      self.runsOnCallerThread = runsOnCallerThread
    }
  }

  /// Why a pool could not start.
  public enum StartFailure: Error, Hashable, Sendable {
    /// A number of the configuration is below one, or a time below zero.
    case invalidConfiguration
    /// The system or libcrypto has no memory left for the workers' buffers.
    case outOfMemory
    /// The system refused a thread.
    case threadCreationFailed
    /// The process may not run on this CPU, or there is none of that number.
    case unavailableCPU(Int)
  }
}

extension DecryptionPool.Configuration {
  /// How many tokens share a window of the kernel at most.
  static var largestBatch: Int { BatchWorkspace.window }
  /// How many fill the lanes.
  static var lanes: Int { 8 }
  /// Requests of the slow path that are decided together: verifying certificates takes near a millisecond, for which
  /// those behind wait.
  static var slowPathBatch: Int { lanes }
  /// A pool is idle once no request came for so long. Below 10,000 requests a second batches save nothing that anybody
  /// would miss.
  static var quietTime: Duration { .microseconds(100) }

  var isUsable: Bool {
    workers >= 1 && queueCapacity >= 1 && queueBytes >= 1 && slowPathCapacity >= 1 && spinDuration >= .zero
      && batchingDelay >= .zero
  }

  /// How many of `waiting` requests one worker takes: an equal share, but lanes are filled before they are shared.
  func share(of waiting: Int) -> Int {
    let equal = (waiting + workers - 1) / workers
    let filled = (equal + Self.lanes - 1) / Self.lanes * Self.lanes
    return min(waiting, filled, Self.largestBatch)
  }
}
