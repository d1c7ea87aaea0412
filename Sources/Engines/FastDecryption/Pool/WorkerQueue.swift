import CMachine
import Synchronization

/// Where requests wait for workers, and workers for requests.
final class WorkerQueue: Sendable {
  /// What is decided of a request that comes.
  enum Admission {
    case taken
    case overloaded
    case closed
    /// Its caller had taken it back already.
    case cancelled
  }

  private struct State {
    var queue: SubmissionQueue
    var isClosing = false
    /// Workers with a batch.
    var busy: Int
    /// Workers that look for work.
    var polling = 0
    /// Workers that were woken and do not look for work yet.
    var waking = 0
    /// Workers that sleep.
    var asleep: [Int] = []
    /// When the last request came.
    var lastArrival: ContinuousClock.Instant
    var submitted: UInt64 = 0
    var overloaded: UInt64 = 0
    var refusedAtClosing: UInt64 = 0
    /// Requests that are with callers' own threads, one at most.
    var lent = 0
    /// Requests whose certificates are not known.
    var cold: SubmissionQueue
    /// Requests whose certificates are being verified.
    var verifying = 0
    var isSlowPathAsleep = false
    /// Whether there is a worker left that might come with cold requests.
    var workersLeft: Int

    /// Whether nothing comes back from the slow path any more.
    var isSlowPathEmpty: Bool { cold.count == 0 && verifying == 0 }
  }

  /// A worker's next step.
  private enum Step {
    case decide
    /// Look until something comes, for as long as the configuration says.
    case poll
    case gather(until: ContinuousClock.Instant)
    case sleep
    case end
  }

  private let configuration: DecryptionPool.Configuration
  private let state: Guarded<State>
  /// The queue's length, for those that poll.
  private let waiting = Atomic(0)
  private let isClosed = Atomic(false)
  private let parkers: [Parker]
  private let sideParker = Parker()

  init(_ configuration: DecryptionPool.Configuration) {
    self.configuration = configuration
    parkers = (0..<configuration.workers).map { _ in Parker() }
    // All that the slow path and the workers have in hand may come back at once.
    let reserve =
      configuration.slowPathCapacity + DecryptionPool.Configuration.slowPathBatch
      + configuration.workers * DecryptionPool.Configuration.largestBatch
    state = Guarded(
      State(
        queue: SubmissionQueue(
          capacity: configuration.queueCapacity, byteCapacity: configuration.queueBytes, reserve: reserve),
        busy: configuration.workers, lastArrival: .now,
        cold: SubmissionQueue(capacity: configuration.slowPathCapacity, byteCapacity: configuration.queueBytes),
        workersLeft: configuration.workers))
  }
}

// MARK: - Requests

extension WorkerQueue {
  /// Adds a request and sees to it that a worker will look.
  func append(_ submission: Submission) -> Admission {
    let (admission, sleeper) = state.withLock { state -> (Admission, Int?) in
      if state.isClosing {
        state.refusedAtClosing += 1
        return (.closed, nil)
      }
      state.lastArrival = submission.submitted
      guard state.queue.hasRoom(for: submission.bytes.count) else {
        state.overloaded += 1
        return (.overloaded, nil)
      }
      guard submission.enter() else { return (.cancelled, nil) }
      state.queue.append(submission)
      state.submitted += 1
      waiting.store(state.queue.count, ordering: .releasing)
      return (.taken, sleeperNeeded(&state))
    }
    if let sleeper { parkers[sleeper].wake() }
    return admission
  }

  /// Whether the caller's own thread is to decrypt a request: when nothing else is being done, and nothing came for a
  /// while. `giveBack` must follow.
  func lend(at now: ContinuousClock.Instant) -> Bool {
    state.withLock { state in
      guard !state.isClosing, state.lent == 0, state.busy == 0, state.waking == 0, state.queue.count == 0,
        state.lastArrival.duration(to: now) >= DecryptionPool.Configuration.quietTime
      else { return false }
      state.lastArrival = now
      state.lent = 1
      state.submitted += 1
      return true
    }
  }

  func giveBack() {
    state.withLock { $0.lent = 0 }
  }

  /// Takes no more requests; workers end once those waiting are decided.
  func close() {
    let sleepers = state.withLock { state in
      state.isClosing = true
      isClosed.store(true, ordering: .releasing)
      return allSleepers(&state)
    }
    for sleeper in sleepers { parkers[sleeper].wake() }
  }

  /// Adds what is counted here.
  func add(to metrics: inout PoolMetrics) {
    state.withLock { state in
      metrics.queueDepth = state.queue.count
      metrics.queueBytes = state.queue.bytes
      metrics.slowPathDepth = state.cold.count
      metrics.submitted = state.submitted
      metrics.overloaded += state.overloaded
      metrics.refusedAtShutDown = state.refusedAtClosing
    }
  }

  /// Whether a request is with a caller's own thread.
  var isLent: Bool { state.withLock { $0.lent > 0 } }

  /// The worker to wake: none when those that look for work are enough.
  private func sleeperNeeded(_ state: inout State) -> Int? {
    let lanes = DecryptionPool.Configuration.lanes
    let needed = (state.queue.count + lanes - 1) / lanes
    guard state.polling + state.waking < needed, let sleeper = state.asleep.popLast() else { return nil }
    state.waking += 1
    return sleeper
  }

