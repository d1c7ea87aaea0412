import PaymentToken
import Synchronization

/// One request in a pool, which its caller can take back.
///
/// `@unchecked Sendable`: the closures are set before the submission is shared, and called by whoever moved `state` from
/// where it was waiting.
public final class Submission: @unchecked Sendable {
  typealias Opened = @Sendable (borrowing OpenedToken) throws(TokenFault) -> Void
  typealias Refused = @Sendable (DecryptionPool.Refusal) -> Void

  enum State: UInt8, AtomicRepresentable {
    /// Not given to the pool yet.
    case fresh
    /// In a queue: may be begun, or taken back.
    case waiting
    /// With a thread of the pool, which will answer it or put it back in a queue.
    case begun
    /// The same, and its caller no longer wants it: no use putting it back.
    case begunUnwanted
    /// Taken back, and answered.
    case cancelled
  }

  let octets: [UInt8]
  let now: UnixTime
  let policy: VerificationPolicy
  let deadline: ContinuousClock.Instant?
  let submitted: ContinuousClock.Instant
  private let state = Atomic(State.fresh)
  private let tally: Tally
  private var answer: (opened: Opened, refused: Refused)?

  init(
    _ octets: [UInt8], at now: UnixTime, under policy: VerificationPolicy, deadline: ContinuousClock.Instant?,
    submitted: ContinuousClock.Instant, tally: Tally
  ) {
    self.octets = octets
    self.now = now
    self.policy = policy
    self.deadline = deadline
    self.submitted = submitted
    self.tally = tally
  }

  /// Takes the request back. If it has not been begun, it is answered as `cancelled`, on this thread; otherwise it gets
  /// its verdict, since a replay store may already remember the token.
  public func cancel() {
    if move(from: .waiting, to: .cancelled) {
      tally.count(.cancelled)
      answer?.refused(.cancelled)
      return
    }
    if move(from: .fresh, to: .cancelled) { return }
    _ = move(from: .begun, to: .begunUnwanted)
  }

  /// Says how to answer it, before it enters: only who moves it from `waiting` on looks at that.
  func prepare(opened: @escaping Opened, refused: @escaping Refused) {
    answer = (opened, refused)
  }

  /// Makes it ready for the first queue; false if it was taken back before.
  func enter() -> Bool { move(from: .fresh, to: .waiting) }

  /// Takes it from a queue; false if it was taken back.
  func begin() -> Bool { move(from: .waiting, to: .begun) }

  /// Makes it ready for another queue; false if it was taken back in between.
  func putBack() -> Bool { move(from: .begun, to: .waiting) }

  /// Answers one that was begun.
  func open(_ token: borrowing OpenedToken) throws(TokenFault) {
    try answer?.opened(token)
  }

  /// Answers one that was begun.
  func refuse(_ refusal: DecryptionPool.Refusal) {
    answer?.refused(refusal)
  }

  private func move(from old: State, to new: State) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}

/// The requests of one batch, for the engine.
struct SubmittedRequests: BatchedRequests {
  let submissions: [Submission]

  var count: Int { submissions.count }

  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result {
    let submission = submissions[index]
    return body(submission.octets, submission.now, submission.policy)
  }
}
