import CMachine
import PaymentToken
import Synchronization

/// Distributes waiting requests to workers in batches, and wakes no more workers than the requests need.
///
/// One lock guards three bounded queues: the requests for the workers, and the two kinds that take the slow path
/// (`SlowPath`). While all workers are busy and no request waits for any of them, requests go to their inboxes in turn,
/// so that a busy worker needs no lock that others need too. A worker that has finished a batch takes an equal share of the waiting requests, rounded
/// up to full SIMD lanes (`Configuration.share`), but no more than it can decide by the earliest of their deadlines:
/// batches grow with the load, and no request waits for a batch to fill unless `batchingDelay` allows it. A worker that
/// finds the queue empty spins for `spinDuration`, then parks.
///
/// A new request wakes a parked worker only if fewer workers are spinning or waking up than groups of lanes are
/// waiting. Waking takes tens of microseconds, and a worker too many splits a batch that one worker would decrypt
/// faster.
///
/// Bounds: `queueCapacity` requests and `queueBytes` bytes wait for workers, and as many of each kind as
/// `slowPathCapacity` for the slow path. A request that returns from the slow path always has room: the queue reserves a place for each request that
/// the slow path and the workers can hold. The lock is held for a few assignments, and never while a request is
/// decided.
final class WorkerQueue: Sendable {
  struct State {
    var queue: SubmissionQueue
    var isClosing = false
    /// Workers that decide a batch.
    var busy: Int
    /// Workers that look for requests.
    var spinning = 0
    /// Workers that were woken and do not look for requests yet.
    var waking = 0
    /// Workers that sleep.
    var parked: [Int] = []
    /// When the last request arrived.
    var lastArrival: ContinuousClock.Instant
    var submitted: UInt64 = 0
    var overloaded: UInt64 = 0
    var refusedAtClosing: UInt64 = 0
    /// No fewer than the requests in inboxes, and their bytes: callers add, and count again when there seems to be no room.
    var inboxed = (count: 0, bytes: 0)
    /// The worker whose inbox is the next.
    var turn = 0
    /// Whether a caller's thread decides a request.
    var isClaimedByCaller = false
    /// Requests whose certificates are not known.
    var unverified: SubmissionQueue
    /// Requests whose key must be unwrapped by RSA.
    var wrapped: SubmissionQueue
    /// Whether the slow path decides a request.
    var isSlowPathBusy = false
    var isSlowPathParked = false
    /// Workers that have not ended, each of which may send requests to the slow path.
    var workersLeft: Int

    /// Whether a request of `size` bytes has room among the waiting requests. If none waits, one of any size has.
    func hasRoom(for size: Int, in configuration: DecryptionPool.Configuration) -> Bool {
      let count = queue.count + inboxed.count
      guard count > 0 else { return true }
      return count < configuration.queueCapacity && queue.bytes + inboxed.bytes + size <= configuration.queueBytes
    }

    /// Whether no request will return from the slow path.
    var isSlowPathEmpty: Bool { unverified.count == 0 && wrapped.count == 0 && !isSlowPathBusy }
  }

  /// A worker's next step.
  private enum Step {
    /// Decide requests, or pass answers of stores to callers.
    case work
    /// Look for a request for `spinDuration`.
    case spin
    case collect(until: ContinuousClock.Instant)
    /// Sleep until woken, or until a store's time is over or the worker may decide a request with a wrapped key.
    case park(until: ContinuousClock.Instant?)
    case end
  }

  let configuration: DecryptionPool.Configuration
  let state: Guarded<State>
  /// The queue's length, for spinning workers, which do not take the lock.
  let waiting = Atomic(0)
  private let isClosed = Atomic(false)
  let parkers: [Parker]
  /// One for each worker; none where a single worker has nobody to share with, or requests may wait for a batch to fill.
  let inboxes: [Inbox]
  /// What each worker has seen of the inboxes.
  let watches: [InboxWatch]
  let slowPathParker = Parker()
  /// Requests that wait for asynchronous stores.
  let waits: StoreWaits
  /// Gets the times of lone requests, if they are measured.
  var trace: PoolTrace? { configuration.trace }

