import Benchmarking
import CMachine
import FastDecryption
import HostIO
import Minting
import PaymentToken
import Synchronization

/// A pool, and functions that send it requests one at a time, in a closed loop or in an open loop, and measure its
/// latencies and refusals.
final class PoolUnderLoad {
  private let pool: DecryptionPool
  private let set: TokenSet
  private let lengths: [Int]
  private let policy: VerificationPolicy

  /// - Parameters:
  ///   - workers: the number of the pool's threads. Each is pinned to a CPU, from the last one down; if there are too
  ///     few CPUs, workers share them.
  ///   - spinDuration: how long an idle worker looks for work before it sleeps.
  ///   - store: the replay store of `closedLoop` and `openLoop`. It must accept each token again and again.
  /// - Throws: `BenchmarkFailure` if the pool cannot start or gives a wrong answer.
  init(
    _ tokens: CheckedTokens, workers: Int = 1, spinDuration: Duration = .microseconds(50),
    store: (any ReplayStore)? = nil
  ) throws(BenchmarkFailure) {
    (set, lengths) = (tokens.set, tokens.lengths)
    policy = store.map { VerificationPolicy(freshness: .window(seconds: 300, replay: $0)) } ?? tokens.set.policy
    let cpus = (0..<1_024).filter { assay_may_use_cpu(Int32($0)) != 0 }.suffix(workers)
    let engine = try tokens.set.batchEngine()
    do {
      pool = try DecryptionPool(
        engine, configuration: .init(workers: workers, cpus: cpus.reversed(), spinDuration: spinDuration))
    } catch {
      throw BenchmarkFailure("the pool did not start", lacksResources: true)
    }
    // Warm up: the engine verifies and caches the certificates, and makes the tables of their keys.
    _ = try closedLoop(2_000, inFlight: 64)
  }

  /// Submits a request whenever fewer than `inFlight` are unanswered. Returns nanoseconds per request.
  ///
  /// - Parameters:
  ///   - count: the number of requests to submit.
  ///   - limit: the nanoseconds after which no more are submitted.
  /// - Throws: `BenchmarkFailure` if a request was refused, or its plaintext did not have the expected length.
  func closedLoop(
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

  /// Sends one request at a time, each after the pool has been idle for a while, and returns the nanoseconds of each.
  ///
  /// - Parameters:
  ///   - byCallback: whether to call `submit` with callbacks instead of `await decrypt`, which may decrypt on its
  ///     caller's thread.
  ///   - limit: the nanoseconds after which no more are sent.
  /// - Throws: `BenchmarkFailure` if an answer was wrong.
  func lone(
    _ count: Int, byCallback: Bool, within limit: UInt64 = .max
  ) throws(BenchmarkFailure) -> LogLinearHistogram {
    var times = LogLinearHistogram()
    if byCallback {
      let start = MonotonicClock.nanoseconds
      for index in 0..<count where index == 0 || MonotonicClock.nanoseconds - start <= limit {
        Self.waitUntilIdle()
        times.add(try closedLoop(1, inFlight: 1))
      }
      return times
    }
    let lone = LoneRequests()
    Task.detached { [pool, set, lengths] in await lone.send(count, set, lengths, to: pool, within: limit) }
    while !lone.isDone.load(ordering: .acquiring) { usleep(500) }
    for time in lone.times {
      guard let time else { throw DecryptBenchmarks.wrongAnswer }
      times.add(time)
    }
    return times
  }

  /// Submits requests at random times with an average rate, whether or not earlier ones are answered.
  ///
  /// - Parameters:
  ///   - sleeps: whether the thread leaves its CPU while no request is due, as a server's threads do; otherwise it
  ///     polls the clock, which submits requests more punctually but takes a CPU from the pool's slow path.
  ///   - next: returns the sample for the request of this number; nil to take the tokens of the set in rotation.
  /// - Throws: `BenchmarkFailure` if a request was answered wrongly, more than once, or not within ten seconds after
  ///   the last one was submitted.
  func openLoop(
    requestsPerSecond rate: Double, seconds: Double, seed: UInt64, sleeps: Bool = false,
    next: ((Int) -> LoadSample)? = nil
  ) throws(BenchmarkFailure) -> OpenLoopResult {
    let log = OpenLoopLog(count: Int(rate * seconds))
    let samples = zip(set.entries, lengths).map { LoadSample(token: $0.token, kind: .ecV1, length: $1) }
    let before = (memory: assay_peak_resident_bytes(), metrics: pool.metrics)
    var random = SeededGenerator(seed: seed)
    let start = MonotonicClock.nanoseconds
    var due = Double(start)
    var deepest = 0
    var watch = StallWatch(sleeps: sleeps)
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
      from: start, heldUp: watch.heldUp, deepestQueue: deepest,
      memoryGrowth: assay_peak_resident_bytes() - before.memory,
      batches: zip(pool.metrics.batchesBySize, before.metrics.batchesBySize).map { $0 - $1 })
  }

