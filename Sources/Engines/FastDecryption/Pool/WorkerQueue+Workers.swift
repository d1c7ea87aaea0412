import CMachine
import Synchronization

// MARK: - Workers

extension WorkerQueue {
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

  /// Waits for a worker's next requests and returns them in `taken`; false if the worker must end. The worker has
  /// decided its previous requests.
  ///
  /// - Parameters:
  ///   - pace: the worker's.
  ///   - watch: the worker's.
  func next(
    for worker: Int, at pace: WorkerPace, _ watch: inout InboxWatch, into taken: inout [Submission]
  ) -> Bool {
    var step = state.withLock { state -> (next: Step, another: Int?) in
      while worker < inboxes.count, !withInbox(of: worker, { $0.closeIfEmpty() }) {
        // Another worker may have taken them meanwhile.
        if takeFromInbox(of: worker, pace, &watch, &taken) { return (.work, nil) }
      }
      // Callers that add to inboxes do not note it.
      if watch.source != .queue { state.lastArrival = schedule.now }
      endBusy(&state)
      return self.step(&state, worker, pace, &watch, maySpin: true, &taken)
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
        step = state.withLock { self.step(&$0, worker, pace, &watch, maySpin: maySpin, &taken) }
      case .collect(let end):
        _ = spin(for: schedule.now.duration(to: end), until: DecryptionPool.Configuration.lanes)
        step = state.withLock { self.step(&$0, worker, pace, &watch, maySpin: true, &taken) }
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
          return self.step(&state, worker, pace, &watch, maySpin: true, &taken)
        }
      }
    }
  }

  /// Returns a worker's next requests in `taken` if some wait already. If it returns false, `next` must follow.
  ///
  /// - Parameters:
  ///   - pace: the worker's.
  ///   - watch: the worker's.
  func nextIfWaiting(
    for worker: Int, at pace: WorkerPace, _ watch: inout InboxWatch, into taken: inout [Submission]
  ) -> Bool {
    let isTaken =
      takeFromHeldUp(pace, &watch, &taken)
      || watch.source != .queue && takeFromQueue(pace, &watch, &taken)
      || takeFromInbox(of: worker, pace, &watch, &taken)
      || watch.source == .queue && takeFromQueue(pace, &watch, &taken)
      || lingerAtInbox(of: worker, watch) && takeFromInbox(of: worker, pace, &watch, &taken)
    if isTaken { trace?.mark(.taken) }
    return isTaken
  }

  /// Takes a share of the queue's requests; false if none waits there, or if they wait for others.
  private func takeFromQueue(_ pace: WorkerPace, _ watch: inout InboxWatch, _ taken: inout [Submission]) -> Bool {
    guard configuration.batchingDelay == .zero, waiting.load(ordering: .acquiring) > 0 else { return false }
    let another = state.withLock { takeShare(&$0, pace, &watch, &taken) }
    if let another { parkers[another].wake() }
    return !taken.isEmpty
  }

  /// Takes a worker's share of the queue's requests, and returns another worker to wake.
  private func takeShare(
    _ state: inout State, _ pace: WorkerPace, _ watch: inout InboxWatch, _ taken: inout [Submission]
  ) -> Int? {
    state.queue.move(batchSize(state.queue, of: share(state), pace), to: &taken)
    waiting.store(state.queue.count, ordering: .releasing)
    if !taken.isEmpty { watch.note(taken.count, from: .queue) }
    return state.queue.count > 0 ? workerToWake(&state) : nil
  }

  /// Counts a worker that looked for requests as busy, and opens its inbox.
  private func beginBusy(_ state: inout State, _ worker: Int) {
    state.spinning -= 1
    state.busy += 1
    guard worker < inboxes.count else { return }
    if !state.isClosing { withInbox(of: worker) { $0.open() } }
    areAllBusy.store(state.busy == inboxes.count, ordering: .releasing)
  }

  /// Counts a worker whose inbox is closed as one that looks for requests.
  private func endBusy(_ state: inout State) {
    state.busy -= 1
    state.spinning += 1
    // Before this worker looks at inboxes (`Inbox.count`).
    areAllBusy.store(false, ordering: .sequentiallyConsistent)
  }

  /// Chooses the next step of a worker that looks for requests, and another worker to wake.
  ///
  /// - Parameter maySpin: whether the worker keeps looking if no request waits.
  private func step(
    _ state: inout State, _ worker: Int, _ pace: WorkerPace, _ watch: inout InboxWatch, maySpin: Bool,
    _ taken: inout [Submission]
  ) -> (next: Step, another: Int?) {
    let storeDeadline = waits.earliestDeadline
    let hasAnswers = waits.hasAnswers || storeDeadline.map { $0 <= schedule.now } ?? false
    if !hasAnswers, let end = collectingEnd(state) { return (.collect(until: end), nil) }
    if hasAnswers || state.queue.count > 0 {
      beginBusy(&state, worker)
      return (.work, takeShare(&state, pace, &watch, &taken))
    }
    if takeFromOthers(pace, &watch, &taken) {
      beginBusy(&state, worker)
      return (.work, nil)
    }
    let quiet = state.wrapped.count > 0 ? pace.quietSince : nil
    if let quiet, quiet <= schedule.now {
      state.wrapped.move(1, to: &taken)
      beginBusy(&state, worker)
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
    return schedule.now < end ? end : nil
  }

  /// Spins until `count` requests wait or the pool is closed; false if `time` passes first.
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
  func isWanted(for count: Int) -> Bool {
    waiting.load(ordering: .acquiring) >= count || waits.hasAnswers || isClosed.load(ordering: .acquiring)
  }
}
