import FastDecryption
import PaymentToken
import PoolSchedules

/// The life of a pool: a few requests, cancellations, deadlines, questions to a store, replacements of the engine and a
/// shutdown. All of them, and their order, follow from a seed. Reports everything that contradicts the documentation of
/// `DecryptionPool`.
final class PoolEpisode: @unchecked Sendable {
  typealias Verdict = Result<[UInt8], TokenFault>
  typealias Answer = Result<[UInt8], DecryptionPool.Refusal>

  /// A race that is simulated around the pool, and must be found.
  enum Fault: CaseIterable {
    /// A sleeping thread is not woken by another one.
    case lostWakeUp
    /// A request that a worker begins while a caller cancels it is answered by both threads.
    case doubleDelivery
    /// A thread compares deadlines with an old reading of the clock.
    case answerAfterDeadline
    /// A worker keeps an engine that was replaced.
    case engineReplacedMeanwhile
    /// A thread that sleeps until a time, such as the end of a store's time limit, is not woken at that time.
    case shutdownWithQuestionsOut
    case firstTimeForAll
    /// Chains are verified, and the pool is told that they were known.
    case uncountedChains
  }

  /// The content of a request, and the verdict of an engine on it alone.
  struct Sample {
    let bytes: [UInt8]
    let merchant: Bytes32
    /// Whether it may go to the slow path, which refuses it if it has no room.
    let isSlow: Bool
    /// Whether its chain may have to be verified.
    let isUnknown: Bool
    let verdict: (UnixTime, VerificationPolicy, Int) -> Verdict
  }

  final class Request: @unchecked Sendable {
    let sample: Sample
    /// Unique in the episode.
    let now: UnixTime
    let policy: VerificationPolicy
    let deadline: ContinuousClock.Instant?
    let asksStore: Bool
    /// The time when its submission began, and the engine that was current then.
    let start: ContinuousClock.Instant
    let firstEngine: Int
    var isCancelled = false
    var answers: [(answer: Answer, start: ContinuousClock.Instant, lastEngine: Int)] = []

    init(
      _ sample: Sample, at now: UnixTime, under policy: VerificationPolicy, asksStore: Bool,
      deadline: ContinuousClock.Instant?, start: ContinuousClock.Instant, firstEngine: Int
    ) {
      (self.sample, self.now, self.policy, self.asksStore) = (sample, now, policy, asksStore)
      (self.deadline, self.start, self.firstEngine) = (deadline, start, firstEngine)
    }
  }

  let schedule: Interleaving
  private let engines: [FastDecryptor]
  private let fault: Fault?
  private let sample: (inout Randomness) -> Sample
  private var random: Randomness
  private let store: EpisodeStore?
  private let configuration: DecryptionPool.Configuration
  private(set) var pool: DecryptionPool?
  private(set) var requests: [Request] = []
  private var submissions: [(Submission, Request)] = []
  private(set) var findings: [String] = []
  private var begunEngines = 0
  private var replacedEngines = 0
  private var callersLeft = 0
  /// The time when the shutdown began, and the number of chains verified before.
  private var closing: (start: ContinuousClock.Instant, chains: Int)?
  private var isClosed = false
  private var refusedAtOnce: [DecryptionPool.Refusal: UInt64] = [:]
  private var left: [(UnsafeRawPointer, Int)] = []

  /// - Parameters:
  ///   - facts: of a token, for the stand-in; nil if the engines decide.
  ///   - sample: chooses a request.
  init(
    seed: UInt64, on fibers: FiberStock, _ engines: [FastDecryptor], standIn facts: OpenedToken.Facts?,
    fault: Fault? = nil, sample: @escaping (inout Randomness) -> Sample
  ) {
    let faults: [Fault: Interleaving.Fault] = [
      .lostWakeUp: .lostWakeUp, .answerAfterDeadline: .staleClock, .shutdownWithQuestionsOut: .lostTimeOut,
    ]
    schedule = Interleaving(seed: seed, on: fibers, fault: fault.flatMap { faults[$0] })
    random = Randomness(seed ^ 0x5EED)
    (self.engines, self.fault, self.sample) = (engines, fault, sample)
    store = random.draw(2) == 0 ? EpisodeStore(schedule, seed) : nil
    configuration = Self.configuration(&random, schedule)
    guard let facts else { return }
    let standInFaults: [Fault: StandIn.Fault] = [
      .firstTimeForAll: .firstTimeForAll, .engineReplacedMeanwhile: .engineReplacedMeanwhile,
      .uncountedChains: .uncountedChains,
    ]
    schedule.decider = StandIn(
      schedule, facts: facts, fault: fault.flatMap { standInFaults[$0] },
      generation: { [unowned self] engine in self.engines.firstIndex { $0 === engine } ?? -1 },
      begins: { [unowned self] now in self.checkBeginning(at: now) })
  }

