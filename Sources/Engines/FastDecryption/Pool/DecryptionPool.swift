import CMachine
import PaymentToken

/// Makes batches of requests that arrive one at a time on many threads, and answers each of them once.
///
/// A batch is what waits when a worker is free: nothing is held back to fill it. A request is decided as the engine's
/// `decrypt` would decide it, under one set of keys and roots from its first stage to its last. Signed tokens only: the
/// unsigned policy has no pool.
///
/// A pool whose last reference goes shuts down by itself, without anybody waiting for it.
public final class DecryptionPool: Sendable {
  private let core: PoolCore

  /// Starts a pool.
  ///
  /// - Throws: why it could not start; nothing of it is left then.
  public init(
    _ engine: FastDecryptor, _ configuration: Configuration = Configuration()
  ) throws(StartFailure) {
    guard configuration.isUsable else { throw .invalidConfiguration }
    for cpu in configuration.cpus where assay_may_use_cpu(Int32(clamping: cpu)) == 0 { throw .unavailableCPU(cpu) }
    core = try PoolCore(engine, configuration)
    try core.start()
  }

  deinit {
    core.queue.close()
  }

  /// The engine that decides requests submitted from now on.
  public var engine: FastDecryptor { core.engine }

  /// Changes keys and roots without a pause. Requests submitted after this returns are decided by the new engine alone,
  /// those submitted before by the old one or the new one, each by one of them from its first stage to its last.
  ///
  /// The old engine's keys are wiped when the last request under them is decided and nobody else holds it.
  public func replaceEngine(with engine: FastDecryptor) {
    core.replaceEngine(with: engine)
  }

  /// What the pool has done, and how it stands.
  public var metrics: PoolMetrics { core.metrics }

  /// Hands over a request, and returns at once.
  ///
  /// The request is answered once, by `opened`, or by `refused`, which also follows when `opened` throws. They are called on a
  /// worker and must not keep it, least of all by waiting for another answer or for `shutDown`: all that is in the same batch waits.
  /// `refused(.cancelled)` is called on the thread that takes the request back, mostly.
  ///
  /// - Parameters:
  ///   - request: the token, or the request it came in, as `policy.envelope` says.
  ///   - now: the verification time.
  ///   - policy: the caller's demands.
  ///   - deadline: when it is not begun by then it is answered as `deadlineExceeded`, as soon as a worker comes to it. One begun in time
  ///     gets its verdict, however late, unless its certificates have yet to be verified. Where `policy` has a window, that is a
  ///     deadline too.
  ///   - opened: called if the token is accepted; what it is lent is wiped when it returns. A fault it throws goes to
  ///     `refused`.
  ///   - refused: called with the reason if it is not; `overloaded` among them, when the slow path is full.
  /// - Returns: by what the request can be taken back.
  /// - Throws: `overloaded` or `shutDown` when the request is not taken; neither closure is called then.
  @discardableResult
  public func submit(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy,
    deadline: ContinuousClock.Instant? = nil,
    opened: @escaping @Sendable (borrowing OpenedToken) throws(TokenFault) -> Void,
    refused: @escaping @Sendable (Refusal) -> Void
  ) throws(Refusal) -> Submission {
    let submission = submission(request, at: now, under: policy, deadline: deadline, submitted: .now)
    try hand(
      submission,
      opened: { token, accept throws(TokenFault) in
        try opened(token)
        accept()
      }, refused: refused)
    return submission
  }

  /// Decrypts a request and returns what `reading` makes of the opened token.
  ///
  /// On a pool that has been idle this is done on the caller's own thread (see `Configuration.runsOnCallerThread`). When the task is
  /// cancelled, a request not yet begun is taken back; one that is begun is decided, and its verdict returned.
  ///
  /// - Parameters:
  ///   - request: the token, or the request it came in, as `policy.envelope` says.
  ///   - now: the verification time.
  ///   - policy: the caller's demands.
  ///   - deadline: when it is not begun by then it is answered as `deadlineExceeded`, as soon as a worker comes to it. One begun in time
  ///     gets its verdict, however late, unless its certificates have yet to be verified. Where `policy` has a window, that is a
  ///     deadline too.
  ///   - reading: called if the token is accepted, on a worker or on the caller's thread; what it is lent is wiped when it
  ///     returns.
  /// - Throws: why there is no payment.
  public func decrypt<Value: Sendable>(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy,
    deadline: ContinuousClock.Instant? = nil,
    reading: @escaping @Sendable (borrowing OpenedToken) throws(TokenFault) -> Value
  ) async throws(Refusal) -> Value {
    let submitted = ContinuousClock.now
    let isTimely = deadline.map { submitted < $0 } ?? true
    if isTimely, !Task.isCancelled,
      let value = try core.decryptIfIdle(request, at: now, under: policy, submitted: submitted, reading: reading)
    {
      return value
    }
    let submission = submission(request, at: now, under: policy, deadline: deadline, submitted: submitted)
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        hand(submission, reading: reading, to: continuation)
      }
    } onCancel: {
      submission.cancel()
    }
    submission.receive()
    return try answer.get()
  }

  /// As the other form, with the token copied out.
  public func decrypt(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy,
    deadline: ContinuousClock.Instant? = nil
  ) async throws(Refusal) -> DecryptedToken {
    try await decrypt(request, at: now, under: policy, deadline: deadline) { token throws(TokenFault) in
      try token.copy()
    }
  }

  /// Takes no more requests, answers all that were taken, and returns once that is done and the threads have let go of
  /// everything.
  public func shutDown() async {
    await core.end()
  }
}

extension DecryptionPool {
  private func submission(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, deadline: ContinuousClock.Instant?,
    submitted: ContinuousClock.Instant
  ) -> Submission {
    Submission(request, at: now, under: policy, deadline: deadline, submitted: submitted, callers: core.callers)
  }

  private func hand(
    _ submission: Submission, opened: @escaping Submission.Opened, refused: @escaping Submission.Refused
  ) throws(Refusal) {
    submission.prepare(opened: opened, refused: refused)
    switch core.queue.append(submission) {
    case .taken: return
    case .overloaded: throw .overloaded
    case .closed: throw .shutDown
    case .cancelled: throw .cancelled
    }
  }

  private func hand<Value: Sendable>(
    _ submission: Submission, reading: @escaping @Sendable (borrowing OpenedToken) throws(TokenFault) -> Value,
    to continuation: CheckedContinuation<Result<Value, Refusal>, Never>
  ) {
    do throws(Refusal) {
      try hand(
        submission,
        opened: { token, accept throws(TokenFault) in
          let value = try reading(token)
          accept()
          continuation.resume(returning: .success(value))
        },
        refused: { continuation.resume(returning: .failure($0)) })
    } catch {
      continuation.resume(returning: .failure(error))
    }
  }
}
