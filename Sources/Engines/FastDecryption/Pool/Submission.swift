import PaymentToken
import Synchronization

/// A request that was submitted to a pool. Its caller can cancel it.
///
/// `@unchecked Sendable`: `answer` is set before the submission enters a queue. After that only the thread that made
/// the last transition of `state` accesses the variables, or the one that got the submission from it by a queue or
/// `StoreWaits`.
public final class Submission: @unchecked Sendable {
  /// What a caller gets of an accepted token.
  enum Opened {
    /// The token; it is accepted if the closure does not throw.
    case token(@Sendable (borrowing OpenedToken) throws(TokenFault) -> Void)
    /// The token, for a closure that accepts it before it gives the answer.
    case unaccepted(@Sendable (borrowing OpenedToken, Acceptance) throws(TokenFault) -> Void)
  }

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

  // The first member: it is written by several threads, like the count of references before it, and so is in the same
  // cache line and not in that of the next request's count.
  private let state = Atomic(State.fresh)
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
  private let callers: Unmanaged<Callers>
  private var answer: (opened: Opened, refused: Refused)?

  init(
    _ bytes: [UInt8], at now: UnixTime, under policy: VerificationPolicy, deadline: ContinuousClock.Instant?,
    submitted: ContinuousClock.Instant, callers: Unmanaged<Callers>
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
    let callers = callers.takeUnretainedValue()
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
  func prepare(opened: Opened, refused: @escaping Refused) {
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
  func open(
    _ token: borrowing OpenedToken, at now: ContinuousClock.Instant, countedBy tally: Tally
  ) throws(TokenFault) {
    let acceptance = Acceptance(submission: self, tally: tally, latency: submitted.duration(to: now))
    switch answer?.opened {
    case .token(let opened):
      try opened(token)
      acceptance()
    case .unaccepted(let opened): try opened(token, acceptance)
    case nil: break
    }
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
    guard case .window(let seconds, _) = policy.freshnessRule else { return deadline }
    let end = submitted.advanced(by: .seconds(Int64(seconds)))
    return deadline.map { min($0, end) } ?? end
  }

  private func move(from old: State, to new: State) -> Bool {
    callers._withUnsafeGuaranteedRef { if let schedule = $0.schedule { schedule.yield() } }
    return state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
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
///
/// Requests outlive their pool, and all of a pool's threads would count their references to one object. So these are
/// never released, but used again by later pools. To cancel a request of a pool that is gone does nothing: all are
/// answered.
final class Callers: Sendable {
  private static let unused = Guarded<[Callers]>([])

  let tally = Tally(isShared: true)
  fileprivate let schedule: (any PoolSchedule)?
  private let active = Atomic(0)

  private init(_ schedule: (any PoolSchedule)?) { self.schedule = schedule }

  /// One that no pool uses, without counts. A pool with a schedule gets its own.
  static func take(for schedule: (any PoolSchedule)?) -> Callers {
    let unused = schedule == nil ? unused.withLock { $0.popLast() } : nil
    return unused ?? Callers(schedule)
  }

  /// Takes back that of a pool that has answered all requests. If a thread is still cancelling a request, which it will
  /// count, no other pool uses it; requests refer to it all the same, so that it is not released either.
  static func putBack(_ callers: Callers) {
    guard callers.schedule == nil else { return }
    guard !callers.areActive else {
      _ = Unmanaged.passRetained(callers)
      return
    }
    callers.tally.clear()
    unused.withLock { $0.append(callers) }
  }

  /// Whether a thread is cancelling a request.
  var areActive: Bool { active.load(ordering: .sequentiallyConsistent) > 0 }

  func begin() { active.add(1, ordering: .sequentiallyConsistent) }
  func end() { active.subtract(1, ordering: .sequentiallyConsistent) }
}

/// The requests of one batch, for the engine.
package struct SubmittedRequests: BatchedRequests {
  let submissions: [Submission]

  package var count: Int { submissions.count }

  package func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result {
    let submission = submissions[index]
    return body(submission.bytes, submission.now, submission.policy)
  }

  package func withPolicy<Result>(_ index: Int, _ body: (UnixTime, borrowing VerificationPolicy) -> Result) -> Result {
    let submission = submissions[index]
    return body(submission.now, submission.policy)
  }
}
