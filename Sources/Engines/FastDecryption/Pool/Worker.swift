import PaymentToken

/// Decides the batches of one thread of a pool, and counts the results.
///
/// `@unchecked Sendable`: one thread at a time uses it; other threads read only `tally`.
final class Worker: @unchecked Sendable {
  let tally = Tally()
  /// Requests from the queue, some of which may have been cancelled.
  var taken: [Submission] = []
  /// Requests that their stores have answered.
  var answered: [StoreWaits.Run] = []
  /// The requests of the batch.
  private var begun: [Submission] = []
  /// The requests of the batch whose stores are to be asked.
  private var accepted: [StoreWaits.Request] = []
  private var workspace: BatchWorkspace
  private let held: HeldPlaintexts
  private let storeTimeLimit: Duration

  /// Nil when there is no memory left.
  ///
  /// - Parameters:
  ///   - held: takes the plaintexts of requests that wait for a store.
  ///   - storeTimeLimit: how long they wait at most.
  init?(holding held: HeldPlaintexts, for storeTimeLimit: Duration) {
    guard let workspace = BatchWorkspace() else { return nil }
    self.workspace = workspace
    self.held = held
    self.storeTimeLimit = storeTimeLimit
    taken.reserveCapacity(DecryptionPool.Configuration.largestBatch)
    begun.reserveCapacity(DecryptionPool.Configuration.largestBatch)
  }

  /// Answers the requests in `taken`, except those that need the slow path.
  ///
  /// - Parameters:
  ///   - engine: evaluated after the requests were taken, so that the engine is no older than they are.
  ///   - sendToSlowPath: called with each request whose certificates are not known; returns false if there is no room.
  func decide(by engine: FastDecryptor, sendToSlowPath: (Submission) -> Bool) {
    let start = ContinuousClock.now
    begin(at: start)
    defer { begun.removeAll(keepingCapacity: true) }
    guard !begun.isEmpty else { return }
    let requests = SubmittedRequests(submissions: begun)
    engine.decryptBatch(
      requests, in: &workspace, unknownChains: .skip, stores: .postpone,
      opened: { index, token throws(TokenFault) in
        try requests.submissions[index].open(token, countedBy: tally)
      },
      postponed: { index, token, store in hold(requests.submissions[index], token, for: store) },
      refused: { index, fault in refuse(requests.submissions[index], for: fault) },
      skipped: { index in verifyLater(requests.submissions[index], to: sendToSlowPath) })
    tally.countBatch(of: requests.count, taking: start.duration(to: .now))
  }

  /// Asks asynchronous stores about the accepted tokens of the batch.
  func ask(_ queue: WorkerQueue) {
    guard !accepted.isEmpty else { return }
    queue.ask(accepted)
    accepted.removeAll(keepingCapacity: true)
  }

  /// Answers the requests in `answered`, and those whose store has not answered in time.
  func deliver(from queue: WorkerQueue) {
    queue.deliver(&answered) { submission, token, verdict in
      do throws(TokenFault) {
        if let fault = verdict.fault { throw fault }
        try token.open { token throws(TokenFault) in try submission.open(token, countedBy: tally) }
      } catch {
        refuse(submission, for: error)
      }
    }
  }

  private func hold(_ submission: Submission, _ token: borrowing OpenedToken, for store: AskableStore) {
    guard let held = held.hold(token) else {
      tally.count { $0.overloaded += 1 }
      return submission.refuse(.overloaded)
    }
    let limit = ContinuousClock.now.advanced(by: storeTimeLimit)
    let question = ReplayQuestion(
      token.transactionId, at: submission.now, window: store.window,
      deadline: submission.deadline.map { min($0, limit) } ?? limit)
    accepted.append(StoreWaits.Request(submission: submission, token: held, store: store.store, question: question))
  }

  /// Skips cancelled requests, and answers those that the slow path refused or whose deadline has passed. Compares all
  /// deadlines with one instant, the beginning of the batch.
  private func begin(at now: ContinuousClock.Instant) {
    for submission in taken {
      switch submission.begin() {
      case .answered: continue
      case .cancelled: cancel(submission)
      case .begun:
        if let fault = submission.fault {
          refuse(submission, for: fault)
        } else if let deadline = submission.deadline, now >= deadline {
          tally.count { $0.expired += 1 }
          submission.refuse(.deadlineExceeded)
        } else {
          begun.append(submission)
        }
      }
    }
    taken.removeAll(keepingCapacity: true)
  }

  private func verifyLater(_ submission: Submission, to sendToSlowPath: (Submission) -> Bool) {
    guard submission.requeue() else { return cancel(submission) }
    tally.count { $0.sentToSlowPath += 1 }
    guard !sendToSlowPath(submission) else { return }
    switch submission.begin() {
    case .answered: return
    case .cancelled: cancel(submission)
    case .begun:
      tally.count { $0.overloaded += 1 }
      submission.refuse(.overloaded)
    }
  }

  private func cancel(_ submission: Submission) {
    tally.count { $0.cancelled += 1 }
    submission.refuse(.cancelled)
  }

  /// Counts before it answers, so that a caller that has its answer finds it counted.
  private func refuse(_ submission: Submission, for fault: TokenFault) {
    tally.countRefused(fault, after: submission.submitted.duration(to: .now))
    submission.refuse(.token(fault))
  }
}

/// Decrypts a single request on its caller's thread.
///
/// `@unchecked Sendable`: one caller at a time uses it (`WorkerQueue.claimForCaller`); other threads read only `tally`.
final class CallerWorker: @unchecked Sendable {
  let tally = Tally()
  private var workspace: Workspace

  /// Nil when there is no memory left.
  init?() {
    guard let workspace = Workspace() else { return nil }
    self.workspace = workspace
  }

  /// Decides one request as a worker and the slow path would.
  func decrypt<Value>(
    _ bytes: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor,
    submitted: ContinuousClock.Instant, reading: (borrowing OpenedToken) throws(TokenFault) -> Value
  ) throws(DecryptionPool.Refusal) -> Value {
    tally.count { $0.ranOnCallerThread += 1 }
    do throws(TokenFault) {
      let value = try engine.decrypt(bytes.span, at: now, under: policy, in: &workspace, reading)
      tally.countAccepted(after: submitted.duration(to: .now))
      return value
    } catch {
      tally.countRefused(error, after: submitted.duration(to: .now))
      throw .token(error)
    }
  }
}
