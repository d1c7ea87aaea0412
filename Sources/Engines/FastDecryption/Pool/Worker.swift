import PaymentToken

/// How fast a worker decides, and the time from which it may unwrap keys by RSA.
struct WorkerPace {
  /// The exponential moving average of the time that a request of a batch takes; nil before the first.
  private(set) var timePerToken: Duration?
  /// The time from which the worker may decide requests with wrapped keys: `quietTimeBeforeUnwrapping` after the last
  /// batch in which it accepted a token of EC_v1.
  private(set) var quietSince: ContinuousClock.Instant

  init(at now: ContinuousClock.Instant) { quietSince = now }

  /// Updates the average with a batch. Batches that do not fill the lanes are ignored: their requests take longer.
  mutating func note(batch count: Int, taking time: Duration) {
    guard count >= DecryptionPool.Configuration.lanes else { return }
    let each = time / count
    timePerToken = timePerToken.map { ($0 * 7 + each) / 8 } ?? each
  }

  mutating func noteAgreement(at now: ContinuousClock.Instant) {
    quietSince = now.advanced(by: DecryptionPool.Configuration.quietTimeBeforeUnwrapping)
  }
}

/// Decides the batches of one thread of a pool, and counts the results.
///
/// `@unchecked Sendable`: one thread at a time uses it; other threads read only `tally`, and `awaitsCancellations` once
/// the pool's threads have ended.
final class Worker: @unchecked Sendable {
  let tally = Tally()
  /// Requests from the queue, some of which may have been cancelled.
  var taken: [Submission] = []
  private(set) var pace: WorkerPace
  /// The requests of the batch.
  private var begun: [Submission] = []
  /// Dropped requests whose `refused` closure was still running on the thread that cancelled them.
  private var cancelled: [Submission] = []
  /// Requests whose stores are to be asked.
  private var toAsk: [StoreWaits.Request] = []
  /// Requests that their stores have answered, taken from `StoreWaits`, and the lines that this worker is emptying.
  private var answered: [StoreWaits.Answer] = []
  private var lines: [Int] = []
  private let decider: any BatchDecider
  private var heldStock: HeldStock
  private let storeTimeLimit: Duration
  private let schedule: (any PoolSchedule)?

  /// - Parameters:
  ///   - decider: decides the batches.
  ///   - held: has the slots for requests that wait for a store.
  ///   - configuration: the pool's.
  init(
    _ decider: any BatchDecider, holding held: HeldPlaintexts, _ configuration: DecryptionPool.Configuration
  ) {
    self.decider = decider
    schedule = configuration.schedule
    storeTimeLimit = configuration.storeTimeLimit
    pace = WorkerPace(at: schedule.now)
    heldStock = HeldStock(of: held)
    taken.reserveCapacity(DecryptionPool.Configuration.largestBatch)
    begun.reserveCapacity(DecryptionPool.Configuration.largestBatch)
    toAsk.reserveCapacity(DecryptionPool.Configuration.largestBatch)
    answered.reserveCapacity(DecryptionPool.Configuration.largestBatch)
  }

  /// Answers the requests in `taken`, except those that need the slow path or the answer of a store.
  ///
  /// - Parameters:
  ///   - engine: was current after the requests were taken, so it was not replaced before they were submitted.
  ///   - queue: takes the requests for the slow path.
  func decide(by engine: FastDecryptor, slowPathOf queue: WorkerQueue) {
    let start = schedule.now
    begin(at: start)
    defer { begun.removeAll(keepingCapacity: true) }
    guard !begun.isEmpty else { return }
    let requests = SubmittedRequests(submissions: begun)
    // If other requests are rare, unwrapping the key of a lone request here seldom delays one of them.
    let isAlone = begun.count == 1 && start >= pace.quietSince
    var hasAgreement = false
    decider.decryptBatch(
      requests, by: engine, slowTokens: isAlone ? .skipUnknownChains : .skip,
      opened: { index, token throws(TokenFault) in
        hasAgreement = hasAgreement || token.version == .ecV1
        try requests.submissions[index].open(token, at: schedule.now, countedBy: tally)
      },
      awaitingStore: { index, token, store in
        hasAgreement = hasAgreement || token.version == .ecV1
        hold(requests.submissions[index], token, for: store)
      },
      refused: { index, fault in refuse(requests.submissions[index], for: fault) },
      skipped: { index, reason in sendToSlowPath(requests.submissions[index], because: reason, to: queue) })
    let end = schedule.now
    pace.note(batch: requests.count, taking: start.duration(to: end))
    if hasAgreement { pace.noteAgreement(at: end) }
    tally.countBatch(of: requests.count, taking: start.duration(to: end))
  }

