import Benchmarking
import HostIO
import Synchronization
import Testing

/// A benchmark of known duration: each operation waits on the clock.
private func waiting(
  _ name: String, nanoseconds: UInt64, onOperations note: @escaping @Sendable (Int) -> Void = { _ in }
) -> Benchmark {
  Benchmark(name: name) { count in
    note(count)
    for _ in 0..<count {
      let end = MonotonicClock.nanoseconds + nanoseconds
      while MonotonicClock.nanoseconds < end {}
    }
  }
}

/// How long operations really took: on a busy machine, longer than they waited.
private final class OperationTimes: Sendable {
  private let range = Mutex<ClosedRange<Double>?>(nil)

  func note(_ nanoseconds: Double) {
    range.withLock { $0 = min($0?.lowerBound ?? .infinity, nanoseconds)...max($0?.upperBound ?? 0, nanoseconds) }
  }

  /// The shortest and the longest, with room for reading the clocks.
  var all: ClosedRange<Double> {
    range.withLock { ($0?.lowerBound ?? 0) * 0.99...($0?.upperBound ?? 0) * 1.01 + 1_000 }
  }

  func benchmark(_ name: String, nanoseconds: UInt64) -> Benchmark {
    let wait = waiting(name, nanoseconds: nanoseconds).run
    return Benchmark(name: name) { count throws(BenchmarkFailure) in
      let start = MonotonicClock.nanoseconds
      try wait(count)
      self.note(Double(MonotonicClock.nanoseconds - start) / Double(count))
    }
  }
}

@Suite(.serialized)
struct MeasurementTests {
  private let settings = MeasurementSettings(seconds: 0.4, seed: 1, rounds: 10)

  @Test func `the measured time is that of the benchmark`() throws {
    let times = OperationTimes()
    let report = try Measurement(settings: settings).run([times.benchmark("wait", nanoseconds: 100_000)])
    let result = try #require(report.results.first)
    #expect(result.p50 >= 99_800 && times.all.contains(result.p50))
    #expect(result.p50 <= result.p90 && result.p90 <= result.p99 && result.p99 <= result.maximum)
    #expect(result.operationsPerSecond <= 10_000)
    #expect(result.iterations > 0)
    #expect(result.roundMedians.count == report.rounds)
  }

  @Test func `a ratio of throughputs and one of times are each other's inverse`() throws {
    let ratios = [
      RatioDefinition(name: "speed", measure: .throughput, numerator: "short", denominator: ["long"]),
      RatioDefinition(name: "time", measure: .time, numerator: "short", denominator: ["long"]),
    ]
    let (short, long) = (OperationTimes(), OperationTimes())
    let report = try Measurement(settings: settings)
      .run(
        [short.benchmark("short", nanoseconds: 50_000), long.benchmark("long", nanoseconds: 200_000)], ratios: ratios)
    let speed = try #require(report.ratios.first { $0.definition.name == "speed" }).interval
    let time = try #require(report.ratios.first { $0.definition.name == "time" }).interval
    let least = long.all.lowerBound / short.all.upperBound
    let most = long.all.upperBound / short.all.lowerBound
    #expect((least...most).contains(speed.ratio) && (1 / most...1 / least).contains(time.ratio))
    #expect(speed.low <= speed.ratio && speed.ratio <= speed.high)
  }

  @Test func `the times of several denominators are added`() throws {
    let ratio = RatioDefinition(name: "parts", measure: .time, numerator: "whole", denominator: ["one", "two"])
    let (whole, part) = (OperationTimes(), OperationTimes())
    let report = try Measurement(settings: settings).run(
      [
        whole.benchmark("whole", nanoseconds: 100_000), part.benchmark("one", nanoseconds: 50_000),
        part.benchmark("two", nanoseconds: 50_000),
      ], ratios: [ratio])
    let found = try #require(report.ratios.first).interval.ratio
    let most = whole.all.upperBound / (2 * part.all.lowerBound)
    #expect((whole.all.lowerBound / (2 * part.all.upperBound)...most).contains(found))
  }

  @Test func `a ratio of unmeasured benchmarks is omitted`() throws {
    let ratio = RatioDefinition(name: "none", measure: .time, numerator: "wait", denominator: ["absent"])
    let report = try Measurement(settings: settings).run([waiting("wait", nanoseconds: 10_000)], ratios: [ratio])
    #expect(report.ratios.isEmpty)
  }

  @Test func `a wrong answer ends the measurement`() {
    let wrong = Benchmark(name: "wrong") { _ throws(BenchmarkFailure) in throw BenchmarkFailure("wrong") }
    #expect(throws: BenchmarkFailure("wrong")) { try Measurement(settings: settings).run([wrong]) }
    #expect(throws: BenchmarkFailure.self) { try Measurement(settings: settings).run([]) }
  }

  @Test func `another program that fails is left out with all its benchmarks, and the others are measured`() throws {
    for limit in [0, 1, 3] {
      let count = Mutex(0)
      let failing = Benchmark(name: "failing", program: "other") { operations throws(BenchmarkFailure) in
        let done = count.withLock { count -> Int in
          count += operations
          return count
        }
        guard done <= limit else { throw BenchmarkFailure("gone") }
        let end = MonotonicClock.nanoseconds + 10_000_000
        while MonotonicClock.nanoseconds < end {}
      }
      let sound = Benchmark(name: "sound", program: "other", run: waiting("sound", nanoseconds: 10_000).run)
      let ratio = RatioDefinition(name: "none", measure: .time, numerator: "failing", denominator: ["wait"])
      let report = try Measurement(settings: settings)
        .run([sound, failing, waiting("wait", nanoseconds: 10_000)], ratios: [ratio])
      #expect(report.results.map(\.name) == ["wait"] && report.ratios.isEmpty)
      #expect(report.results.first?.roundMedians.count == report.rounds)
    }
  }

