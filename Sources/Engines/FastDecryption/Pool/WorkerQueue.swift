import Synchronization

/// Distributes waiting requests to workers in batches, and wakes no more workers than the requests need.
///
/// One lock guards three bounded queues: the requests for the workers, and the two kinds that take the slow path
/// (`SlowPath`). A worker that has finished a batch takes the next at once if requests wait: an equal share, rounded up
/// to full SIMD lanes (`Configuration.share`), but no more than it can decide by the earliest of their deadlines. So
/// batches grow with the load, and no request waits for a batch to fill unless `batchingDelay` allows it. A worker that
/// finds nothing spins for `spinDuration`, then parks.
///
/// A new request wakes a parked worker only if the workers that spin or wake up are fewer than the groups of lanes that
/// the waiting requests fill. Waking takes tens of microseconds, and an unnecessary worker splits a batch that one
/// worker would decrypt faster.
///
/// The queue also asks asynchronous stores (`ask`), and wakes a worker once they have answered (`StoreWaits`).
///
/// Bounds: at most `queueCapacity` requests, of `queueBytes` bytes in all, wait for workers; at most `slowPathCapacity`
/// of each kind, of `queueBytes` bytes in all, wait for the slow path. A request that returns from the slow path always
/// has room: the queue reserves a slot for each request that the slow path and the workers can hold. The lock is never
/// held while a request is decided.
final class WorkerQueue: Sendable {
  struct State {
    var queue: SubmissionQueue
    var isClosing = false
    /// Workers that decide a batch, or pass answers of stores to callers.
    var busy: Int
    /// Workers that look for work.
    var spinning = 0
    /// Workers that were woken but do not yet look for work.
    var waking = 0
    /// Workers that sleep.
    var parked: [Int] = []
    var lastArrival: ContinuousClock.Instant
    /// Requests that were added to the queue.
    var submitted: UInt64 = 0
    var overloaded: UInt64 = 0
    var refusedAtClosing: UInt64 = 0
    /// Whether a caller's thread decides a request.
    var isClaimedByCaller = false
    /// Requests whose certificates are not known.
    var unverified: SubmissionQueue
    /// Requests whose key must be unwrapped by RSA.
    var wrapped: SubmissionQueue
    var chainBudget: ChainBudget
    /// Whether the slow path decides a request.
    var isSlowPathBusy = false
    var isSlowPathParked = false
    /// Workers that have not ended, each of which may send requests to the slow path.
    var workersLeft: Int

    /// Whether no request waits for the slow path, and it decides none.
    var isSlowPathEmpty: Bool { unverified.count == 0 && wrapped.count == 0 && !isSlowPathBusy }
  }

  let configuration: DecryptionPool.Configuration
  let state: Locked<State>
  /// The queue's length, for spinning workers, which do not take the lock.
  let waiting = Atomic(0)
  let isClosed = Atomic(false)
  let parkers: [Parker]
  let slowPathParker: Parker
  let waits: StoreWaits
  var schedule: (any PoolSchedule)? { configuration.schedule }

  init(_ configuration: DecryptionPool.Configuration) {
    self.configuration = configuration
    let schedule = configuration.schedule
    parkers = (0..<configuration.workers).map { _ in Parker(schedule) }
    slowPathParker = Parker(schedule)
    waits = StoreWaits(capacity: configuration.storeCapacity, schedule)
    // All requests that the slow path and the workers hold may return at once.
    let reserve =
      2 * configuration.slowPathCapacity + 1 + configuration.workers * DecryptionPool.Configuration.largestBatch
    let slowQueue = SubmissionQueue(
      capacity: configuration.slowPathCapacity, byteCapacity: configuration.queueBytes)
    state = Locked(
      State(
        queue: SubmissionQueue(
          capacity: configuration.queueCapacity, byteCapacity: configuration.queueBytes, reserve: reserve),
        busy: configuration.workers, lastArrival: schedule.now,
        unverified: slowQueue, wrapped: slowQueue, chainBudget: ChainBudget(configuration, at: schedule.now),
        workersLeft: configuration.workers), schedule)
  }
}

