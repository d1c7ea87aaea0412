import PaymentToken
import Synchronization

/// A request that was submitted to a pool. Its caller can cancel it.
///
/// `place` says where the request is. Threads take and cancel a waiting request by a compare-and-exchange of `place`,
/// so only one of them succeeds and owns the request. Docs/Architecture.md shows the places and their changes.
///
/// `@unchecked Sendable`: `answer` is set before the submission enters a queue. After that only the thread that owns
/// the request accesses `answer`. The other variables belong to the queue (under its lock), or to the thread that got
/// the submission from a queue or `StoreWaits`.
public final class Submission: @unchecked Sendable {
  /// The caller's closure for an accepted token.
  enum Opened {
    /// Gets the token, which is accepted if the closure does not throw.
    case token(@Sendable (borrowing OpenedToken) throws(TokenFault) -> Void)
    /// Gets the token, and counts the request by `Acceptance` if it accepts the token. `decrypt` must do so before it
    /// resumes its task, which then finds the request counted.
    case countedByReader(@Sendable (borrowing OpenedToken, Acceptance) throws(TokenFault) -> Void)
  }

  typealias Refused = @Sendable (DecryptionPool.Refusal) -> Void

  /// Where a request is.
  enum Place: UInt8, AtomicRepresentable {
    /// Not in the pool yet.
    case caller
    /// Waits for a worker.
    case queue
    /// Waits for the slow path, or for a worker without other requests.
    case slowQueue
    /// In a worker's batch.
    case worker
    /// Decided by the slow path.
    case slowPath
    /// Its asynchronous store is to be asked, or has been.
    case store
    /// Cancelled by its caller while a worker or the slow path has it. A worker refuses it instead of sending it to the
    /// slow path, or once the slow path has returned it.
    case cancelled
    /// Being refused by the thread that cancelled it. A worker that takes it from the queue drops it.
    case canceller
    /// Answered, or refused before it was in the pool.
    case answered
  }

  /// What a thread has to do with a request that it has taken from a queue.
  enum Beginning {
    case decide
    /// Its caller cancelled it while the slow path had it.
    case refuse
    /// Its caller cancelled it while it waited.
    case drop
  }

  /// The number of bytes kept of a request: one more than the largest request, so that a longer one is still refused.
  private static var longestRequest: Int { Envelope.maximumRequestSize + 1 }

  // The first member, next to this request's reference count: several threads write both, so they share a cache line.
  // As the last member it could share one with the next request's reference count.
  private let place = Atomic(Place.caller)
  let bytes: [UInt8]
  let now: UnixTime
  let policy: VerificationPolicy
  /// The earlier of the caller's deadline and the end of the policy's window. Checked when a worker or the slow path
  /// begins the request. It also limits the size of the batch and the time of the store. A request whose chain could
  /// only be verified later is refused at once.
  let deadline: ContinuousClock.Instant?
  let submitted: ContinuousClock.Instant
  /// Why the request takes the slow path.
  var slowReason = SlowReason.unknownChain
  /// What the slow path has found.
  var finding: SlowPath.Finding?
  /// Whether a queue has counted the request as cancelled (`SubmissionQueue.cancelledCount`). A queue counts one that
  /// was refused before it left the queue; the worker that drops or refuses it counts any other. One that was cancelled
  /// before it was submitted is not counted.
  var isCountedAsCancelled = false
  private let schedule: (any PoolSchedule)?
  private var answer: (opened: Opened, refused: Refused)?

  init(
    _ bytes: [UInt8], at now: UnixTime, under policy: VerificationPolicy, deadline: ContinuousClock.Instant?,
    submitted: ContinuousClock.Instant, schedule: (any PoolSchedule)?
  ) {
    self.bytes = bytes.count > Self.longestRequest ? Array(bytes.prefix(Self.longestRequest)) : bytes
    self.now = now
    self.policy = policy
    self.deadline = Self.deadline(deadline, under: policy, submitted: submitted)
    self.submitted = submitted
    self.schedule = schedule
  }

