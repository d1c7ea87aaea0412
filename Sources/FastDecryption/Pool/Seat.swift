import PaymentToken

/// What a thread of a pool decides requests with, and where it counts them.
///
/// `@unchecked Sendable`: one thread at a time has it; `tally` alone is read by others.
final class Seat: @unchecked Sendable {
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

  /// Answers every request taken from a queue, but for those left to the side lane.
  ///
  /// - Parameters:
  ///   - engine: asked for once requests were taken, so that it is no older than they are.
  ///   - leave: is given each request whose certificates are not known; without it they are verified here.
  func decide(by engine: FastDecryptor, leave: ((Submission) -> Void)?) {
    let start = ContinuousClock.now
    begin(at: start)
    defer { begun.removeAll(keepingCapacity: true) }
    guard !begun.isEmpty else { return }
    // A copy: what is called below may come back here for other requests only through a queue.
    let requests = SubmittedRequests(submissions: begun)
    engine.decryptBatch(
      requests, in: &workspace, unknownChains: leave == nil ? .verified : .left,
      opened: { index, token throws(TokenFault) in try open(token, for: requests.submissions[index]) },
      refused: { index, fault in refuse(requests.submissions[index], for: fault) },
      left: { index in leave?(requests.submissions[index]) })
    tally.countBatch(of: requests.count, taking: start.duration(to: .now))
  }

  /// Passes over what was taken back, and answers what is too late.
  private func begin(at now: ContinuousClock.Instant) {
    for submission in taken where submission.begin() {
      if let deadline = submission.deadline, now >= deadline {
        tally.count(.expired)
        submission.refuse(.deadlineExceeded)
      } else {
        begun.append(submission)
      }
    }
    taken.removeAll(keepingCapacity: true)
  }

  /// Counts first: who has the answer finds it counted.
  private func open(_ token: borrowing OpenedToken, for submission: Submission) throws(TokenFault) {
    let latency = submission.submitted.duration(to: .now)
    tally.countAccepted(after: latency)
    do throws(TokenFault) {
      try submission.open(token)
    } catch {
      tally.takeBackAccepted(after: latency)
      throw error
    }
  }

  private func refuse(_ submission: Submission, for fault: TokenFault) {
    tally.countRefused(fault, after: submission.submitted.duration(to: .now))
    submission.refuse(.token(fault))
  }
}
