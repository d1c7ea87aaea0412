import CMachine
import PaymentToken

/// Collects requests that arrive one at a time on many threads, decrypts them in batches, and answers each once.
///
/// A batch consists of requests that wait when a worker becomes free. Unless `Configuration.batchingDelay` is set, no
/// request is held back to fill it. The pool decides each request as `FastDecryptor.decrypt` does, with one engine from
/// the first stage to the last. Requests take a slow path of low priority if their certificates are not cached or their
/// key must be unwrapped by RSA, so that they do not delay the others. An idle worker unwraps the key of a lone request
/// itself.
///
/// A pool accepts signed tokens only: `decryptAllowingUnsigned` has no counterpart here. It shuts down by itself when
/// its last reference is released, without waiting for the answers.
///
/// ```swift
/// let pool = try DecryptionPool(engine, configuration: DecryptionPool.Configuration(workers: 2))
/// let payment = try await pool.decrypt(request, at: now, under: policy, deadline: .now + .seconds(1)).payment
/// ```
public final class DecryptionPool: Sendable {
  private let core: PoolCore
  /// The queue of `core`, unmanaged: if callers retained it, all their threads would write to the same memory.
  private let queue: Unmanaged<WorkerQueue>

  /// Starts a pool with `configuration.workers` threads and one more for the slow path.
  ///
  /// Each worker has up to about 0.5 MB of buffers.
  ///
  /// - Parameters:
  ///   - engine: decides the requests, until `replaceEngine(with:)`.
  ///   - configuration: threads, bounds and waiting times.
  /// - Throws: `StartFailure`; threads that were started end again.
  public init(
    _ engine: FastDecryptor, configuration: Configuration = Configuration()
  ) throws(StartFailure) {
    guard configuration.isValid else { throw .invalidConfiguration }
    for cpu in configuration.cpus where assay_may_use_cpu(Int32(clamping: cpu)) == 0 { throw .unavailableCPU(cpu) }
    core = try PoolCore(engine, configuration)
    queue = Unmanaged.passUnretained(core.queue)
    try core.start()
  }

  deinit {
    close()
  }

  /// Refuses further requests. The threads end when all admitted ones are answered.
  package func close() { core.queue.close() }

  /// The engine that decides the requests submitted from now on.
  public var engine: FastDecryptor { core.engine }

  /// Replaces the engine, and with it keys and roots, while requests continue to be answered.
  ///
  /// Requests submitted after this returns are decided by the new engine. Requests submitted before are decided by the
  /// old or the new engine, each by one of them from its first stage to its last. The old engine's keys are wiped when
  /// its last reference is released.
  public func replaceEngine(with engine: FastDecryptor) {
    core.replaceEngine(with: engine)
  }

  /// Counts since the start, and the present state. Not a snapshot at one instant: requests proceed while it is
  /// collected.
  public var metrics: PoolMetrics { core.metrics }

  /// Submits a request and returns without waiting for the answer.
  ///
  /// The answer is one call of `opened` or of `refused`; `refused` follows `opened` only if `opened` throws. A worker
  /// calls them, and the other requests of its batch wait meanwhile: they must return quickly, and must not wait for
  /// another answer or for `shutDown`. `refused(.cancelled)` is usually called on the thread that cancels the request.
  ///
  /// - Parameters:
  ///   - request: the token, or the request that contains it, as `policy.envelope` specifies.
  ///   - now: the verification time.
  ///   - policy: the caller's requirements.
  ///   - deadline: the time by which a worker must begin the request; later, it is refused as `deadlineExceeded` when a
  ///     worker reaches it. A request begun in time gets its verdict, however late, unless it then takes the slow path
  ///     (new certificates, RSA_v1), or an `AsynchronousReplayStore` has not answered by then. The window of `policy`
  ///     counts as a deadline too.
  ///   - opened: called if the token is accepted. The plaintext is wiped when it returns. A fault that it throws is
  ///     passed to `refused`.
  ///   - refused: called with the reason if the token is not accepted. It can be `overloaded` even after `submit` has
  ///     returned (`Refusal`).
  /// - Returns: a handle to cancel the request with.
  /// - Throws: `overloaded` or `shutDown` if the pool does not admit the request. Neither closure is called then.
  @discardableResult
  public func submit(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy,
    deadline: ContinuousClock.Instant? = nil,
    opened: @escaping @Sendable (borrowing OpenedToken) throws(TokenFault) -> Void,
    refused: @escaping @Sendable (Refusal) -> Void
  ) throws(Refusal) -> Submission {
    let submitted = withExtendedLifetime(core) { queue._withUnsafeGuaranteedRef { $0.schedule.now } }
    let submission = submission(request, at: now, under: policy, deadline: deadline, submitted: submitted)
    try hand(submission, opened: .token(opened), refused: refused)
    return submission
  }