  private static func configuration(
    _ random: inout Randomness, _ schedule: Interleaving
  ) -> DecryptionPool.Configuration {
    var configuration = DecryptionPool.Configuration(
      workers: 1 + random.draw(3), queueCapacity: [2, 4, 64][random.draw(3)],
      slowPathCapacity: 1 + random.draw(3), unknownChainsPerSecond: [1, 1_000_000][random.draw(2)],
      spinDuration: .microseconds([0, 50][random.draw(2)]),
      batchingDelay: .microseconds([0, 0, 20][random.draw(3)]), runsOnCallerThread: true,
      storeCapacity: 1 + random.draw(4), storeTimeLimit: .microseconds([5, 100, 10_000][random.draw(3)]))
    configuration.unknownChainBurst = [1, 2, 64][random.draw(3)]
    configuration.schedule = schedule
    return configuration
  }

  /// Runs the episode and returns what is wrong with it.
  func run() throws -> [String] {
    let pool = try DecryptionPool(engines[0], configuration: configuration)
    self.pool = pool
    store?.isOver = { [unowned schedule] in schedule.isPoolOver }
    callersLeft = 1 + random.draw(3)
    for _ in 0..<callersLeft {
      let count = 1 + random.draw(4)
      schedule.add { [unowned self] in self.call(pool, count) }
    }
    if random.draw(2) == 0 { schedule.add { [unowned self] in self.replaceEngines(of: pool) } }
    if random.draw(2) == 0 { schedule.add { [unowned self] in self.cancelSome() } }
    if let store { schedule.add { store.answerAll() } }
    if random.draw(4) == 0 { schedule.add { [unowned self] in self.watchCounts(of: pool) } }
    let patience = random.draw(3) == 0 ? random.draw(60) : Int.max
    schedule.add { [unowned self] in self.close(pool, after: patience) }
    schedule.run()
    if schedule.isStuck { report("stuck after \(schedule.steps) steps") }
    for request in requests { check(request) }
    if !schedule.isStuck { checkEnd(pool) }
    checkBudget()
    store?.check(requests, report)
    return findings
  }

  func report(_ finding: String) { findings.append(finding) }
}

// MARK: - The threads of the test

extension PoolEpisode {
  private func call(_ pool: DecryptionPool, _ count: Int) {
    for _ in 0..<count {
      schedule.yield()
      let request = makeRequest()
      requests.append(request)
      if random.draw(3) > 0 || !decryptHere(request, pool) { submit(request, to: pool) }
    }
    callersLeft -= 1
  }

  private func makeRequest() -> Request {
    let asksStore = store != nil && random.draw(3) > 0
    let window = UInt32(300 + random.draw(2))
    let isLate = random.draw(8) == 0
    let now = mintingTime.secondsSinceEpoch + Int64(requests.count) + (isLate ? 10_000 : 0)
    return Request(
      sample(&random), at: UnixTime(secondsSinceEpoch: now),
      under: VerificationPolicy(freshness: .window(seconds: window, replay: asksStore ? store : nil)),
      asksStore: asksStore,
      deadline: random.draw(3) == 0
        ? schedule.clock.advanced(by: .nanoseconds([0, 500, 20_000, 200_000_000][random.draw(4)])) : nil,
      start: schedule.clock, firstEngine: replacedEngines)
  }

  /// Whether the pool decrypts the request on this thread.
  private func decryptHere(_ request: Request, _ pool: DecryptionPool) -> Bool {
    guard request.deadline == nil else { return false }
    do throws(DecryptionPool.Refusal) {
      let plaintext = try pool.decryptIfIdle(
        request.sample.bytes, at: request.now, under: request.policy, submitted: schedule.now
      ) { [unowned self] token in self.copy(token) }
      guard let plaintext else { return false }
      answer(request, .success(plaintext))
    } catch {
      answer(request, .failure(error))
    }
    return true
  }

