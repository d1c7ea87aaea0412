public import Benchmarking
import CMachine
public import FastDecryption
import HostIO
import Minting
public import PaymentToken
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A pool and a thread that submits requests, to measure latencies and refusals under overload.
public final class PoolUnderLoad {
  private let pool: DecryptionPool
  let set: TokenSet
  let lengths: [Int]
  private let policy: VerificationPolicy
  private let workers: Int

  /// - Parameters:
  ///   - workers: threads of the pool, each pinned to a CPU of its own from the last one down, as far as there are.
  ///   - spinDuration: how long an idle worker looks for work before it sleeps.
  ///   - store: is asked about each request; it must not detect replays.
  /// - Throws: `BenchmarkFailure` when the pool cannot start, or an engine gives a wrong answer.
  public convenience init(
    workers: Int, spinDuration: Duration = .microseconds(50), store: (any ReplayStore)? = nil, seed: UInt64
  ) throws(BenchmarkFailure) {
    let set = try TokenSet.minted(count: 64, version: .ecV1, seed: seed)
    try self.init(
      set, lengths: AnswerCheck.run(Contender.all, on: set), workers: workers, spinDuration: spinDuration, store: store)
  }

  init(
    _ set: TokenSet, lengths: [Int], workers: Int = 1, spinDuration: Duration = .microseconds(50),
    store: (any ReplayStore)? = nil, trace: PoolTrace? = nil
  ) throws(BenchmarkFailure) {
    self.set = set
    policy = store.map { VerificationPolicy(freshness: .window(seconds: 300, replay: $0)) } ?? set.policy
    self.lengths = lengths
    self.workers = workers
    let cpus = (0..<1_024).filter { assay_may_use_cpu(Int32($0)) != 0 }.suffix(workers)
    var configuration = DecryptionPool.Configuration(
      workers: workers, cpus: cpus.reversed(), spinDuration: spinDuration)
    configuration.trace = trace
    do {
      pool = try DecryptionPool(try BatchRequests(set, lengths: lengths, size: 1).makeEngine(), configuration)
    } catch let failure as BenchmarkFailure {
      throw failure
    } catch {
      throw BenchmarkFailure("the pool did not start")
    }
    // Certificates are verified once, and tables made.
    _ = try closedLoop(2_000, inFlight: 64)
  }

  /// What the pool says of itself.
  public var metrics: PoolMetrics { pool.metrics }

  /// Submits requests so that a fixed number is always in flight. Returns nanoseconds per request.
  ///
  /// - Parameters:
  ///   - count: how many to submit.
  ///   - limit: nanoseconds after which no more are submitted.
  /// - Throws: `BenchmarkFailure` if one was refused or decrypted to another plaintext.
  public func closedLoop(
    _ count: Int, inFlight: Int, within limit: UInt64 = .max
  ) throws(BenchmarkFailure) -> Double {
    let loop = ClosedLoop()
    let start = MonotonicClock.nanoseconds
    var submitted = 0
    for index in 0..<count {
      if index.isMultiple(of: 32), index > 0, MonotonicClock.nanoseconds - start > limit { break }
      while index - loop.answered.load(ordering: .acquiring) >= inFlight { assay_pause() }
      let entry = index % set.entries.count
      let length = lengths[entry]
      do {
        try pool.submit(
          set.entries[entry].token, at: set.now, under: policy,
          opened: { loop.take($0.plaintext.count == length) }, refused: { _ in loop.take(false) })
      } catch {
        throw BenchmarkFailure("the pool refused a request: \(error)")
      }
      submitted += 1
    }
    while loop.answered.load(ordering: .acquiring) < submitted { assay_pause() }
    let end = MonotonicClock.nanoseconds
    guard loop.wrong.load(ordering: .acquiring) == 0 else { throw DecryptBenchmarks.wrongAnswer }
    return Double(end - start) / Double(submitted)
  }

  /// Counts what two workers write together.
  ///
  /// Requests are kept until the end, and each has memory of its own: what belongs to one must not be mistaken for what
  /// belongs to another that has its address later.
  ///
  /// - Throws: `BenchmarkFailure` if a request was refused.
  package func sharedWrites(by tracing: SharedWrites.Tracing) throws(BenchmarkFailure) -> SharedWrites? {
    // As many for each of the two workers as one has when it is timed.
    let (inFlight, warmUp) = (2 * 64, 1_024)
    let writes = WorkerWrites(by: tracing)
    // Closures without a context: what they hold would be counted as if the pool held it.
    WorkerWrites.active.store(Unmanaged.passUnretained(writes), ordering: .releasing)
    defer { WorkerWrites.active.store(nil, ordering: .releasing) }
    var kept: [Submission] = []
    while !writes.areDone, kept.count < 100_000 {
      // Both workers are busy by now.
      if kept.count == warmUp { writes.begin() }
      while kept.count - writes.answers - writes.refusals >= inFlight, !writes.areDone { usleep(100) }
      let token = set.entries[kept.count % set.entries.count].token.map(\.self)
      do {
        kept.append(
          try pool.submit(
            token, at: set.now, under: policy,
            opened: { _ in WorkerWrites.current?._withUnsafeGuaranteedRef { $0.answered() } },
            refused: { _ in WorkerWrites.current?._withUnsafeGuaranteedRef { $0.refused() } }))
      } catch {
        throw BenchmarkFailure("the pool refused a request: \(error)")
      }
    }
    while writes.answers + writes.refusals < kept.count { usleep(100) }
    guard writes.refusals == 0 else { throw DecryptBenchmarks.wrongAnswer }
    return writes.shared
  }

