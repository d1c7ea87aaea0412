import PaymentToken
import Synchronization

/// A request that was submitted to a pool. Its caller can cancel it.
///
/// `@unchecked Sendable`: `answer` is set before the submission enters a queue. After that only the thread that made
/// the last transition of `state` accesses the variables, or the one that got the submission from it by a queue or
/// `StoreWaits`.
public final class Submission: @unchecked Sendable {
  typealias Opened = @Sendable (borrowing OpenedToken, Acceptance) throws(TokenFault) -> Void
  typealias Refused = @Sendable (DecryptionPool.Refusal) -> Void

  enum State: UInt8, AtomicRepresentable {
    /// Not in a queue yet.
    case fresh
    /// In a queue: can be begun or cancelled.
    case waiting
    /// Held by a thread of the pool, which answers it or puts it into a queue again.
    case begun
    /// The same, and cancelled by its caller meanwhile: it must not enter a queue again.
    case begunCancelled
    /// Cancelled and answered.
    case cancelled
    /// Being answered by a thread of the pool.
    case answered
  }

  /// The state of a submission that a thread has taken from a queue.
  enum Beginning {
    case begun
    /// Its caller cancelled it while another thread of the pool held it. The thread must answer it.
    case cancelled
    /// It was cancelled and answered.
    case answered
  }

  /// The bytes that are kept of a request: one more than the largest request, so that a longer one is still refused.
  private static var longestRequest: Int { Envelope.maximumRequestSize + 1 }

  let bytes: [UInt8]
  let now: UnixTime
  let policy: VerificationPolicy
  /// The earlier of the caller's deadline and the end of the policy's window. Checked when a worker or the slow path
  /// begins the request.
  let deadline: ContinuousClock.Instant?
  let submitted: ContinuousClock.Instant
  /// Why the request takes the slow path.
  var slowReason = SlowReason.unknownChain
  /// What the slow path has found.
  var finding: SlowPath.Finding?
  private let state = Atomic(State.fresh)
  private let callers: Callers
  private var answer: (opened: Opened, refused: Refused)?

  init(
    _ bytes: [UInt8], at now: UnixTime, under policy: VerificationPolicy, deadline: ContinuousClock.Instant?,
    submitted: ContinuousClock.Instant, callers: Callers
  ) {
    self.bytes = bytes.count > Self.longestRequest ? Array(bytes.prefix(Self.longestRequest)) : bytes
    self.now = now
    self.policy = policy
    self.deadline = Self.deadline(deadline, under: policy, submitted: submitted)
    self.submitted = submitted
    self.callers = callers
  }

  /// Cancels the request.
  ///
  /// If no worker has begun it, `refused(.cancelled)` is called on this thread before `cancel` returns. Otherwise the
  /// request gets its verdict, since a replay store may already remember the token; only if its certificates still have
  /// to be verified is it refused as `cancelled` later. Has no effect on an answered request.
  public func cancel() {
    callers.begin()
    defer { callers.end() }
    while true {
      switch state.load(ordering: .acquiring) {
      case .fresh: if move(from: .fresh, to: .cancelled) { return }
      case .waiting:
        guard move(from: .waiting, to: .cancelled) else { continue }
        callers.tally.count(.cancelled)
        refuse(.cancelled)
        return
      case .begun: if move(from: .begun, to: .begunCancelled) { return }
      case .begunCancelled, .cancelled, .answered: return
      }
    }
  }

  /// Sets the closures that answer the request, before it enters a queue.
  func prepare(opened: @escaping Opened, refused: @escaping Refused) {
    answer = (opened, refused)
  }

  /// Marks the request as waiting, for its first queue; false if it is cancelled.
  func enqueue() -> Bool { move(from: .fresh, to: .waiting) }

  /// Marks a request that was taken from a queue as begun.
  func begin() -> Beginning {
    if move(from: .waiting, to: .begun) { return .begun }
    return state.load(ordering: .acquiring) == .begunCancelled ? .cancelled : .answered
  }

  /// Marks a begun request as waiting again, for another queue; false if it was cancelled meanwhile.
  func requeue() -> Bool { move(from: .begun, to: .waiting) }

  /// Answers a begun request with its token. If this throws, the request must be refused.
  func open(_ token: borrowing OpenedToken, countedBy tally: Tally) throws(TokenFault) {
    let acceptance = Acceptance(submission: self, tally: tally, latency: submitted.duration(to: .now))
    try answer?.opened(token, acceptance)
    answer = nil
  }

  /// Answers a begun or cancelled request with a refusal.
  func refuse(_ refusal: DecryptionPool.Refusal) {
    finish()
    answer?.refused(refusal)
    // Breaks a reference cycle: the closures may hold this submission.
    answer = nil
  }

  /// Publishes this thread's writes before the answer is given.
  fileprivate func finish() { state.store(.answered, ordering: .releasing) }

  /// Acquires what `finish` published. The continuation does so too, but ThreadSanitizer does not see that.
  func receive() { _ = state.load(ordering: .acquiring) }

  /// The window is a deadline too: after it, a replay store may no longer remember the transaction, and the request's
  /// time would still accept the token.
  private static func deadline(
    _ deadline: ContinuousClock.Instant?, under policy: VerificationPolicy, submitted: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard case .window(let seconds, _) = policy.freshness else { return deadline }
    let end = submitted.advanced(by: .seconds(Int64(seconds)))
    return deadline.map { min($0, end) } ?? end
  }

  private func move(from old: State, to new: State) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// Called by a reader that accepts a token, before it gives the answer: counts the request and publishes its results.
struct Acceptance {
  fileprivate let submission: Submission
  fileprivate let tally: Tally
  fileprivate let latency: Duration

  func callAsFunction() {
    tally.countAccepted(after: latency)
    submission.finish()
  }
}

/// The callers' threads that are cancelling a request, so that a pool can wait for them when it ends.
final class Callers: Sendable {
  let tally = Tally(isShared: true)
  private let active = Atomic(0)

  /// Whether a thread is cancelling a request.
  var areActive: Bool { active.load(ordering: .sequentiallyConsistent) > 0 }

  func begin() { active.add(1, ordering: .sequentiallyConsistent) }
  func end() { active.subtract(1, ordering: .sequentiallyConsistent) }
}

/// The requests of one batch, for the engine.
struct SubmittedRequests: BatchedRequests {
  let submissions: [Submission]

  var count: Int { submissions.count }

  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result {
    let submission = submissions[index]
    return body(submission.bytes, submission.now, submission.policy)
  }
}
