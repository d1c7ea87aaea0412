import CMachine
import Synchronization

// MARK: - Workers

extension WorkerQueue {
  /// A worker's next step.
  private enum Step {
    /// Decide requests, or pass answers of stores to callers.
    case work
    /// Look for work for `spinDuration`.
    case spin
    case collect(until: ContinuousClock.Instant)
    /// Sleep until woken, or until a store's time is over or the worker may decide a request with a wrapped key.
    case park(until: ContinuousClock.Instant?)
    case end
  }

  /// Waits for a worker's next work: requests, which it returns in `taken`, or only answers of stores, with `taken`
  /// empty. Returns false if the worker must end. Call it only after the previous requests are decided.
  ///
  /// - Parameter pace: the worker's.
  func next(for worker: Int, at pace: WorkerPace, into taken: inout [Submission]) -> Bool {
    var step = state.withLock { state -> (next: Step, another: Int?) in
      state.busy -= 1
      state.spinning += 1
      return self.step(&state, worker, pace, maySpin: true, &taken)
    }
    while true {
      if let another = step.another { parkers[another].wake() }
      switch step.next {
      case .work: return true
      case .end: return false
      case .spin:
        let maySpin = spin(for: configuration.spinDuration, until: 1)
        step = state.withLock { self.step(&$0, worker, pace, maySpin: maySpin, &taken) }
      case .collect(let end):
        _ = spin(for: schedule.now.duration(to: end), until: DecryptionPool.Configuration.lanes)
        step = state.withLock { self.step(&$0, worker, pace, maySpin: true, &taken) }
      case .park(let end):
        parkers[worker].park(until: end)
        step = state.withLock { state in
          // The wait timed out: a thread that wakes a worker removes it from `parked`.
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

  /// Returns a worker's next requests in `taken` if requests wait. Never waits for requests: it returns false if none
  /// wait, and always if `batchingDelay` is set. The worker must then call `next`.
  ///
  /// - Parameter pace: the worker's.
  func nextIfWaiting(at pace: WorkerPace, into taken: inout [Submission]) -> Bool {
    guard configuration.batchingDelay == .zero, waiting.load(ordering: .acquiring) > 0 else { return false }
    let another = state.withLock { takeShare(&$0, pace, &taken) }
    if let another { parkers[another].wake() }
    return !taken.isEmpty
  }

  /// Takes a worker's share of the queue's requests, and returns another worker to wake.
  private func takeShare(_ state: inout State, _ pace: WorkerPace, _ taken: inout [Submission]) -> Int? {
    var size = configuration.share(of: state.queue.count)
    if size > DecryptionPool.Configuration.lanes, let time = pace.timePerToken {
      size = state.queue.timelyCount(size, each: time, at: schedule.now)
    }
    state.queue.move(size, to: &taken)
    waiting.store(state.queue.count, ordering: .releasing)
    return state.queue.count > 0 ? workerToWake(&state) : nil
  }

  /// Counts a worker that looked for work as busy.
  private func beginBusy(_ state: inout State) {
    state.spinning -= 1
    state.busy += 1
  }

  /// Chooses the next step of a worker that looks for work, and another worker to wake.
  ///
  /// - Parameter maySpin: whether the worker keeps looking if it finds no work.
  private func step(
    _ state: inout State, _ worker: Int, _ pace: WorkerPace, maySpin: Bool, _ taken: inout [Submission]
  ) -> (next: Step, another: Int?) {
    let storeDeadline = waits.earliestDeadline
    let hasAnswers = waits.hasAnswers || storeDeadline.map { $0 <= schedule.now } ?? false
    if !hasAnswers, let end = collectingEnd(state) { return (.collect(until: end), nil) }
    if hasAnswers || state.queue.count > 0 {
      beginBusy(&state)
      return (.work, takeShare(&state, pace, &taken))
    }
    let quiet = state.wrapped.count > 0 ? pace.quietSince : nil
    if let quiet, quiet <= schedule.now {
      state.wrapped.move(1, to: &taken)
      beginBusy(&state)
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

  /// The time until which the waiting requests may wait for others; nil if they must be decided now, or none wait.
  private func collectingEnd(_ state: State) -> ContinuousClock.Instant? {
    guard configuration.batchingDelay > .zero, !state.isClosing, state.queue.count > 1,
      state.queue.count < DecryptionPool.Configuration.lanes, let oldest = state.queue.oldest
    else { return nil }
    let end = oldest.submitted.advanced(by: configuration.batchingDelay)
    return schedule.now < end ? end : nil
  }

  /// Spins until `count` requests wait, a store has answered, or the pool is closed; false if `time` passes first.
  private func spin(for time: Duration, until count: Int) -> Bool {
    let end = schedule.now.advanced(by: time)
    if let schedule {
      schedule.wait(for: .requests, until: end) { self.isWanted(for: count) }
      return isWanted(for: count)
    }
    repeat {
      // Reading the clock takes longer than reading the queue's length.
      for _ in 0..<16 {
        if isWanted(for: count) { return true }
        assay_pause()
      }
    } while ContinuousClock.now < end
    return false
  }

  /// Whether `count` requests wait in the queue, a store has answered, or the pool is closed.
  private func isWanted(for count: Int) -> Bool {
    waiting.load(ordering: .acquiring) >= count || waits.hasAnswers || isClosed.load(ordering: .acquiring)
  }
}
