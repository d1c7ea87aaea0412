import PaymentToken

/// What a thread of a pool decides requests with, and where it counts them.
///
/// `@unchecked Sendable`: one thread at a time has it; `tally` alone is read by others.
final class Worker: @unchecked Sendable {
  let tally = Tally()
  /// Requests from a queue, some of which may have been taken back.
  var taken: [Submission] = []
  /// Those that were begun.
  private var begun: [Submission] = []
  private var workspace: BatchWorkspace

  /// Nil when there is no memory left.
  init?() {
    guard let workspace = BatchWorkspace() else { return nil }
    self.workspace = workspace
    taken.reserveCapacity(DecryptionPool.Configuration.largestBatch)
    begun.reserveCapacity(DecryptionPool.Configuration.largestBatch)
  }

  /// Answers every request taken from a queue, but for those left to the slow path.
  ///
  /// - Parameters:
  ///   - engine: asked for once requests were taken, so that it is no older than they are.
  ///   - leave: is given each request whose certificates are not known; false when there is no room for it.
  func decide(by engine: FastDecryptor, leave: (Submission) -> Bool) {
    let start = ContinuousClock.now
    begin(at: start)
    defer { begun.removeAll(keepingCapacity: true) }
    guard !begun.isEmpty else { return }
    let requests = SubmittedRequests(submissions: begun)
    engine.decryptBatch(
      requests, in: &workspace, unknownChains: .left,
      opened: { index, token throws(TokenFault) in
        try requests.submissions[index].open(token, countedBy: tally)
      },
      refused: { index, fault in refuse(requests.submissions[index], for: fault) },
      left: { index in self.leave(requests.submissions[index], to: leave) })
    tally.countBatch(of: requests.count, taking: start.duration(to: .now))
  }

  /// Passes over what was taken back, answers what the slow path has found against a request, then what is too late. One instant for
  /// all: a batch is begun as one.
  private func begin(at now: ContinuousClock.Instant) {
    for submission in taken {
      switch submission.begin() {
      case .gone: continue
      case .unwanted: cancel(submission)
      case .begun:
        if let fault = submission.fault {
          refuse(submission, for: fault)
        } else if let deadline = submission.deadline, now >= deadline {
          tally.count(.expired)
          submission.refuse(.deadlineExceeded)
        } else {
          begun.append(submission)
        }
      }
    }
    taken.removeAll(keepingCapacity: true)
  }

  private func leave(_ submission: Submission, to lane: (Submission) -> Bool) {
    guard submission.putBack() else { return cancel(submission) }
    tally.count(.cold)
    guard !lane(submission) else { return }
    switch submission.begin() {
    case .gone: return
    case .unwanted: cancel(submission)
    case .begun:
      tally.count(.overloaded)
      submission.refuse(.overloaded)
    }
  }

  private func cancel(_ submission: Submission) {
    tally.count(.cancelled)
    submission.refuse(.cancelled)
  }

  /// Counts first: who has the answer finds it counted.
  private func refuse(_ submission: Submission, for fault: TokenFault) {
    tally.countRefused(fault, after: submission.submitted.duration(to: .now))
    submission.refuse(.token(fault))
  }
}

/// What a caller's own thread decrypts a lone request with.
///
/// `@unchecked Sendable`: the pool lends it to one caller at a time; `tally` alone is read by others.
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
    tally.count(.lentCaller)
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
