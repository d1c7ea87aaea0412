import Benchmarking
import CMachine
import FastDecryption
import HostIO
import PaymentToken
import Synchronization

/// A pool with one worker, and functions that send it requests one at a time or in a closed loop.
final class PoolUnderLoad {
  private let pool: DecryptionPool
  private let set: TokenSet
  private let lengths: [Int]
  private let policy: VerificationPolicy

  /// - Parameter store: the replay store of `closedLoop`. It must accept each token again and again.
  /// - Throws: `BenchmarkFailure` if the pool cannot start or gives a wrong answer.
  init(_ tokens: CheckedTokens, store: (any ReplayStore)? = nil) throws(BenchmarkFailure) {
    (set, lengths) = (tokens.set, tokens.lengths)
    policy = store.map { VerificationPolicy(freshness: .window(seconds: 300, replay: $0)) } ?? tokens.set.policy
    // The worker is pinned to the last CPU.
    let cpus = (0..<1_024).filter { assay_may_use_cpu(Int32($0)) != 0 }.suffix(1)
    let engine = try tokens.set.batchEngine()
    do {
      pool = try DecryptionPool(
        engine, configuration: .init(workers: 1, cpus: Array(cpus), spinDuration: .microseconds(50)))
    } catch {
      throw BenchmarkFailure("the pool did not start", lacksResources: true)
    }
    // Warm up: the engine verifies and caches the certificates, and makes the tables of their keys.
    _ = try closedLoop(2_000, inFlight: 64)
  }

  /// Submits `count` requests, each as soon as fewer than `inFlight` are unanswered. Returns nanoseconds per request.
  ///
  /// - Throws: `BenchmarkFailure` if a request was refused, or its plaintext did not have the expected length.
  func closedLoop(_ count: Int, inFlight: Int) throws(BenchmarkFailure) -> Double {
    let loop = ClosedLoop()
    let start = MonotonicClock.nanoseconds
    for index in 0..<count {
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
    }
    while loop.answered.load(ordering: .acquiring) < count { assay_pause() }
    let end = MonotonicClock.nanoseconds
    guard loop.wrong.load(ordering: .acquiring) == 0 else { throw DecryptBenchmarks.wrongAnswer }
    return Double(end - start) / Double(count)
  }

  /// Sends one request at a time by `decrypt`, which may decrypt on its caller's thread, each after the pool has been
  /// idle for a while. Returns the median nanoseconds of a request.
  ///
  /// - Throws: `BenchmarkFailure` if an answer was wrong.
  func lone(_ count: Int) throws(BenchmarkFailure) -> Double {
    let lone = LoneRequests()
    Task.detached { [pool, set, lengths] in await lone.send(count, set, lengths, to: pool) }
    while !lone.isDone.load(ordering: .acquiring) { usleep(500) }
    let times = lone.times.compactMap(\.self)
    guard times.count == count else { throw DecryptBenchmarks.wrongAnswer }
    return OrderStatistics.median(times)
  }

  /// The pause before a single request. It is longer than the time after which a pool counts as idle.
  private static let idleNanoseconds: UInt64 = 200_000

  fileprivate static func waitUntilIdle() {
    let end = MonotonicClock.nanoseconds + idleNanoseconds
    while MonotonicClock.nanoseconds < end { assay_pause() }
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

  func send(_ count: Int, _ set: TokenSet, _ lengths: [Int], to pool: DecryptionPool) async {
    for index in 0..<count {
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