  /// Cancels the request.
  ///
  /// If the request waits in a queue, `refused(.cancelled)` is called on this thread before `cancel` returns. A request
  /// that a worker has begun gets its verdict, since a replay store may already remember the token, unless it then
  /// takes the slow path (new certificates, RSA_v1). A worker later refuses a request on the slow path as `cancelled`.
  /// An answered request is not affected.
  public func cancel() {
    while true {
      let place = place.load(ordering: .acquiring)
      switch place {
      case .caller: if move(from: .caller, to: .answered) { return }
      case .queue, .slowQueue:
        guard move(from: place, to: .canceller) else { continue }
        answer?.refused(.cancelled)
        answer = nil
        markAnswered()
        return
      case .worker, .slowPath: if move(from: place, to: .cancelled) { return }
      case .store, .cancelled, .canceller, .answered: return
      }
    }
  }

  /// Whether the thread that cancelled the request is still refusing it.
  var isBeingCancelled: Bool { place.load(ordering: .acquiring) == .canceller }

  /// Whether a request in a queue was cancelled and refused, and is only left to be dropped.
  var isAnswered: Bool { place.load(ordering: .acquiring) == .answered }

  /// Sets the closures that answer the request, before it enters a queue.
  func prepare(opened: Opened, refused: @escaping Refused) {
    answer = (opened, refused)
  }

  /// Begins a request that was taken from a queue, for a worker or the slow path.
  func begin(for holder: Place) -> Beginning {
    let place = place.load(ordering: .acquiring)
    switch place {
    case .queue, .slowQueue:
      return move(from: place, to: holder) ? .decide : .drop
    case .cancelled: return .refuse
    // A request in a queue is in none of the first four.
    case .caller, .worker, .slowPath, .store, .canceller, .answered: return .drop
    }
  }

  /// Marks a begun request as waiting for its store. From now on cancelling it has no effect, and an earlier
  /// cancellation is ignored.
  func awaitStore() { place.store(.store, ordering: .releasing) }

  /// Changes the place of a request; false if it is elsewhere.
  func move(from old: Place, to new: Place) -> Bool {
    if let schedule { schedule.yield() }
    return place.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }

  /// Answers a begun request with its token. If this throws, the request must be refused.
  func open(
    _ token: borrowing OpenedToken, at now: ContinuousClock.Instant, countedBy tally: Tally
  ) throws(TokenFault) {
    let acceptance = Acceptance(submission: self, tally: tally, latency: submitted.duration(to: now))
    switch answer?.opened {
    case .token(let opened):
      try opened(token)
      acceptance()
    case .countedByReader(let opened): try opened(token, acceptance)
    case nil: break
    }
    answer = nil
  }

  /// Refuses a request that a worker holds.
  func refuse(_ refusal: DecryptionPool.Refusal) {
    markAnswered()
    answer?.refused(refusal)
    // Breaks a reference cycle: the closures may hold this submission.
    answer = nil
  }

  /// Marks the request as answered, and publishes this thread's writes to the thread that calls `receive`.
  fileprivate func markAnswered() { place.store(.answered, ordering: .releasing) }

  /// Acquires what `markAnswered` published. The continuation does so too, but ThreadSanitizer does not see that.
  func receive() { _ = place.load(ordering: .acquiring) }

  /// The end of the window is a deadline too: after it, a replay store may forget the transaction, while the request's
  /// verification time would still accept the token. Times are whole seconds, so a window of 0 is a second long.
  private static func deadline(
    _ deadline: ContinuousClock.Instant?, under policy: VerificationPolicy, submitted: ContinuousClock.Instant
  ) -> ContinuousClock.Instant? {
    guard case .window(let seconds, _) = policy.freshnessRule else { return deadline }
    let end = submitted.advanced(by: .seconds(Int64(max(1, seconds))))
    return deadline.map { min($0, end) } ?? end
  }
}

/// Called by a reader that accepts a token, before it gives the answer: counts the request and publishes its results.
struct Acceptance {
  fileprivate let submission: Submission
  fileprivate let tally: Tally
  fileprivate let latency: Duration

  func callAsFunction() {
    tally.countAccepted(after: latency)
    submission.markAnswered()
  }
}
