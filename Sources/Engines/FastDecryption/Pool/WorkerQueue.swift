import CMachine
import Synchronization

/// Distributes waiting requests to workers in batches, and wakes no more workers than the requests need.
///
/// One lock guards two bounded queues: the requests for the workers, and the unverified ones, whose certificates the
/// slow path verifies first. A worker that has finished a batch takes an equal share of the waiting requests, rounded
/// up to full SIMD lanes (`Configuration.share`): batches grow with the load, and no request waits for a batch to fill
/// unless `batchingDelay` allows it. A worker that finds the queue empty spins for `spinDuration`, then parks.
///
/// A new request wakes a parked worker only if fewer workers are spinning or waking up than groups of lanes are
/// waiting. Waking takes tens of microseconds, and a worker too many splits a batch that one worker would decrypt
/// faster.
///
/// Bounds: `queueCapacity` requests and `queueBytes` bytes wait for workers, `slowPathCapacity` requests for the slow
/// path. A request that returns from the slow path always has room: the queue reserves a place for each request that
/// the slow path and the workers can hold. The lock is held for a few assignments, and never while a request is
/// decided.
final class WorkerQueue: Sendable {
  private struct State {
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
    /// Whether a caller's thread decides a request.
    var isClaimedByCaller = false
    /// Requests whose certificates are not known.
    var unverified: SubmissionQueue
    /// Requests whose certificates are being verified.
    var verifying = 0
    var isSlowPathParked = false
    /// Workers that have not ended, each of which may send requests to the slow path.
    var workersLeft: Int

    /// Whether no request will return from the slow path.
    var isSlowPathEmpty: Bool { unverified.count == 0 && verifying == 0 }
  }

  /// A worker's next step.
  private enum Step {
    case decide
    /// Look for a request for `spinDuration`.
    case spin
    case collect(until: ContinuousClock.Instant)
    case park
    case end
  }

  private let configuration: DecryptionPool.Configuration
  private let state: Guarded<State>
  /// The queue's length, for spinning workers, which do not take the lock.
  private let waiting = Atomic(0)
  private let isClosed = Atomic(false)
  private let parkers: [Parker]
  private let slowPathParker = Parker()

  init(_ configuration: DecryptionPool.Configuration) {
    self.configuration = configuration
    parkers = (0..<configuration.workers).map { _ in Parker() }
    // All requests that the slow path and the workers hold may return at once.
    let reserve =
      configuration.slowPathCapacity + DecryptionPool.Configuration.slowPathBatch
      + configuration.workers * DecryptionPool.Configuration.largestBatch
    state = Guarded(
      State(
        queue: SubmissionQueue(
          capacity: configuration.queueCapacity, byteCapacity: configuration.queueBytes, reserve: reserve),
        busy: configuration.workers, lastArrival: .now,
        unverified: SubmissionQueue(capacity: configuration.slowPathCapacity, byteCapacity: configuration.queueBytes),
        workersLeft: configuration.workers))
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
      guard state.queue.hasRoom(for: submission.bytes.count) else {
        state.overloaded += 1
        return (.overloaded, nil)
      }
      guard submission.enqueue() else { return (.cancelled, nil) }
      state.queue.append(submission)
      state.submitted += 1
      waiting.store(state.queue.count, ordering: .releasing)
      return (nil, workerToWake(&state))
    }
    if let worker { parkers[worker].wake() }
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
      metrics.queueDepth = state.queue.count
      metrics.queueBytes = state.queue.bytes
      metrics.slowPathDepth = state.unverified.count
      metrics.submitted = state.submitted
      metrics.overloaded += state.overloaded
      metrics.refusedAtShutDown = state.refusedAtClosing
    }
  }

  /// The worker to wake; nil if enough workers already look for requests.
  private func workerToWake(_ state: inout State) -> Int? {
    let lanes = DecryptionPool.Configuration.lanes
    let needed = (state.queue.count + lanes - 1) / lanes
    guard state.spinning + state.waking < needed, let worker = state.parked.popLast() else { return nil }
    state.waking += 1
    return worker
  }

  private func allParkedWorkers(_ state: inout State) -> [Int] {
    defer { state.parked.removeAll() }
    state.waking += state.parked.count
    return state.parked
  }
}

// MARK: - The slow path

