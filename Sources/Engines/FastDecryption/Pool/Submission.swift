import PaymentToken
import Synchronization

/// One request in a pool, which its caller can take back.
///
/// `@unchecked Sendable`: `answer` is set before the submission enters a queue, and it and `fault` are then only touched by
/// whoever moved `state` to where it is.
public final class Submission: @unchecked Sendable {
  typealias Opened = @Sendable (borrowing OpenedToken, Acceptance) throws(TokenFault) -> Void
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
    /// About to be answered by a thread of the pool.
    case answered
  }

  /// What a thread that takes a submission from a queue has in hand.
  enum Beginning {
    case begun
    /// Its caller took it back while another thread of the pool had it: it is yet to be answered.
    case unwanted
    /// It was taken back and answered.
    case gone
  }

  /// A longer request is refused for its length alone, whatever follows.
  private static var longestRequest: Int { Envelope.maximumRequestSize + 1 }

  let bytes: [UInt8]
  let now: UnixTime
  let policy: VerificationPolicy
  /// The earlier of the caller's and the end of the policy's window; looked at when a worker, or the slow path, comes to it.
  let deadline: ContinuousClock.Instant?
  let submitted: ContinuousClock.Instant
  /// What the slow path found against it in stages 0 to 8.
  var fault: TokenFault?
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

  /// Takes the request back. If it has not been begun, it is answered as `cancelled`, on this thread; otherwise it gets
  /// its verdict, since a replay store may already remember the token, unless it turns out that its certificates have yet
  /// to be verified.
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
      case .begun: if move(from: .begun, to: .begunUnwanted) { return }
      case .begunUnwanted, .cancelled, .answered: return
      }
    }
  }

  /// Says how to answer it, before it enters.
  func prepare(opened: @escaping Opened, refused: @escaping Refused) {
    answer = (opened, refused)
  }

  /// Makes it ready for the first queue; false if it was taken back before.
  func enter() -> Bool { move(from: .fresh, to: .waiting) }

  /// Takes it from a queue.
  func begin() -> Beginning {
    if move(from: .waiting, to: .begun) { return .begun }
    return state.load(ordering: .acquiring) == .begunUnwanted ? .unwanted : .gone
  }

  /// Makes it ready for another queue; false if it was taken back in between.
  func putBack() -> Bool { move(from: .begun, to: .waiting) }

  /// Answers one that was begun; one for which this throws is yet to be refused.
  func open(_ token: borrowing OpenedToken, countedBy tally: Tally) throws(TokenFault) {
    let acceptance = Acceptance(submission: self, tally: tally, latency: submitted.duration(to: .now))
    try answer?.opened(token, acceptance)
    answer = nil
  }

  /// Answers one that was begun, or taken back.
  func refuse(_ refusal: DecryptionPool.Refusal) {
    finish()
    answer?.refused(refusal)
    // What the closures hold may hold this.
    answer = nil
  }

  /// Publishes all that was done for the answer, before it is given.
  fileprivate func finish() { state.store(.answered, ordering: .releasing) }

  /// Receives what `finish` published. The answer itself brings it as well; but ThreadSanitizer sees only this.
  func receive() { _ = state.load(ordering: .acquiring) }

  /// A token that waited for longer than its window would be judged by a time at which a replay store may no longer remember
  /// it.
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

/// What a reader that is content with a token calls before the answer is given: it counts.
struct Acceptance {
  fileprivate let submission: Submission
  fileprivate let tally: Tally
  fileprivate let latency: Duration

  func callAsFunction() {
    tally.countAccepted(after: latency)
    submission.finish()
  }
}

/// What callers' threads do in a pool: counted, and waited for at the end.
final class Callers: Sendable {
  let tally = Tally()
  private let active = Atomic(0)

  /// Whether a caller is taking a request back.
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