  private func submit(_ request: Request, to pool: DecryptionPool) {
    let mustBeRefused = isClosed
    let before = schedule.clock
    do throws(DecryptionPool.Refusal) {
      let submission = try pool.submit(
        request.sample.bytes, at: request.now, under: request.policy, deadline: request.deadline,
        opened: { [unowned self] token in self.answer(request, .success(self.copy(token))) },
        refused: { [unowned self] refusal in self.answer(request, .failure(refusal)) })
      if mustBeRefused { report("accepted after the shutdown") }
      submissions.append((submission, request))
      if random.draw(6) == 0 { cancel(submission, request) }
    } catch {
      refusedAtOnce[error, default: 0] += 1
      answer(request, .failure(error))
      let hadRoom = unanswered(since: before) <= configuration.queueCapacity
      if error == .overloaded, hadRoom { report("refused with room left") }
      if error == .shutDown, closing == nil { report("refused as if shut down") }
    }
  }

  /// The number of requests that had no answer at some moment since `start`, the new one included. Cancelled requests
  /// count, because they keep their places until a worker takes them.
  private func unanswered(since start: ContinuousClock.Instant) -> Int {
    requests.count { request in
      request.answers.allSatisfy { $0.start >= start || $0.answer == .failure(.cancelled) }
    }
  }

  private func cancelSome() {
    for _ in 0..<6 {
      for _ in 0...random.draw(20) { schedule.yield() }
      if submissions.isEmpty { continue }
      let (submission, request) = submissions[random.draw(submissions.count)]
      cancel(submission, request)
    }
  }

  private func cancel(_ submission: Submission, _ request: Request) {
    request.isCancelled = true
    guard fault == .doubleDelivery, request.answers.isEmpty else { return submission.cancel() }
    schedule.yield()
    answer(request, .failure(.cancelled))
  }

  /// Counts never fall, and no request is answered before it is submitted.
  private func watchCounts(of pool: DecryptionPool) {
    var before: [UInt64] = []
    for _ in 0..<12 {
      for _ in 0...random.draw(20) { schedule.yield() }
      let metrics = pool.metrics
      let counts = [metrics.submitted, metrics.cancelled, metrics.overloaded, metrics.ranOnCallerThread]
      if !before.isEmpty, zip(before, counts).contains(where: >) { report("counts fell from \(before) to \(counts)") }
      if metrics.submitted < metrics.accepted + metrics.refused + metrics.expired + metrics.cancelled {
        report("answered more than were submitted: \(counts)")
      }
      before = counts
    }
  }

  private func replaceEngines(of pool: DecryptionPool) {
    for engine in 1..<engines.count {
      for _ in 0...random.draw(40) { schedule.yield() }
      begunEngines = engine
      pool.replaceEngine(with: engines[engine])
      replacedEngines = engine
    }
  }

  /// Shuts the pool down when all requests are submitted or all are answered, or earlier, after `patience` checks.
  /// Waiting for the answers shows a request that the pool forgets: a shutdown would wake all workers.
  private func close(_ pool: DecryptionPool, after patience: Int) {
    var left = patience
    let waitsForAnswers = random.draw(2) == 0
    schedule.wait(for: .requests, until: nil) { [unowned self] in
      left -= 1
      let isOver = callersLeft == 0 && (!waitsForAnswers || requests.allSatisfy { !$0.answers.isEmpty })
      return left < 0 || isOver
    }
    closing = (schedule.clock, verifiedChains.count)
    pool.close()
    isClosed = true
  }

  private func copy(_ token: borrowing OpenedToken) -> [UInt8] {
    token.plaintext.withUnsafeBufferPointer { bytes in
      // A larger plaintext is in memory of its own, which is freed and cannot be read at the end.
      if let start = bytes.baseAddress, bytes.count < 900 { left.append((UnsafeRawPointer(start), bytes.count)) }
      return Array(bytes)
    }
  }

  private func answer(_ request: Request, _ answer: Answer) {
    request.answers.append((answer, schedule.clock, begunEngines))
    schedule.yield()
  }
}

// MARK: - The rules

extension PoolEpisode {
  private func request(at now: UnixTime) -> Request? { requests.first { $0.now == now } }

  /// A thread that begins a request has read a time between the request's submission and its deadline.
  private func checkBeginning(at now: UnixTime) {
    guard let request = request(at: now), let deadline = request.deadline else { return }
    if !schedule.readings.contains(where: { $0 >= request.start && $0 < deadline }) {
      report("begun after its deadline")
    }
  }