  init(_ configuration: DecryptionPool.Configuration) {
    self.configuration = configuration
    parkers = (0..<configuration.workers).map { _ in Parker() }
    let hasInboxes = configuration.workers > 1 && configuration.batchingDelay == .zero
    inboxes = (0..<(hasInboxes ? configuration.workers : 0)).map { _ in Inbox() }
    watches = inboxes.map { [count = inboxes.count] _ in InboxWatch(inboxes: count) }
    waits = StoreWaits(capacity: configuration.storeCapacity)
    // All requests that the slow path and the workers hold may return at once.
    let reserve =
      2 * configuration.slowPathCapacity + 1 + configuration.workers * DecryptionPool.Configuration.largestBatch
    let slowQueue = SubmissionQueue(
      capacity: configuration.slowPathCapacity, byteCapacity: configuration.queueBytes)
    state = Guarded(
      State(
        queue: SubmissionQueue(
          capacity: configuration.queueCapacity, byteCapacity: configuration.queueBytes, reserve: reserve),
        busy: configuration.workers, lastArrival: .now,
        unverified: slowQueue, wrapped: slowQueue, workersLeft: configuration.workers))
  }
}

// MARK: - Requests

extension WorkerQueue {
  /// Adds a request, and wakes a worker if one is needed.
  ///
  /// - Throws: `overloaded`, `shutDown`, or `cancelled` for a request that its caller has cancelled already.
  func append(_ submission: Submission) throws(DecryptionPool.Refusal) {
    let (refusal, worker) = state.withLock { state -> (DecryptionPool.Refusal?, Int?) in
      if state.isClosing {
        state.refusedAtClosing += 1
        return (.shutDown, nil)
      }
      state.lastArrival = submission.submitted
      guard hasRoom(&state, for: submission.bytes.count) else {
        state.overloaded += 1
        return (.overloaded, nil)
      }
      guard submission.enqueue() else { return (.cancelled, nil) }
      state.submitted += 1
      if state.queue.count == 0, giveToBusyWorker(&state, submission) { return (nil, nil) }
      state.queue.append(submission)
      waiting.store(state.queue.count, ordering: .releasing)
      return (nil, workerToWake(&state))
    }
    trace?.mark(.queued)
    if let worker { parkers[worker].wake() }
    trace?.mark(.woken)
    if let refusal { throw refusal }
  }

  /// Claims the pool for a caller's thread. Succeeds only if no request waits, no worker is busy and none arrived
  /// recently; then `releaseCaller` must follow.
  func claimForCaller(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      guard !state.isClosing, !state.isClaimedByCaller, state.busy == 0, state.waking == 0, state.queue.count == 0,
        state.lastArrival.duration(to: now) >= DecryptionPool.Configuration.quietTime
      else { return false }
      state.lastArrival = now
      state.isClaimedByCaller = true
      state.submitted += 1
      return true
    }
  }

  func releaseCaller() {
    state.withLock { $0.isClaimedByCaller = false }
  }

  /// Whether a caller's thread decides a request.
  var isClaimedByCaller: Bool { state.withLock { $0.isClaimedByCaller } }

  /// Refuses further requests. Workers end once the waiting ones are decided.
  func close() {
    let workers = state.withLock { state in
      state.isClosing = true
      isClosed.store(true, ordering: .releasing)
      return allParkedWorkers(&state)
    }
    for worker in workers { parkers[worker].wake() }
  }

  /// Adds the queue's own counts.
  func add(to metrics: inout PoolMetrics) {
    state.withLock { state in
      metrics.queueDepth = inboxes.reduce(state.queue.count) { $0 + $1.count }
      metrics.queueBytes = inboxes.reduce(state.queue.bytes) { $0 + $1.bytes }
      metrics.slowPathDepth = state.unverified.count + state.wrapped.count
      metrics.awaitingStore = waits.count
      metrics.submitted = state.submitted
      metrics.overloaded += state.overloaded
      metrics.refusedAtShutDown = state.refusedAtClosing
    }
  }

  /// The worker to wake; nil if enough workers already look for requests.
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

  /// A parked worker, which has to find out that the pool has ended, and to wake the next.
  private func nextParkedWorker(_ state: inout State) -> Int? {
    guard let worker = state.parked.popLast() else { return nil }
    state.waking += 1
    return worker
  }
}

// MARK: - Workers

