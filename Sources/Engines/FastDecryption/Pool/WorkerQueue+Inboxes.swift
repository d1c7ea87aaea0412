import CMachine
import PaymentToken

// MARK: - Room, and the inboxes of busy workers

extension WorkerQueue {
  /// How often a worker looks at its empty inbox before it looks elsewhere: for some microseconds, less than a caller
  /// takes to send requests in answer to those that were just decided.
  private static var looks: Int { 100 }

  /// Whether a request of `size` bytes has room among the waiting requests. If none waits, one of any size has.
  func hasRoom(_ state: State, for size: Int) -> Bool {
    // What inboxes may not hold is had without a look at them.
    if state.queue.count < configuration.queueCapacity - configuration.inboxCapacity,
      state.queue.bytes + size <= configuration.queueBytes - configuration.inboxBytes
    {
      return true
    }
    let count = inboxes.reduce(state.queue.count) { $0 + $1.count }
    guard count > 0 else { return true }
    let bytes = inboxes.reduce(state.queue.bytes) { $0 + $1.bytes }
    return count < configuration.queueCapacity && bytes + size <= configuration.queueBytes
  }

  /// Calls a closure with the inbox of a worker. A counted reference to it would be one more write to memory that
  /// threads share.
  func withInbox<Result>(of worker: Int, _ body: (Inbox) -> Result) -> Result {
    // The queue holds the inbox.
    uncountedInboxes[worker]._withUnsafeGuaranteedRef(body)
  }

  /// Adds a request to the inbox of a busy worker, which is returned. Of two inboxes that a hash of the request's
  /// address chooses, it is the one with fewer requests: that evens them out, and needs no turn that callers would
  /// share.
  func addToInbox(_ submission: Submission) -> (addition: Inbox.Addition, inbox: Int) {
    guard !inboxes.isEmpty else { return (.noRoom, 0) }
    let address = schedule?.address ?? UInt(bitPattern: ObjectIdentifier(submission))
    let hash = address &* 0x9E37_79B9_7F4A_7C15
    let first = Int(hash >> 40) % inboxes.count
    let second = (first + 1 + Int(hash >> 20 & 0xF_FFFF) % max(1, inboxes.count - 1)) % inboxes.count
    let isSecondShorter = withInbox(of: second) { $0.count } < withInbox(of: first) { $0.count }
    let (shorter, longer) = isSecondShorter ? (second, first) : (first, second)
    let addition = withInbox(of: shorter) { $0.add(submission) }
    guard addition == .noRoom else { return (addition, shorter) }
    return (withInbox(of: longer) { $0.add(submission) }, longer)
  }

  /// How many of the waiting requests a worker takes: its share, or all if the others are busy. Those get further
  /// requests by their inboxes.
  func share(_ state: State) -> Int {
    let waiting = state.queue.count
    let isLast = !inboxes.isEmpty && state.busy == inboxes.count
    return isLast ? min(waiting, DecryptionPool.Configuration.largestBatch) : configuration.share(of: waiting)
  }

  /// Takes a worker's next batch from its own inbox; false if that is empty.
  func takeFromInbox(of worker: Int, _ pace: WorkerPace, _ watch: inout InboxWatch, _ taken: inout [Submission]) -> Bool
  {
    guard worker < inboxes.count, withInbox(of: worker, { $0.count }) > 0 else { return false }
    take(fromInboxOf: worker, pace, &taken)
    watch.note(taken.count, from: .inbox)
    return !taken.isEmpty
  }

  /// Waits for some microseconds for a request in the inbox of a worker whose last batch was from there; false if none
  /// comes. Under load one does: the worker need not go to the lock that all share.
  func lingerAtInbox(of worker: Int, _ watch: InboxWatch) -> Bool {
    guard watch.source == .inbox else { return false }
    for _ in 0..<Self.looks {
      if withInbox(of: worker, { $0.count }) > 0 { return true }
      if isWanted(for: 1) { return false }
      assay_pause()
    }
    return false
  }

  /// Takes half of the requests in the fullest inbox, or all if they fit into the lanes; false if all are empty.
  func takeFromOthers(_ pace: WorkerPace, _ watch: inout InboxWatch, _ taken: inout [Submission]) -> Bool {
    // Others may empty it meanwhile.
    while let fullest = inboxes.max(by: { $0.count < $1.count }), fullest.count > 0 {
      fullest.move(to: &taken) {
        batchSize($0, of: max((($0.count + 1) / 2), min($0.count, DecryptionPool.Configuration.lanes)), pace)
      }
      watch.note(taken.count, from: .others)
      if !taken.isEmpty { return true }
    }
    return false
  }

  /// Takes the requests of a worker that has taken none itself for many of this worker's, as when a replay store holds
  /// it up; false if there is no such worker.
  func takeFromHeldUp(_ pace: WorkerPace, _ watch: inout InboxWatch, _ taken: inout [Submission]) -> Bool {
    guard watch.isDue() else { return false }
    // Behind the last such worker: each in turn, though all have new requests meanwhile.
    let first = watch.lastHeldUp + 1
    for offset in inboxes.indices {
      let index = (first + offset) % inboxes.count
      let isHeldUp = withInbox(of: index) { watch.isHeldUp(index, $0) }
      guard isHeldUp, taken.isEmpty else { continue }
      take(fromInboxOf: index, pace, &taken)
      withInbox(of: index) { watch.noteHeldUp(index, $0) }
    }
    return !taken.isEmpty
  }

  private func take(fromInboxOf worker: Int, _ pace: WorkerPace, _ taken: inout [Submission]) {
    withInbox(of: worker) { $0.move(to: &taken) { batchSize($0, of: $0.count, pace) } }
  }

  /// How many of the oldest `share` requests of a queue a worker takes: a batch at most.
  func batchSize(_ queue: SubmissionQueue, of share: Int, _ pace: WorkerPace) -> Int {
    let share = min(share, DecryptionPool.Configuration.largestBatch)
    guard share > DecryptionPool.Configuration.lanes, let time = pace.timePerToken else { return share }
    return queue.timelyCount(share, each: time, at: schedule.now)
  }
}