  /// Counts what two callers write together while all workers are busy.
  ///
  /// - Throws: `BenchmarkFailure` if a request was refused.
  package func callerWrites(by tracing: SharedWrites.Tracing) throws(BenchmarkFailure) -> SharedWrites? {
    let occupation = Occupation()
    defer { occupation.isOver.store(true, ordering: .releasing) }
    // Not counted, since it is not the pool that refers to itself.
    let pool = Unmanaged.passUnretained(pool)
    let (token, now, policy) = (set.entries[0].token, set.now, policy)
    @Sendable func submit(whenOpened body: @escaping @Sendable () -> Void) -> Bool {
      let submission = pool._withUnsafeGuaranteedRef {
        try? $0.submit(token.map(\.self), at: now, under: policy, opened: { _ in body() }, refused: { _ in })
      }
      return submission != nil
    }
    for worker in 1...workers {
      let isTaken = submit {
        occupation.workers.add(1, ordering: .releasing)
        while !occupation.isOver.load(ordering: .acquiring) { usleep(100) }
      }
      guard isTaken else { throw BenchmarkFailure("the pool refused a request") }
      while occupation.workers.load(ordering: .acquiring) < worker { usleep(100) }
    }
    return try SharedWrites.count(operations: 8, by: tracing) { _ in
      { count in
        for _ in 0..<count where !submit(whenOpened: {}) { return false }
        return true
      }
    }
  }

  /// Asks for one request at a time, each when the pool has been idle for a while, and adds up their nanoseconds.
  ///
  /// - Parameters:
  ///   - byCallback: in place of the async form, which may decrypt on its caller's thread.
  ///   - limit: nanoseconds after which no more are requested.
  public func lone(
    _ count: Int, byCallback: Bool, within limit: UInt64 = .max, times: inout LogLinearHistogram
  ) throws(BenchmarkFailure) {
    if byCallback {
      let start = MonotonicClock.nanoseconds
      for index in 0..<count where index == 0 || MonotonicClock.nanoseconds - start <= limit {
        wait(nanoseconds: Self.idleNanoseconds)
        times.add(try closedLoop(1, inFlight: 1))
      }
      return
    }
    let lone = LoneRequests(pool: pool, set: set, lengths: lengths, count: count, limit: limit)
    Task.detached { await lone.run() }
    while !lone.isDone.load(ordering: .acquiring) { usleep(500) }
    guard lone.times.count == lone.requests else { throw DecryptBenchmarks.wrongAnswer }
    for time in lone.times { times.add(time) }
  }

  /// Requests that come alone, and adds up the nanoseconds of each way from one stage to the next: from the submission
  /// to the first, to each stage of `trace`, and from the last to the answer as the caller sees it.
  ///
  /// - Parameters:
  ///   - trace: the pool's.
  ///   - isAsleep: whether the worker sleeps when they come.
  func wakeStages(
    _ count: Int, trace: PoolTrace, isAsleep: Bool, within limit: UInt64
  ) throws(BenchmarkFailure) -> [LogLinearHistogram] {
    var times = [LogLinearHistogram](repeating: LogLinearHistogram(), count: PoolTrace.Stage.allCases.count + 1)
    let first = MonotonicClock.nanoseconds
    for index in 0..<count where index == 0 || MonotonicClock.nanoseconds - first <= limit {
      wait(nanoseconds: Self.idleNanoseconds)
      trace.clear()
      let start = MonotonicClock.nanoseconds
      _ = try closedLoop(1, inFlight: 1)
      let end = MonotonicClock.nanoseconds
      // A worker that had not slept yet, or slept when it was to spin.
      guard (trace[.running] > 0) == isAsleep else { continue }
      var last = start
      for stage in PoolTrace.Stage.allCases where trace[stage] > 0 {
        // The caller returns from the wake when the worker runs already.
        times[stage.rawValue].add(Double(trace[stage]) - Double(stage == .running ? trace[.queued] : last))
        last = trace[stage]
      }
      times[PoolTrace.Stage.allCases.count].add(Double(end - last))
    }
    return times
  }

