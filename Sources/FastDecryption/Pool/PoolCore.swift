import PaymentToken

/// What a pool's threads share, and keep alive until all is answered.
final class PoolCore: Sendable {
  private struct Ending {
    /// Workers and the side lane's thread.
    var threads = 0
    var workers = 0
    /// Those who wait for the end.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  let configuration: DecryptionPool.Configuration
  let queue: WorkerQueue
  private let current: Guarded<FastDecryptor>
  private let seats: [Seat]
  private let sideLane: SideLane
  private let guest: GuestSeat
  /// What is counted by threads of the caller.
  let callers = Tally()
  private let ending = Guarded(Ending())

  init(_ engine: FastDecryptor, _ configuration: DecryptionPool.Configuration) throws(DecryptionPool.StartFailure) {
    self.configuration = configuration
    current = Guarded(engine)
    queue = WorkerQueue(configuration)
    var seats: [Seat] = []
    for _ in 0..<configuration.workers {
      guard let seat = Seat() else { throw .noMemory }
      seats.append(seat)
    }
    guard let sideSeat = Seat(), let guest = GuestSeat() else { throw .noMemory }
    self.seats = seats
    self.guest = guest
    sideLane = SideLane(
      seat: sideSeat, capacity: configuration.sideLaneCapacity, octetCapacity: configuration.queueOctets)
  }

  var engine: FastDecryptor {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  var metrics: PoolMetrics {
    var metrics = callers.metrics
    for seat in seats { metrics.add(seat.tally.metrics) }
    metrics.add(sideLane.seat.tally.metrics)
    metrics.add(guest.tally.metrics)
    metrics.sideLaneDepth = sideLane.depth
    let sideLaneOverloaded = metrics.overloaded
    // After the answers: nothing is seen answered that is not seen submitted.
    queue.add(to: &metrics)
    let answered =
      metrics.accepted + metrics.refused + metrics.cancelled + metrics.expired + sideLaneOverloaded
    metrics.inFlight = Int(metrics.submitted - min(answered, metrics.submitted))
    return metrics
  }

  /// Has the guest's seat decrypt a request, if the pool is idle.
  func decryptIfIdle<Value>(
    _ octets: [UInt8], at now: UnixTime, under policy: VerificationPolicy, submitted: ContinuousClock.Instant,
    reading: (borrowing OpenedToken) throws(TokenFault) -> Value
  ) throws(DecryptionPool.Refusal) -> Value? {
    guard configuration.lendsCallers, queue.lend(at: submitted) else { return nil }
    defer {
      queue.giveBack()
      finishIfEnded()
    }
    return try guest.decrypt(octets, at: now, under: policy, by: engine, submitted: submitted, reading: reading)
  }
}

// MARK: - Threads

extension PoolCore {
  /// Starts the threads; those that could be started end again when one could not.
  func start() throws(DecryptionPool.StartFailure) {
    ending.withLock { ending in
      ending.workers = seats.count
      ending.threads = seats.count + 1
    }
    guard PoolThread.start(.background, { self.runSideLane() }) else {
      // Nothing runs, and nobody waits for it.
      throw .noThread
    }
    for index in seats.indices {
      guard PoolThread.start(placement(of: index), { self.runWorker(index) }) else {
        ending.withLock { ending in
          ending.workers -= seats.count - index
          ending.threads -= seats.count - index
        }
        queue.close()
        sideLane.close()
        throw .noThread
      }
    }
  }

  /// Returns once all is answered and every thread is about to end.
  func end() async {
    queue.close()
    await withCheckedContinuation { continuation in
      ending.withLock { $0.waiters.append(continuation) }
      finishIfEnded()
    }
  }

  private func placement(of worker: Int) -> PoolThread.Placement {
    let cpus = configuration.cpus
    return cpus.isEmpty ? .anywhere : .cpu(cpus[worker % cpus.count])
  }

  private func runWorker(_ index: Int) {
    let seat = seats[index]
    while queue.next(for: index, into: &seat.taken) {
      seat.decide(by: engine) { self.sideLane.take($0, from: seat.tally) }
    }
    let isLast = ending.withLock { ending in
      ending.workers -= 1
      return ending.workers == 0
    }
    // Only workers feed it.
    if isLast { sideLane.close() }
    endThread()
  }

  private func runSideLane() {
    sideLane.run { engine }
    endThread()
  }

  private func endThread() {
    ending.withLock { $0.threads -= 1 }
    finishIfEnded()
  }

  private func finishIfEnded() {
    let waiters = ending.withLock { ending -> [CheckedContinuation<Void, Never>] in
      guard ending.threads == 0, !queue.isLent else { return [] }
      defer { ending.waiters = [] }
      return ending.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