extension WorkerQueue {
  /// Sends a request to the slow path; false if there is no room.
  func sendToSlowPath(_ submission: Submission) -> Bool {
    let (isTaken, wakes) = state.withLock { state in
      guard state.unverified.hasRoom(for: submission.bytes.count) else { return (false, false) }
      state.unverified.append(submission)
      defer { state.isSlowPathParked = false }
      return (true, state.isSlowPathParked)
    }
    if wakes { slowPathParker.wake() }
    return isTaken
  }

  /// Waits for requests for the slow path and returns them in `taken`; false if the slow path must end.
  func nextUnverified(into taken: inout [Submission]) -> Bool {
    while true {
      let isWorking: Bool? = state.withLock { state in
        state.unverified.move(DecryptionPool.Configuration.slowPathBatch, to: &taken)
        state.verifying = taken.count
        if !taken.isEmpty { return true }
        if state.workersLeft == 0 { return false }
        state.isSlowPathParked = true
        return nil
      }
      if let isWorking { return isWorking }
      slowPathParker.park()
    }
  }

  /// Returns requests from the slow path to the workers. There is always room.
  func returnFromSlowPath(_ submissions: inout [Submission]) {
    let workers = state.withLock { state -> [Int] in
      for submission in submissions { state.queue.append(submission) }
      state.verifying = 0
      waiting.store(state.queue.count, ordering: .releasing)
      // Workers that wait for the end must check whether it has come.
      if state.isClosing { return allParkedWorkers(&state) }
      return workerToWake(&state).map { [$0] } ?? []
    }
    submissions.removeAll(keepingCapacity: true)
    for worker in workers { parkers[worker].wake() }
  }

  /// Counts a worker that has ended, or was never started.
  func removeWorker() {
    let isLast = state.withLock { state in
      state.workersLeft -= 1
      return state.workersLeft == 0
    }
    if isLast { slowPathParker.wake() }
  }
}

// MARK: - Workers

extension WorkerQueue {
  /// Waits for a worker's next requests and returns them in `taken`; false if the worker must end. The worker has
  /// decided its previous requests.
  func next(for worker: Int, into taken: inout [Submission]) -> Bool {
    var step = state.withLock { state in
      state.busy -= 1
      state.spinning += 1
      return self.step(&state, worker, maySpin: true, &taken)
    }
    while true {
      switch step.next {
      case .decide:
        if let another = step.another { parkers[another].wake() }
        return true
      case .end: return false
      case .spin:
        let maySpin = spin(for: configuration.spinDuration, until: 1)
        step = state.withLock { self.step(&$0, worker, maySpin: maySpin, &taken) }
      case .collect(let end):
        _ = spin(for: ContinuousClock.now.duration(to: end), until: DecryptionPool.Configuration.lanes)
        step = state.withLock { self.step(&$0, worker, maySpin: true, &taken) }
      case .park:
        parkers[worker].park()
        step = state.withLock { state in
          state.waking -= 1
          state.spinning += 1
          return self.step(&state, worker, maySpin: true, &taken)
        }
      }
    }
  }

  /// Chooses the next step of a worker that looks for requests, and another worker to wake.
  ///
  /// - Parameter maySpin: whether the worker keeps looking if no request waits.
  private func step(
    _ state: inout State, _ worker: Int, maySpin: Bool, _ taken: inout [Submission]
  ) -> (next: Step, another: Int?) {
    if let end = collectingEnd(state) { return (.collect(until: end), nil) }
    if state.queue.count > 0 {
      state.queue.move(configuration.share(of: state.queue.count), to: &taken)
      waiting.store(state.queue.count, ordering: .releasing)
      state.spinning -= 1
      state.busy += 1
      return (.decide, state.queue.count > 0 ? workerToWake(&state) : nil)
    }
    if state.isClosing, state.isSlowPathEmpty {
      state.spinning -= 1
      return (.end, nil)
    }
    if maySpin, !state.isClosing { return (.spin, nil) }
    state.spinning -= 1
    state.parked.append(worker)
    return (.park, nil)
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
        if waiting.load(ordering: .acquiring) >= count || isClosed.load(ordering: .acquiring) { return true }
        assay_pause()
      }
    } while ContinuousClock.now < end
    return false
  }
}