extension WorkerQueue {
  /// Waits for a worker's next requests and returns them in `taken`; false if the worker must end. The worker has
  /// decided its previous requests.
  ///
  /// - Parameter pace: the worker's.
  func next(for worker: Int, at pace: WorkerPace, into taken: inout [Submission]) -> Bool {
    var step = state.withLock { state -> (next: Step, another: Int?) in
      if takeFromInbox(of: worker, pace, &taken) { return (.work, nil) }
      state.busy -= 1
      state.spinning += 1
      return self.step(&state, worker, pace, maySpin: true, &taken)
    }
    while true {
      if let another = step.another { parkers[another].wake() }
      switch step.next {
      case .work:
        trace?.mark(.taken)
        return true
      case .end: return false
      case .spin:
        let maySpin = spin(for: configuration.spinDuration, until: 1)
        step = state.withLock { self.step(&$0, worker, pace, maySpin: maySpin, &taken) }
      case .collect(let end):
        _ = spin(for: ContinuousClock.now.duration(to: end), until: DecryptionPool.Configuration.lanes)
        step = state.withLock { self.step(&$0, worker, pace, maySpin: true, &taken) }
      case .park(let end):
        parkers[worker].park(until: end)
        trace?.mark(.running)
        step = state.withLock { state in
          // Woken by nobody, it still counts as parked.
          if let index = state.parked.firstIndex(of: worker) {
            state.parked.remove(at: index)
          } else {
            state.waking -= 1
          }
          state.spinning += 1
          return self.step(&state, worker, pace, maySpin: true, &taken)
        }
      }
    }
  }

  /// Returns a worker's next requests in `taken` if some wait already. If it returns false, `next` must follow.
  ///
  /// - Parameter pace: the worker's.
  func nextIfWaiting(for worker: Int, at pace: WorkerPace, into taken: inout [Submission]) -> Bool {
    if takeFromHeldUp(by: worker, pace, &taken) || takeFromInbox(of: worker, pace, &taken) {
      trace?.mark(.taken)
      return true
    }
    guard configuration.batchingDelay == .zero, waiting.load(ordering: .acquiring) > 0 else { return false }
    let step = state.withLock { state -> (next: Step, another: Int?)? in
      guard state.queue.count > 0 else { return nil }
      state.busy -= 1
      state.spinning += 1
      return self.step(&state, worker, pace, maySpin: true, &taken)
    }
    guard let step else { return false }
    if let another = step.another { parkers[another].wake() }
    trace?.mark(.taken)
    return true
  }

  /// Chooses the next step of a worker that looks for requests, and another worker to wake.
  ///
  /// - Parameter maySpin: whether the worker keeps looking if no request waits.
  private func step(
    _ state: inout State, _ worker: Int, _ pace: WorkerPace, maySpin: Bool, _ taken: inout [Submission]
  ) -> (next: Step, another: Int?) {
    let storeDeadline = waits.earliestDeadline
    let hasAnswers = waits.hasAnswers || storeDeadline.map { $0 <= .now } ?? false
    if !hasAnswers, let end = collectingEnd(state) { return (.collect(until: end), nil) }
    if hasAnswers || state.queue.count > 0 {
      state.spinning -= 1
      state.busy += 1
      state.queue.move(batchSize(state.queue, of: share(state), pace), to: &taken)
      waiting.store(state.queue.count, ordering: .releasing)
      return (.work, state.queue.count > 0 ? workerToWake(&state) : nil)
    }
    if takeFromOthers(pace, &taken) {
      state.spinning -= 1
      state.busy += 1
      return (.work, nil)
    }
    let quiet = state.wrapped.count > 0 ? pace.quietSince : nil
    if let quiet, quiet <= .now {
      state.wrapped.move(1, to: &taken)
      state.spinning -= 1
      state.busy += 1
      return (.work, nil)
    }
    if state.isClosing, state.isSlowPathEmpty, waits.count == 0 {
      state.spinning -= 1
      return (.end, nextParkedWorker(&state))
    }
    if maySpin, !state.isClosing { return (.spin, nil) }
    state.spinning -= 1
    state.parked.append(worker)
    return (.park(until: [storeDeadline, quiet].compactMap(\.self).min()), nil)
  }

  /// Until when the waiting requests may wait for others; nil if they must be decided now.
  private func collectingEnd(_ state: State) -> ContinuousClock.Instant? {
    guard configuration.batchingDelay > .zero, !state.isClosing, state.queue.count > 1,
      state.queue.count < DecryptionPool.Configuration.lanes, let oldest = state.queue.oldest
    else { return nil }
    let end = oldest.submitted.advanced(by: configuration.batchingDelay)
    return ContinuousClock.now < end ? end : nil
  }

  /// Spins until `count` requests wait or the pool is closed; false if `time` passes first.
  private func spin(for time: Duration, until count: Int) -> Bool {
    let end = ContinuousClock.now.advanced(by: time)
    repeat {
      // Reading the clock takes longer than reading the queue's length.
      for _ in 0..<16 {
        if waiting.load(ordering: .acquiring) >= count || waits.hasAnswers || isClosed.load(ordering: .acquiring) {
          return true
        }
        assay_pause()
      }
    } while ContinuousClock.now < end
    return false
  }
}
