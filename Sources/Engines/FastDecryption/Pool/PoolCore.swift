import PaymentToken

/// What a pool's threads share, and keep alive until all is answered.
final class PoolCore: Sendable {
  let queue: WorkerQueue
  /// What is done by threads of the callers.
  let callers = Callers()
  private let configuration: DecryptionPool.Configuration
  private let current: Guarded<FastDecryptor>
  private let workers: [Worker]
  private let slowPath: SlowPath
  private let callerWorker: CallerWorker
  private let ending: PoolEnding

  init(_ engine: FastDecryptor, _ configuration: DecryptionPool.Configuration) throws(DecryptionPool.StartFailure) {
    self.configuration = configuration
    current = Guarded(engine)
    queue = WorkerQueue(configuration)
    ending = PoolEnding(threads: configuration.workers + 1)
    var workers: [Worker] = []
    for _ in 0..<configuration.workers {
      guard let worker = Worker() else { throw .outOfMemory }
      workers.append(worker)
    }
    guard let slowPath = SlowPath(), let callerWorker = CallerWorker() else { throw .outOfMemory }
    self.workers = workers
    self.slowPath = slowPath
    self.callerWorker = callerWorker
  }

  var engine: FastDecryptor { current.withLock { $0 } }

  func replaceEngine(with engine: FastDecryptor) {
    // The old one may go now, with keys to wipe and sessions to close: not while workers wait for the lock.
    _ = current.withLock { current in
      defer { current = engine }
      return current
    }
  }

  var metrics: PoolMetrics {
    var metrics = PoolMetrics()
    for tally in workers.map(\.tally) + [callers.tally, callerWorker.tally] { tally.add(to: &metrics) }
    let answered =
      metrics.accepted + metrics.refused + metrics.cancelled + metrics.expired + metrics.overloaded
    // After the answers: nothing is seen answered that is not seen submitted.
    queue.add(to: &metrics)
    metrics.inFlight = Int(metrics.submitted - min(answered, metrics.submitted))
    return metrics
  }

  /// Decrypts a request on the calling thread, if the pool is idle.
  func decryptIfIdle<Value>(
    _ bytes: [UInt8], at now: UnixTime, under policy: VerificationPolicy, submitted: ContinuousClock.Instant,
    reading: (borrowing OpenedToken) throws(TokenFault) -> Value
  ) throws(DecryptionPool.Refusal) -> Value? {
    guard configuration.runsOnCallerThread, queue.lend(at: submitted) else { return nil }
    defer { queue.giveBack() }
    return try callerWorker.decrypt(bytes, at: now, under: policy, by: engine, submitted: submitted, reading: reading)
  }
}

// MARK: - Threads

extension PoolCore {
  /// Starts the threads; those that could be started end again when one could not.
  func start() throws(DecryptionPool.StartFailure) {
    var isStarted = start(.background) { core in core.slowPath.run(from: core.queue) { core.engine } }
    for index in workers.indices {
      isStarted = isStarted && start(placement(of: index)) { core in core.runWorker(index) }
      if !isStarted { queue.removeWorker() }
    }
    guard isStarted else {
      queue.close()
      throw .threadCreationFailed
    }
  }

  /// Returns once all is answered and every thread has let go of what it had.
  func end() async {
    queue.close()
    await ending.wait()
    // A caller's thread may be in the middle of taking a request back, or of decrypting one: for microseconds.
    while queue.isLent || callers.areActive { await Task.yield() }
  }

  private func start(_ placement: PoolThread.Placement, _ body: @escaping @Sendable (PoolCore) -> Void) -> Bool {
    PoolThread.start(placement, of: ending) { body(self) }
  }

  private func placement(of worker: Int) -> PoolThread.Placement {
    let cpus = configuration.cpus
    return cpus.isEmpty ? .anywhere : .cpu(cpus[worker % cpus.count])
  }

  private func runWorker(_ index: Int) {
    let worker = workers[index]
    while queue.next(for: index, into: &worker.taken) {
      worker.decide(by: engine) { self.queue.leave($0) }
    }
    queue.removeWorker()
  }
}