  /// The pause before a single request. It is longer than the time after which a pool counts as idle.
  private static let idleNanoseconds: UInt64 = 200_000

  fileprivate static func waitUntilIdle() {
    let end = MonotonicClock.nanoseconds + idleNanoseconds
    while MonotonicClock.nanoseconds < end { assay_pause() }
  }
}

/// Waits by sleeping or by polling the clock, and adds up the time for which the system gave the thread no CPU.
private struct StallWatch {
  let sleeps: Bool
  /// Nanoseconds, the sum of all stalls.
  private(set) var heldUp: UInt64 = 0
  /// The last reading of the clock.
  private var last = MonotonicClock.nanoseconds
  /// A longer time between two readings of the clock is a stall: nothing that the thread does itself takes as long.
  private static let shortestStall: UInt64 = 100_000

  init(sleeps: Bool) { self.sleeps = sleeps }

  mutating func wait(until due: UInt64) {
    look()
    while last < due {
      if sleeps {
        assay_sleep_until(due)
        look(expecting: due)
      } else {
        look()
      }
    }
  }

  /// Reads the clock, and counts the time since it should have been read if that is a stall.
  ///
  /// - Parameter time: when the clock should have been read, if the thread slept; by default right after the last
  ///   reading.
  private mutating func look(expecting time: UInt64 = 0) {
    let now = MonotonicClock.nanoseconds
    let expected = max(last, min(time, now))
    if now - expected > Self.shortestStall { heldUp += now - expected }
    last = now
  }
}

/// Counts the answers to the requests of a closed loop.
private final class ClosedLoop: Sendable {
  let answered = Atomic(0)
  let wrong = Atomic(0)

  func take(_ isRight: Bool) {
    if !isRight { wrong.add(1, ordering: .relaxed) }
    answered.add(1, ordering: .acquiringAndReleasing)
  }
}

/// What became of requests that a task sends one at a time.
///
/// `@unchecked Sendable`: until the task sets `isDone`, it alone uses `times`.
private final class LoneRequests: @unchecked Sendable {
  let isDone = Atomic(false)
  /// The nanoseconds of each request; nil for one whose answer was wrong.
  private(set) var times: [Double?] = []

  func send(
    _ count: Int, _ set: TokenSet, _ lengths: [Int], to pool: DecryptionPool, within limit: UInt64
  ) async {
    let first = MonotonicClock.nanoseconds
    for index in 0..<count where index == 0 || MonotonicClock.nanoseconds - first <= limit {
      let entry = index % set.entries.count
      PoolUnderLoad.waitUntilIdle()
      let start = MonotonicClock.nanoseconds
      let length = try? await pool.decrypt(set.entries[entry].token, at: set.now, under: set.policy) {
        $0.plaintext.count
      }
      let end = MonotonicClock.nanoseconds
      times.append(length == lengths[entry] ? Double(end - start) : nil)
    }
    isDone.store(true, ordering: .releasing)
  }
}