// MARK: - Requests

extension WorkerQueue {
  /// Adds a request, and wakes a worker if one is needed.
  ///
  /// - Returns: why it is not added: `overloaded`, `shutDown`, or `cancelled` for a request that its caller has
  ///   cancelled already.
  func append(_ submission: Submission) -> DecryptionPool.Refusal? {
    let (refusal, worker) = state.withLock { state -> (DecryptionPool.Refusal?, Int?) in
      if state.isClosing {
        state.refusedAtClosing += 1
        return (.shutDown, nil)
      }
      state.lastArrival = submission.submitted
      guard state.queue.hasRoom(for: submission.bytes.count) else {
        state.overloaded += 1
        return (.overloaded, nil)
      }
      guard submission.move(from: .caller, to: .queue) else { return (.cancelled, nil) }
      state.submitted += 1
      state.queue.append(submission)
      waiting.store(state.queue.count, ordering: .releasing)
      return (nil, workerToWake(&state))
    }
    if let worker { parkers[worker].wake() }
    return refusal
  }

  /// Claims the pool for a caller's thread. Succeeds only if no worker is busy, and no request waits or arrived
  /// recently; then `releaseCaller` must follow.
  func claimForCaller(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      guard !state.isClosing, !state.isClaimedByCaller, state.busy == 0, state.waking == 0, state.queue.count == 0,
        state.lastArrival.duration(to: now) >= DecryptionPool.Configuration.quietTime
      else { return false }
      state.lastArrival = now
      state.isClaimedByCaller = true
      return true
    }
  }

  func releaseCaller() { state.withLock { $0.isClaimedByCaller = false } }

  var isClaimedByCaller: Bool { state.withLock { $0.isClaimedByCaller } }

  /// Refuses further requests. Workers end once the waiting ones are decided.
  func close() {
    let workers = state.withLock { state in
      state.isClosing = true
      isClosed.store(true, ordering: .releasing)
      return allParkedWorkers(&state)
    }
    for worker in workers { parkers[worker].wake() }
    // The slow path may be waiting for the budget, which a closing pool ignores.
    slowPathParker.wake()
  }

  /// Adds the queue's own counts to those of the threads.
  func add(to metrics: inout PoolMetrics) {
    state.withLock { state in
      metrics.queueDepth = state.queue.count
      metrics.queueBytes = state.queue.bytes
      metrics.slowPathDepth = state.unverified.count + state.wrapped.count
      metrics.awaitingStore = waits.count
      metrics.inFlight = state.isClaimedByCaller ? 1 : 0
      metrics.submitted = state.submitted + metrics.ranOnCallerThread
      metrics.cancelled +=
        UInt64(state.queue.cancelledCount + state.unverified.cancelledCount + state.wrapped.cancelledCount)
      metrics.overloaded += state.overloaded
      metrics.refusedAtShutDown = state.refusedAtClosing
    }
  }

  /// The worker to wake; nil if enough workers already look for requests, or none is parked.
  func workerToWake(_ state: inout State) -> Int? {
    let lanes = DecryptionPool.Configuration.lanes
    let needed =
      (state.queue.count + lanes - 1) / lanes + (waits.hasAnswers ? 1 : 0) + (state.wrapped.count > 1 ? 1 : 0)
    guard state.spinning + state.waking < needed, let worker = state.parked.popLast() else { return nil }
    state.waking += 1
    return worker
  }

  func allParkedWorkers(_ state: inout State) -> [Int] {
    defer { state.parked.removeAll() }
    state.waking += state.parked.count
    return state.parked
  }

  /// A parked worker to wake at the end of the pool. It wakes the next one before it ends.
  func nextParkedWorker(_ state: inout State) -> Int? {
    guard let worker = state.parked.popLast() else { return nil }
    state.waking += 1
    return worker
  }
}
