import PaymentToken

// MARK: - Room, and the inboxes of busy workers

extension WorkerQueue {
  /// Whether a request of `size` bytes has room.
  func hasRoom(_ state: inout State, for size: Int) -> Bool {
    if state.hasRoom(for: size, in: configuration) { return true }
    guard state.queue.count < configuration.queueCapacity else { return false }
    state.inboxed = (inboxes.reduce(0) { $0 + $1.count }, inboxes.reduce(0) { $0 + $1.bytes })
    return state.hasRoom(for: size, in: configuration)
  }

  /// Adds a request to the inbox of a worker; false if it must wait for any worker. Of the next worker in turn and the one
  /// after it, it is the one with fewer requests: that evens the inboxes out, and looks at no more than two of them.
  func giveToBusyWorker(_ state: inout State, _ submission: Submission) -> Bool {
    guard !inboxes.isEmpty, state.busy == inboxes.count else { return false }
    let (first, second) = (inboxes[state.turn], inboxes[(state.turn + 1) % inboxes.count])
    state.turn = (state.turn + 1) % inboxes.count
    guard (first.count <= second.count ? first : second).append(submission) else { return false }
    state.inboxed.count += 1
    state.inboxed.bytes += submission.bytes.count
    return true
  }

  /// How many of the waiting requests a worker takes: its share, or all if the others are busy. Those get further
  /// requests by their inboxes, once none waits here.
  func share(_ state: State) -> Int {
    let waiting = state.queue.count
    let isLast = !inboxes.isEmpty && state.busy == inboxes.count
    return isLast ? min(waiting, DecryptionPool.Configuration.largestBatch) : configuration.share(of: waiting)
  }

  /// Takes a worker's next batch from its own inbox; false if that is empty.
  func takeFromInbox(of worker: Int, _ pace: WorkerPace, _ taken: inout [Submission]) -> Bool {
    guard worker < inboxes.count, inboxes[worker].count > 0 else { return false }
    inboxes[worker].move(to: &taken) { batchSize($0, of: $0.count, pace) }
    return !taken.isEmpty
  }

  /// Takes half of the requests in the fullest inbox, or all if they fit into the lanes; false if all are empty.
  func takeFromOthers(_ pace: WorkerPace, _ taken: inout [Submission]) -> Bool {
    // Its owner may empty it meanwhile. Nothing is added, since callers need the lock that this worker has.
    while let fullest = inboxes.max(by: { $0.count < $1.count }), fullest.count > 0 {
      fullest.move(to: &taken) {
        batchSize($0, of: max((($0.count + 1) / 2), min($0.count, DecryptionPool.Configuration.lanes)), pace)
      }
      if !taken.isEmpty { return true }
    }
    return false
  }

  /// Takes the requests of a worker that has taken none itself for several of this worker's batches, as when a replay
  /// store holds it up; false if there is no such worker.
  func takeFromHeldUp(by worker: Int, _ pace: WorkerPace, _ taken: inout [Submission]) -> Bool {
    guard worker < watches.count, watches[worker].isDue() else { return false }
    for index in inboxes.indices where watches[worker].isHeldUp(index, inboxes[index]) && taken.isEmpty {
      inboxes[index].move(to: &taken) { batchSize($0, of: $0.count, pace) }
    }
    return !taken.isEmpty
  }

  /// How many of the oldest `share` requests of a queue a worker takes.
  func batchSize(_ queue: SubmissionQueue, of share: Int, _ pace: WorkerPace) -> Int {
    guard share > DecryptionPool.Configuration.lanes, let time = pace.timePerToken else { return share }
    return queue.timelyCount(share, each: time, at: .now)
  }
}