  /// Decrypts a request and returns the result of `reading` for the opened token.
  ///
  /// Runs on the caller's thread if the pool has been idle (see `Configuration.runsOnCallerThread`). Cancelling the
  /// task cancels the request, as `Submission.cancel` does.
  ///
  /// - Parameters:
  ///   - request: the token, or the request that contains it, as `policy.envelope` specifies.
  ///   - now: the verification time.
  ///   - policy: the caller's requirements.
  ///   - deadline: the time by which a worker must begin the request; later, it is refused as `deadlineExceeded` when a
  ///     worker reaches it. A request begun in time gets its verdict, however late, unless it then takes the slow path
  ///     (new certificates, RSA_v1), or an `AsynchronousReplayStore` has not answered by then. The window of `policy`
  ///     counts as a deadline too.
  ///   - reading: called if the token is accepted, on a worker or on the caller's thread. The plaintext is wiped when
  ///     it returns.
  /// - Throws: `Refusal`: the fault of the token, or why the pool did not decide it.
  public func decrypt<Value: Sendable>(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy,
    deadline: ContinuousClock.Instant? = nil,
    reading: @escaping @Sendable (borrowing OpenedToken) throws(TokenFault) -> Value
  ) async throws(Refusal) -> Value {
    let submitted = ContinuousClock.now
    let isTimely = deadline.map { submitted < $0 } ?? true
    if isTimely, !Task.isCancelled,
      let value = try decryptIfIdle(request, at: now, under: policy, submitted: submitted, reading: reading)
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

  /// Decrypts a request and returns a copy of the opened token. The copy is ordinary memory, which is not wiped.
  ///
  /// - Throws: `Refusal`: the fault of the token, or why the pool did not decide it.
  public func decrypt(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy,
    deadline: ContinuousClock.Instant? = nil
  ) async throws(Refusal) -> DecryptedToken {
    try await decrypt(request, at: now, under: policy, deadline: deadline) { token throws(TokenFault) in
      try token.copy()
    }
  }

  /// Decrypts a request on the calling thread. Nil if the pool is not idle, the request has new certificates or an
  /// `AsynchronousReplayStore`, or `Configuration.runsOnCallerThread` is false.
  package func decryptIfIdle<Value>(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, submitted: ContinuousClock.Instant,
    reading: (borrowing OpenedToken) throws(TokenFault) -> Value
  ) throws(Refusal) -> Value? {
    try core.decryptIfIdle(request, at: now, under: policy, submitted: submitted, reading: reading)
  }

  /// Refuses further requests, and returns once all admitted ones are answered and the threads have ended.
  ///
  /// Waits for callbacks, replay stores and external keys without a time limit; for an `AsynchronousReplayStore`, until
  /// `Configuration.storeTimeLimit` at most.
  public func shutDown() async {
    await core.end()
  }
}

extension DecryptionPool {
  private func submission(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, deadline: ContinuousClock.Instant?,
    submitted: ContinuousClock.Instant
  ) -> Submission {
    let schedule = withExtendedLifetime(core) { queue._withUnsafeGuaranteedRef { $0.schedule } }
    return Submission(request, at: now, under: policy, deadline: deadline, submitted: submitted, schedule: schedule)
  }

  private func hand(
    _ submission: Submission, opened: Submission.Opened, refused: @escaping Submission.Refused
  ) throws(Refusal) {
    submission.prepare(opened: opened, refused: refused)
    let refusal = withExtendedLifetime(core) { queue._withUnsafeGuaranteedRef { $0.append(submission) } }
    if let refusal { throw refusal }
  }

  private func hand<Value: Sendable>(
    _ submission: Submission, reading: @escaping @Sendable (borrowing OpenedToken) throws(TokenFault) -> Value,
    to continuation: CheckedContinuation<Result<Value, Refusal>, Never>
  ) {
    do throws(Refusal) {
      try hand(
        submission,
        opened: .countedByReader { token, accept throws(TokenFault) in
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
