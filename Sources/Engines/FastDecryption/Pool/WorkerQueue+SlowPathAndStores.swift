import PaymentToken

// MARK: - The slow path

extension WorkerQueue {
  /// Sends a request that a worker holds to the slow path.
  ///
  /// - Returns: why the worker must refuse it instead: `overloaded`, or `cancelled` if its caller has cancelled it.
  func sendToSlowPath(_ submission: Submission, because reason: SlowReason) -> DecryptionPool.Refusal? {
    let queue: WritableKeyPath<State, SubmissionQueue> = reason == .wrappedKey ? \.wrapped : \.unverified
    let (refusal, wakesSlowPath, worker) = state.withLock { state -> (DecryptionPool.Refusal?, Bool, Int?) in
      guard state[keyPath: queue].hasRoom(for: submission.bytes.count) else { return (.overloaded, false, nil) }
      guard submission.move(from: .worker, to: .slowQueue) else { return (.cancelled, false, nil) }
      state[keyPath: queue].append(submission)
      defer { state.isSlowPathParked = false }
      return (nil, state.isSlowPathParked, reason == .wrappedKey ? workerToWake(&state) : nil)
    }
    if wakesSlowPath { slowPathParker.wake() }
    if let worker { parkers[worker].wake() }
    return refusal
  }

  /// Waits for the slow path's next request and returns it in `taken`; false if the slow path must end.
  ///
  /// - Parameter reason: the kind to look for first. Taking turns, neither kind keeps the other waiting.
  func nextForSlowPath(first reason: SlowReason, into taken: inout [Submission]) -> Bool {
    while true {
      let isWorking: Bool? = state.withLock { state in
        if reason == .wrappedKey { state.wrapped.move(1, to: &taken) }
        if taken.isEmpty { state.unverified.move(1, to: &taken) }
        if taken.isEmpty { state.wrapped.move(1, to: &taken) }
        state.isSlowPathBusy = !taken.isEmpty
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

// MARK: - Asynchronous stores

extension WorkerQueue {
  /// Asks the stores of accepted tokens, each about all of its transactions in one call and in the order of the
  /// requests. Returns without waiting for an answer.
  ///
  /// - Returns: the requests for which there was no room. No store was asked about them.
  func ask(_ requests: [StoreWaits.Request]) -> [StoreWaits.Request] {
    var left = requests[...]
    var refused: [StoreWaits.Request] = []
    while let store = left.first?.store {
      // Usually one store has all requests, and nothing is filtered.
      let others = left.contains { $0.store !== store } ? left.filter { $0.store !== store } : []
      let asked = others.isEmpty ? left : left.filter { $0.store === store }[...]
      refused += ask(store, asked)
      left = others[...]
    }
    return refused
  }

  /// Asks one store, and returns the requests for which there was no room.
  private func ask(
    _ store: any AsynchronousReplayStore, _ requests: ArraySlice<StoreWaits.Request>
  ) -> ArraySlice<StoreWaits.Request> {
    let call = waits.add(requests)
    guard call.count > 0 else { return requests }
    store.insert(requests.prefix(call.count).map(\.question)) { index, verdict in
      if self.waits.answer(call, index, verdict) { self.wakeForAnswers() }
    }
    return requests.dropFirst(call.count)
  }

  private func wakeForAnswers() {
    let worker = state.withLock { workerToWake(&$0) }
    if let worker { parkers[worker].wake() }
  }
}
