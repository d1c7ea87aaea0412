import PaymentToken
import Synchronization

/// The state that a pool's threads share. The threads keep it alive until every request is answered.
final class PoolCore: Sendable {
  let queue: WorkerQueue
  private let configuration: DecryptionPool.Configuration
  private let current: Locked<FastDecryptor>
  /// How often the engine was replaced, for workers that hold it. Written under the lock of `current`.
  private let replacements = Atomic(0)
  private let workers: [Worker]
  private let slowPath: SlowPath
  private let callerWorker: CallerWorker
  private let ending: PoolEnding

  init(_ engine: FastDecryptor, _ configuration: DecryptionPool.Configuration) throws(DecryptionPool.StartFailure) {
    self.configuration = configuration
    let schedule = configuration.schedule
    current = Locked(engine, schedule)
    queue = WorkerQueue(configuration)
    ending = PoolEnding(threads: configuration.workers + 1, schedule)
    var workers: [Worker] = []
    let held = HeldPlaintexts(schedule)
    for _ in 0..<configuration.workers {
      guard let decider: any BatchDecider = schedule?.decider ?? BatchBuffers() else { throw .outOfMemory }
      workers.append(Worker(decider, holding: held, configuration))
    }
    guard let slowDecider: any TokenDecider = schedule?.decider ?? TokenBuffers(),
      let callerDecider: any TokenDecider = schedule?.decider ?? TokenBuffers()
    else { throw .outOfMemory }
    self.workers = workers
    slowPath = SlowPath(slowDecider, holding: held, schedule)
    callerWorker = CallerWorker(callerDecider, schedule)
  }

  var engine: FastDecryptor { current.withLock { $0 } }

  /// The engine, and how often one was replaced before.
  private var numberedEngine: (FastDecryptor, Int) {
    current.withLock { ($0, replacements.load(ordering: .relaxed)) }
  }

  func replaceEngine(with engine: FastDecryptor) {
    // Releases the old engine outside the lock: a release may wipe keys and close sessions, and workers would wait.
    _ = current.withLock { current in
      defer { current = engine }
      replacements.add(1, ordering: .releasing)
      return current
    }
  }

  var metrics: PoolMetrics {
    var metrics = PoolMetrics()
    for tally in workers.map(\.tally) + [callerWorker.tally] { tally.add(to: &metrics) }
    let decided = metrics.accepted + metrics.refused + metrics.expired + metrics.overloaded
    // Read after the answers, so that every answered request is also counted as submitted.
    queue.add(to: &metrics)
    let answered = decided + metrics.cancelled
    metrics.inFlight += Int(metrics.submitted - min(answered, metrics.submitted))
    return metrics
  }

  /// See `DecryptionPool.decryptIfIdle`.
  func decryptIfIdle<Value>(
    _ bytes: [UInt8], at now: UnixTime, under policy: VerificationPolicy, submitted: ContinuousClock.Instant,
    reading: (borrowing OpenedToken) throws(TokenFault) -> Value
  ) throws(DecryptionPool.Refusal) -> Value? {
    guard configuration.runsOnCallerThread, policy.asynchronousStore == nil, queue.claimForCaller(at: submitted)
    else { return nil }
    defer { queue.releaseCaller() }
    return try callerWorker.decrypt(bytes, at: now, under: policy, by: engine, submitted: submitted, reading: reading)
  }
}

// MARK: - Threads

extension PoolCore {
  /// Starts the threads. If one cannot be started, those already started end again.
  func start() throws(DecryptionPool.StartFailure) {
    var isStarted = start(.background(off: configuration.cpus)) { core in
      core.slowPath.run(from: core.queue) { core.engine }
    }
    for index in workers.indices {
      isStarted = isStarted && start(placement(of: index)) { core in core.runWorker(index) }
      if !isStarted { queue.removeWorker() }
    }
    guard isStarted else {
      queue.close()
      throw .threadCreationFailed
    }
  }

  /// Returns once every request is answered and every thread has released what it held.
  func end() async {
    queue.close()
    await ending.wait()
    // A caller's thread may still be cancelling or decrypting a request.
    while queue.isClaimedByCaller || workers.contains(where: \.awaitsCancellations) { await Task.yield() }
  }

  private func start(_ placement: PoolThread.Placement, _ body: @escaping @Sendable (PoolCore) -> Void) -> Bool {
    PoolThread.start(placement, of: ending, by: configuration.schedule) { body(self) }
  }

  private func placement(of worker: Int) -> PoolThread.Placement {
    let cpus = configuration.cpus
    return cpus.isEmpty ? .anywhere : .cpu(cpus[worker % cpus.count])
  }

  private func runWorker(_ index: Int) {
    let worker = workers[index]
    var hasWork = queue.next(for: index, at: worker.pace, into: &worker.taken)
    while hasWork {
      hasWork = serveRequests(with: worker) || queue.next(for: index, at: worker.pace, into: &worker.taken)
    }
    queue.removeWorker()
  }

  /// Passes on stores' answers, decides the requests in `worker.taken`, and asks stores; again with the next batch,
  /// until `nextIfWaiting` finds none or the engine was replaced. Returns true in the second case: `worker.taken` then
  /// holds a batch for the new engine.
  ///
  /// Retains the engine once for all these batches: retaining it for each would write to memory that the workers share.
  /// `runWorker` waits for requests without the engine, so that a replaced engine is released.
  @inline(never)
  private func serveRequests(with worker: Worker) -> Bool {
    let (engine, number) = numberedEngine
    repeat {
      worker.deliver(from: queue.waits)
      worker.decide(by: engine, slowPathOf: queue)
      worker.ask(queue)
      guard queue.nextIfWaiting(at: worker.pace, into: &worker.taken) else { return false }
    } while replacements.load(ordering: .acquiring) == number
    return true
  }
}