  @Test func `the time budget is kept`() throws {
    // The test counts operations, because a busy machine stretches the time. An operation takes a millisecond or more.
    let operations = Atomic(0)
    let many = (0..<5).map { waiting("\($0)", nanoseconds: 1_000_000) { operations.add($0, ordering: .relaxed) } }
    _ = try Measurement(settings: MeasurementSettings(seconds: 0.5, seed: 1, countedOperations: 1)).run(many)
    #expect(operations.load(ordering: .relaxed) < 2_000)
  }

  @Test func `preparation counts towards the budget, and slow operations are counted less often`() throws {
    let operations = Atomic(0)
    let slow = (0..<3).map { waiting("\($0)", nanoseconds: 20_000_000) { operations.add($0, ordering: .relaxed) } }
    let settings = MeasurementSettings(seconds: 1, start: MonotonicClock.nanoseconds - 900_000_000, seed: 1)
    _ = try Measurement(settings: settings).run(slow)
    // Counting 128 operations of each, twice, would be 768.
    #expect(operations.load(ordering: .relaxed) < 200)
  }

  @Test func `what is allocated once belongs to no operation: the least of several counts is that of each`() throws {
    for (counts, least) in [([0, 3, 0], 0), ([2, 2], 2), ([5, 2, 2], 2), ([6, 6], 6), ([9, 8, 7, 6, 5, 4, 3], 4)] {
      var rest = counts[...]
      #expect(try AllocationCounting.least(min) { () throws(BenchmarkFailure) in rest.removeFirst() } == least)
    }
  }

  @Test func `a machine that stands still once does not change how many operations are counted`() throws {
    let calls = Mutex(0)
    let stalling = Benchmark(name: "stalling", unit: "operation") { _ in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      guard call == 2 else { return }
      let end = MonotonicClock.nanoseconds + 30_000_000
      while MonotonicClock.nanoseconds < end {}
    }
    #expect(try AllocationCounting.operations(of: stalling, wanted: 128, nanoseconds: 20_000_000) == 128)
    let slow = waiting("slow", nanoseconds: 1_000_000)
    #expect(try (1...10).contains(AllocationCounting.operations(of: slow, wanted: 128, nanoseconds: 20_000_000)))
  }

  @Test func `percentiles that the samples do not carry are left out of the text`() throws {
    func cells(samples: Int) -> [String] {
      BenchmarkText.cells(
        BenchmarkResult(
          name: "a", unit: "token", iterations: 1, operationsPerSecond: 1, p50: 1_000, p90: 2_000, p99: 3_000,
          p999: 4_000, maximum: 4_000, sampleCount: samples, allocations: nil, roundMedians: [1]))
    }
    #expect(cells(samples: 3)[2...4] == ["1.00", "-", "-"])
    #expect(cells(samples: 100)[2...4] == ["1.00", "3.00", "-"])
    #expect(cells(samples: 1_001)[2...4] == ["1.00", "3.00", "4.00"])
  }

  @Test func `a slice takes as long as its work, less 0.5 % at most`() throws {
    let settings = MeasurementSettings(seconds: 0.2, seed: 1, rounds: 4)
    let report = try Measurement(settings: settings).run([waiting("wait", nanoseconds: 1_000_000)])
    #expect(try #require(report.results.first).p50 > 995_000)
  }

  @Test func `progress is reported with the time left`() throws {
    var told: [(phase: String, remaining: Double)] = []
    _ = try Measurement(settings: settings) { told.append(($0, $1)) }.run([waiting("wait", nanoseconds: 10_000)])
    #expect(told.first?.phase == "warming up wait")
    #expect(try #require(told.last).remaining < 0.2)
  }

  @Test func `a team of threads does its work in every thread`() throws {
    let done = Mutex([0, 0, 0])
    let box = SharedCounts(done)
    let team = try ThreadTeam(count: 3) { index in { count in box.add(count, at: index) } }
    try team.run(operationsEach: 5)
    try team.run(operationsEach: 2)
    #expect(box.counts == [7, 7, 7])
  }

  @Test func `a team fails when one thread does, and tells a wrong answer from a failed preparation`() throws {
    let team = try ThreadTeam(count: 2) { index in { _ in index == 0 } }
    #expect(throws: BenchmarkFailure("a thread gave a wrong answer")) { try team.run(operationsEach: 1) }
    let unprepared = try ThreadTeam(count: 2) { index in index == 0 ? { _ in true } : nil }
    for _ in 0..<2 {
      #expect(throws: BenchmarkFailure("a thread could not be prepared")) { try unprepared.run(operationsEach: 1) }
    }
  }

  @Test func `a team runs no number of operations that would leave a remainder`() async {
    await #expect(processExitsWith: .failure) {
      try ThreadTeam(count: 1, operationsAtOnce: 4) { _ in { _ in true } }.run(operationsEach: 6)
    }
  }
}

private final class SharedCounts: Sendable {
  private let stored: Mutex<[Int]>

  init(_ counts: consuming Mutex<[Int]>) {
    stored = counts
  }

  var counts: [Int] { stored.withLock { $0 } }

  func add(_ count: Int, at index: Int) -> Bool {
    stored.withLock { $0[index] += count }
    return true
  }
}