  private func allSleepers(_ state: inout State) -> [Int] {
    defer { state.asleep.removeAll() }
    state.waking += state.asleep.count
    return state.asleep
  }
}

// MARK: - The slow path

extension WorkerQueue {
  /// Leaves a request to the slow path; false when there is no room.
  func leave(_ submission: Submission) -> Bool {
    let (isTaken, wakes) = state.withLock { state in
      guard state.cold.hasRoom(for: submission.bytes.count) else { return (false, false) }
      state.cold.append(submission)
      defer { state.isSlowPathAsleep = false }
      return (true, state.isSlowPathAsleep)
    }
    if wakes { sideParker.wake() }
    return isTaken
  }

  /// Gives the slow path its next requests, when there are some; false when it is to end.
  func nextCold(into taken: inout [Submission]) -> Bool {
    while true {
      let isWorking: Bool? = state.withLock { state in
        state.cold.move(DecryptionPool.Configuration.slowPathBatch, to: &taken)
        state.verifying = taken.count
        if !taken.isEmpty { return true }
        if state.workersLeft == 0 { return false }
        state.isSlowPathAsleep = true
        return nil
      }
      if let isWorking { return isWorking }
      sideParker.park()
    }
  }

  /// Takes requests back from the slow path, for which there is always a place.
  func takeBack(_ submissions: inout [Submission]) {
    let sleepers = state.withLock { state -> [Int] in
      for submission in submissions { state.queue.append(submission) }
      state.verifying = 0
      waiting.store(state.queue.count, ordering: .releasing)
      // Those that wait for the end have to look whether it has come.
      if state.isClosing { return allSleepers(&state) }
      return sleeperNeeded(&state).map { [$0] } ?? []
    }
    submissions.removeAll(keepingCapacity: true)
    for sleeper in sleepers { parkers[sleeper].wake() }
  }

  /// Counts a worker that has ended, or never began.
  func removeWorker() {
    let isLast = state.withLock { state in
      state.workersLeft -= 1
      return state.workersLeft == 0
    }
    if isLast { sideParker.wake() }
  }
}

// MARK: - Workers

extension WorkerQueue {
  /// Gives a worker its next requests, when there are some; false when it is to end. It must have decided its last ones.
  func next(for worker: Int, into taken: inout [Submission]) -> Bool {
    var step = state.withLock { state in
      state.busy -= 1
      state.polling += 1
      return self.step(&state, worker, isPatient: true, &taken)
    }
    while true {
      switch step.next {
      case .decide:
        if let sleeper = step.sleeper { parkers[sleeper].wake() }
        return true
      case .end: return false
      case .poll:
        let isPatient = poll(for: configuration.spinDuration, until: 1)
        step = state.withLock { self.step(&$0, worker, isPatient: isPatient, &taken) }
      case .gather(let end):
        _ = poll(for: ContinuousClock.now.duration(to: end), until: DecryptionPool.Configuration.lanes)
        step = state.withLock { self.step(&$0, worker, isPatient: true, &taken) }
      case .sleep:
        parkers[worker].park()
        step = state.withLock { state in
          state.waking -= 1
          state.polling += 1
          return self.step(&state, worker, isPatient: true, &taken)
        }
      }
    }
  }

  /// Decides what a worker that looks for work does next.
  ///
  /// - Parameter isPatient: whether it looks on when nothing waits.
  private func step(
    _ state: inout State, _ worker: Int, isPatient: Bool, _ taken: inout [Submission]
  ) -> (next: Step, sleeper: Int?) {
    if let end = gathering(state) { return (.gather(until: end), nil) }
    if state.queue.count > 0 {
      state.queue.move(configuration.share(of: state.queue.count), to: &taken)
      waiting.store(state.queue.count, ordering: .releasing)
      state.polling -= 1
      state.busy += 1
      return (.decide, state.queue.count > 0 ? sleeperNeeded(&state) : nil)
    }
    if state.isClosing, state.isSlowPathEmpty {
      state.polling -= 1
      return (.end, nil)
    }
    if isPatient, !state.isClosing { return (.poll, nil) }
    state.polling -= 1
    state.asleep.append(worker)
    return (.sleep, nil)
  }

  /// Until when what waits may wait for company; nil when it need not.
  private func gathering(_ state: State) -> ContinuousClock.Instant? {
    guard configuration.batchingDelay > .zero, !state.isClosing, state.queue.count > 1,
      state.queue.count < DecryptionPool.Configuration.lanes, let oldest = state.queue.oldest
    else { return nil }
    let end = oldest.submitted.advanced(by: configuration.batchingDelay)
    return ContinuousClock.now < end ? end : nil
  }

  /// Looks until so many requests wait; false when that did not come about in time.
  private func poll(for time: Duration, until count: Int) -> Bool {
    let end = ContinuousClock.now.advanced(by: time)
    repeat {
      // The clock takes longer to read than a look at the queue.
      for _ in 0..<16 {
        if waiting.load(ordering: .acquiring) >= count || isClosed.load(ordering: .acquiring) { return true }
        assay_pause()
      }
    } while ContinuousClock.now < end
    return false
  }
}
