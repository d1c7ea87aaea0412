extension WorkerQueue {
  /// Sends a request that a worker holds to the slow path.
  ///
  /// - Returns: why the worker must refuse it instead: `overloaded`, or `cancelled` if its caller has cancelled it.
  func sendToSlowPath(_ submission: Submission, because reason: SlowReason) -> DecryptionPool.Refusal? {
    let queue: WritableKeyPath<State, SubmissionQueue> = reason == .wrappedKey ? \.wrapped : \.unverified
    let (refusal, wakesSlowPath, worker) = state.withLock { state -> (DecryptionPool.Refusal?, Bool, Int?) in
      guard state[keyPath: queue].hasRoom(for: submission.bytes.count),
        reason == .wrappedKey || isTimely(submission, state)
      else { return (.overloaded, false, nil) }
      guard submission.move(from: .worker, to: .slowQueue) else { return (.cancelled, false, nil) }
      state[keyPath: queue].append(submission)
      // Only the first unknown chain wakes the slow path: if others wait before it, the slow path waits for the budget.
      let wakesSlowPath = state.isSlowPathParked && (reason == .wrappedKey || state.unverified.count == 1)
      if wakesSlowPath { state.isSlowPathParked = false }
      return (nil, wakesSlowPath, reason == .wrappedKey ? workerToWake(&state) : nil)
    }
    if wakesSlowPath { slowPathParker.wake() }
    if let worker { parkers[worker].wake() }
    return refusal
  }

  /// Whether the chain of a request can be verified by its deadline if each request that waits before it spends budget.
  private func isTimely(_ submission: Submission, _ state: State) -> Bool {
    guard let deadline = submission.deadline, !state.isClosing else { return true }
    let before = state.unverified.count + (state.isSlowPathBusy ? 1 : 0)
    return state.chainBudget.start(after: before, at: schedule.now) <= deadline
  }

  /// Waits for the slow path's next request and returns it in `taken`; false if the slow path must end.
  ///
  /// Requests with unknown certificates come first if the budget allows, unless `keysFirst` is true. A pool that is
  /// closing ignores the budget, since it admits no more requests.
  ///
  /// - Parameter keysFirst: whether a wrapped key comes first. It is true after a chain, so that the kinds alternate.
  func nextForSlowPath(keysFirst: Bool, into taken: inout [Submission]) -> Bool {
    while true {
      let (isOver, end) = state.withLock { state -> (Bool, ContinuousClock.Instant?) in
        var end: ContinuousClock.Instant?
        if state.unverified.count > 0, !state.isClosing {
          let now = schedule.now
          let start = state.chainBudget.start(after: 0, at: now)
          if start > now { end = start }
        }
        if keysFirst { state.wrapped.move(1, to: &taken) }
        if taken.isEmpty, end == nil { state.unverified.move(1, to: &taken) }
        if taken.isEmpty { state.wrapped.move(1, to: &taken) }
        state.isSlowPathBusy = !taken.isEmpty
        state.isSlowPathParked = taken.isEmpty && state.workersLeft > 0
        return (!state.isSlowPathParked, end)
      }
      if isOver { return !taken.isEmpty }
      slowPathParker.park(until: end)
    }
  }

  /// Returns requests from the slow path to the workers. There is always room.
  func returnFromSlowPath(_ submissions: inout [Submission], hasVerifiedChain: Bool) {
    let workers = state.withLock { state -> [Int] in
      if hasVerifiedChain { state.chainBudget.spend(at: schedule.now) }
      for submission in submissions { state.queue.append(submission) }
      state.isSlowPathBusy = false
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