  /// Submits requests at random times with an average rate, whether or not earlier ones are answered.
  ///
  /// - Parameter next: the token of the request of that number; nil for the tokens of the set in turn.
  /// - Throws: `BenchmarkFailure` if one was not answered exactly once, or wrongly.
  func openLoop(
    requestsPerSecond rate: Double, seconds: Double, seed: UInt64, next: ((Int) -> LoadSample)? = nil
  ) throws(BenchmarkFailure) -> OpenLoopResult {
    let log = OpenLoopLog(count: Int(rate * seconds))
    let samples = zip(set.entries, lengths).map { LoadSample(token: $0.token, kind: .ecV1, length: $1) }
    let before = (memory: assay_peak_resident_bytes(), metrics: pool.metrics)
    var random = SeededGenerator(seed: seed)
    // The workers' CPUs, and that of this thread.
    let reference = try StallReference(cpus: workers + 1)
    let start = MonotonicClock.nanoseconds
    var due = Double(start)
    var deepest = 0
    var watch = StallWatch()
    for index in 0..<log.count {
      due += -log1p(-Double.random(in: 0..<1, using: &random)) / rate * 1e9
      let sample = next?(index) ?? samples[index % samples.count]
      watch.wait(until: UInt64(due))
      log.submit(index, due: UInt64(due), sample, at: set.now, under: policy, to: pool)
      if index.isMultiple(of: 1_024) { deepest = max(deepest, pool.metrics.queueDepth) }
    }
    let lastSubmitted = MonotonicClock.nanoseconds
    while log.answered < log.count {
      guard MonotonicClock.nanoseconds - lastSubmitted < 10_000_000_000 else {
        throw BenchmarkFailure("\(log.count - log.answered) requests were not answered")
      }
      usleep(500)
    }
    return try log.result(
      from: start, stalls: reference.stop(), heldUp: watch.heldUp, deepestQueue: deepest,
      memoryGrowth: assay_peak_resident_bytes() - before.memory,
      batches: zip(pool.metrics.batchesBySize, before.metrics.batchesBySize).map { $0 - $1 })
  }

  /// Longer than a pool's idle threshold.
  fileprivate static var idleNanoseconds: UInt64 { 200_000 }

  private func wait(nanoseconds: UInt64) {
    let end = MonotonicClock.nanoseconds + nanoseconds
    while MonotonicClock.nanoseconds < end { assay_pause() }
  }
}

/// Waits by polling the clock, and adds up the time for which it was interrupted.
private struct StallWatch {
  private(set) var heldUp: UInt64 = 0
  private var last = MonotonicClock.nanoseconds
  /// Nothing that the generator does itself takes as long.
  private static let shortest: UInt64 = 100_000

  mutating func wait(until due: UInt64) {
    repeat {
      let now = MonotonicClock.nanoseconds
      if now - last > Self.shortest { heldUp += now - last }
      last = now
    } while last < due
  }
}

/// The answers of a fixed number of requests in flight.
private final class ClosedLoop: Sendable {
  let answered = Atomic(0)
  let wrong = Atomic(0)

  func take(_ isRight: Bool) {
    if !isRight { wrong.add(1, ordering: .relaxed) }
    answered.add(1, ordering: .acquiringAndReleasing)
  }
}

/// Workers that are kept busy.
private final class Occupation: Sendable {
  let workers = Atomic(0)
  let isOver = Atomic(false)
}

/// A task that asks for one request at a time.
///
/// `@unchecked Sendable`: `times` is the task's until `isDone` says otherwise.
private final class LoneRequests: @unchecked Sendable {
  let isDone = Atomic(false)
  private(set) var times: [Double] = []
  /// The number of requests made; as many as `times` if every answer was right.
  private(set) var requests = 0
  private let pool: DecryptionPool
  private let set: TokenSet
  private let lengths: [Int]
  private let count: Int
  private let limit: UInt64

  init(pool: DecryptionPool, set: TokenSet, lengths: [Int], count: Int, limit: UInt64) {
    self.pool = pool
    self.set = set
    self.lengths = lengths
    self.count = count
    self.limit = limit
  }

  func run() async {
    let first = MonotonicClock.nanoseconds
    for index in 0..<count where index == 0 || MonotonicClock.nanoseconds - first <= limit {
      requests += 1
      let entry = index % set.entries.count
      let idle = MonotonicClock.nanoseconds + PoolUnderLoad.idleNanoseconds
      while MonotonicClock.nanoseconds < idle { assay_pause() }
      let start = MonotonicClock.nanoseconds
      let length = try? await pool.decrypt(set.entries[entry].token, at: set.now, under: set.policy) {
        $0.plaintext.count
      }
      let end = MonotonicClock.nanoseconds
      if length == lengths[entry] { times.append(Double(end - start)) }
    }
    isDone.store(true, ordering: .releasing)
  }
}