  /// Drops or refuses cancelled requests, and answers those that the slow path decided or whose deadline has passed.
  /// Compares all deadlines with one instant, the beginning of the batch.
  private func begin(at now: ContinuousClock.Instant) {
    for submission in taken {
      let beginning = submission.begin(for: .worker)
      let finding = submission.finding
      submission.finding = nil
      switch beginning {
      case .decide: begin(submission, finding, at: now)
      case .refuse: refuse(submission, as: .cancelled, countedAs: .cancelled)
      case .drop:
        if !submission.isCountedAsCancelled { tally.count(.cancelled) }
        if submission.isBeingCancelled { cancelled.append(submission) }
      }
      if case .token(let held) = finding { heldStock.putBack(held) }
    }
    taken.removeAll(keepingCapacity: true)
    if !cancelled.isEmpty { cancelled.removeAll { !$0.isBeingCancelled } }
  }

  /// Whether a caller's thread is still refusing a request that it has cancelled. Called when the pool's threads have
  /// ended.
  var awaitsCancellations: Bool { cancelled.contains(where: \.isBeingCancelled) }

  private func begin(_ submission: Submission, _ finding: SlowPath.Finding?, at now: ContinuousClock.Instant) {
    if case .fault(let fault) = finding { return refuse(submission, for: fault) }
    if let deadline = submission.deadline, now >= deadline {
      return refuse(submission, as: .deadlineExceeded, countedAs: .expired)
    }
    switch finding {
    case .token(let held): pass(submission, held)
    case .outOfMemory: refuse(submission, as: .overloaded, countedAs: .overloaded)
    case .fault, nil: begun.append(submission)
    }
  }

  private func sendToSlowPath(_ submission: Submission, because reason: SlowReason, to queue: WorkerQueue) {
    submission.slowReason = reason
    tally.count(reason == .wrappedKey ? .postponedUnwrapping : .sentToSlowPath)
    guard let refusal = queue.sendToSlowPath(submission, because: reason) else { return }
    refuse(submission, as: refusal, countedAs: refusal == .cancelled ? .cancelled : .overloaded)
  }

  /// Refuses a request without a verdict.
  private func refuse(_ submission: Submission, as refusal: DecryptionPool.Refusal, countedAs count: Tally.Count) {
    tally.count(count)
    submission.refuse(refusal)
  }

  /// Counts before it answers, so that a caller that has its answer finds it counted.
  private func refuse(_ submission: Submission, for fault: TokenFault) {
    tally.countRefused(fault, after: submission.submitted.duration(to: schedule.now))
    submission.refuse(.token(fault))
  }
}

// MARK: - Replay stores

extension Worker {
  /// Asks the stores of the requests in `toAsk`, and refuses those for which there is no room.
  func ask(_ queue: WorkerQueue) {
    guard !toAsk.isEmpty else { return }
    for request in queue.ask(toAsk) {
      heldStock.putBack(request.token)
      refuse(request.submission, as: .overloaded, countedAs: .overloaded)
    }
    toAsk.removeAll(keepingCapacity: true)
  }

  /// Passes the verdicts of stores to callers, `largestBatch` at most, and refuses every request without an answer by
  /// its deadline.
  func deliver(from waits: StoreWaits) {
    guard waits.count > 0 else { return }
    var left = DecryptionPool.Configuration.largestBatch
    repeat {
      waits.take(left, into: &answered, from: &lines)
      left = max(0, left - answered.count)
      for answer in answered { deliver(answer) }
      answered.removeAll(keepingCapacity: true)
      // The next `take` gives the emptied lines back. With a limit of 0 it takes only requests without an answer by
      // their deadline.
    } while !lines.isEmpty
  }

  private func deliver(_ answer: StoreWaits.Answer) {
    defer { heldStock.putBack(answer.token) }
    do throws(TokenFault) {
      if let fault = answer.verdict.fault { throw fault }
      try answer.token.open { token throws(TokenFault) in
        try answer.submission.open(token, at: schedule.now, countedBy: tally)
      }
    } catch {
      refuse(answer.submission, for: error)
    }
  }

  /// Decides 14.4 for a token of which the slow path has decided all other rules, and answers the request, or holds the
  /// token again until its store has answered.
  private func pass(_ submission: Submission, _ held: HeldToken) {
    do throws(TokenFault) {
      try held.open { token throws(TokenFault) in
        if let store = submission.policy.asynchronousStore { return hold(submission, token, for: store) }
        if let fault = submission.policy.replayFault(of: token.transactionId, at: submission.now) { throw fault }
        try submission.open(token, at: schedule.now, countedBy: tally)
      }
    } catch {
      refuse(submission, for: error)
    }
  }

  /// Holds a token until its store is asked and has answered.
  private func hold(_ submission: Submission, _ token: borrowing OpenedToken, for store: AskableStore) {
    guard let held = heldStock.hold(token) else { return refuse(submission, as: .overloaded, countedAs: .overloaded) }
    let limit = schedule.now.advanced(by: storeTimeLimit)
    let question = ReplayQuestion(
      token.transactionId, at: submission.now, window: store.window,
      deadline: submission.deadline.map { min($0, limit) } ?? limit)
    submission.awaitStore()
    toAsk.append(
      StoreWaits.Request(
        submission: submission, token: held, merchant: token.publicKeyHash, store: store.store, question: question))
  }
}