  private func check(_ request: Request) {
    guard request.answers.count == 1, let (answer, time, lastEngine) = request.answers.first else {
      return report("\(request.now) answered \(request.answers.count) times")
    }
    let alone = (request.firstEngine...max(request.firstEngine, lastEngine)).map {
      request.sample.verdict(request.now, request.policy, $0)
    }
    switch answer {
    case .success(let plaintext):
      if !alone.contains(.success(plaintext)) { report("\(request.now) got a plaintext that it has not alone") }
    case .failure(.token(let fault)) where request.asksStore && EpisodeStore.faults.contains(fault.code):
      if !alone.contains(where: { (try? $0.get()) != nil }) { report("\(request.now): a store was asked in vain") }
    case .failure(.token(let fault)):
      if !alone.contains(.failure(fault)) { report("\(request.now) got \(fault), which it has not alone") }
    case .failure(.cancelled):
      if !request.isCancelled { report("\(request.now) was not cancelled") }
    case .failure(.deadlineExceeded):
      if request.deadline.map({ time < $0 }) ?? true { report("\(request.now) was refused before its deadline") }
    case .failure(.overloaded):
      let mayBeLater = request.asksStore || request.sample.isSlow
      if refusedAtOnce[.overloaded] == nil, !mayBeLater { report("nothing was overloaded") }
    case .failure(.shutDown): break
    }
  }

  private var verifiedChains: [ContinuousClock.Instant] { (schedule.decider as? StandIn)?.verifiedChains ?? [] }

  /// Chains are verified within the budget. Only a request with an unknown chain and without a deadline waits for it:
  /// other requests, and the shutdown, take less than half a second.
  private func checkBudget() {
    let interval = Duration.seconds(1) / configuration.unknownChainsPerSecond
    let chains = verifiedChains.prefix(closing?.chains ?? 0)
    for (first, start) in chains.enumerated() {
      for (last, end) in chains.enumerated().dropFirst(first + configuration.unknownChainBurst)
      where start.duration(to: end) < interval * (last - first + 1 - configuration.unknownChainBurst) {
        report("\(last - first + 1) chains in \(start.duration(to: end))")
      }
    }
    let patience = Duration.milliseconds(500)
    if let closing, closing.start.duration(to: schedule.clock) > patience { report("shut down late") }
    for request in requests where request.deadline != nil || !request.sample.isUnknown {
      if let answer = request.answers.first, request.start.duration(to: answer.start) > patience {
        report("\(request.now) waited for the budget of chains")
      }
    }
  }

  private func checkEnd(_ pool: DecryptionPool) {
    let metrics = pool.metrics
    var counts: [String: UInt64] = [:]
    var codes: [TokenFault.Code: UInt64] = [:]
    for case .some(let answer) in requests.map(\.answers.first?.answer) {
      switch answer {
      case .success: counts["accepted", default: 0] += 1
      case .failure(.token(let fault)): codes[fault.code, default: 0] += 1
      case .failure(let refusal): counts[refusal.description, default: 0] += 1
      }
    }
    let atOnce = refusedAtOnce.values.reduce(0, +)
    let expected = [
      UInt64(requests.count) - atOnce, counts["accepted"] ?? 0, counts["cancelled"] ?? 0,
      counts["deadlineExceeded"] ?? 0, counts["overloaded"] ?? 0, counts["shutDown"] ?? 0,
    ]
    let counted = [
      metrics.submitted, metrics.accepted, metrics.cancelled, metrics.expired, metrics.overloaded,
      metrics.refusedAtShutDown,
    ]
    if counted != expected || metrics.refusedByCode != codes { report("counts \(counted) in place of \(expected)") }
    let waiting = [
      metrics.queueDepth, metrics.queueBytes, metrics.slowPathDepth, metrics.awaitingStore, metrics.inFlight,
    ]
    if waiting.contains(where: { $0 != 0 }) { report("waiting after the end: \(waiting)") }
    // The stand-in's plaintexts are ordinary arrays.
    guard schedule.decider == nil else { return }
    let isWiped = left.allSatisfy { start, count in
      UnsafeRawBufferPointer(start: start, count: count).allSatisfy { $0 == 0 }
    }
    if !isWiped { report("a plaintext was not wiped") }
  }
}
