import Benchmarking
import HostIO
import Synchronization
import Testing

/// Waits on the clock for each operation.
private func waiting(_ name: String, nanoseconds: @escaping @Sendable () -> UInt64) -> Benchmark {
  Benchmark(name: name) { count in
    for _ in 0..<count {
      let end = MonotonicClock.nanoseconds + nanoseconds()
      while MonotonicClock.nanoseconds < end {}
    }
  }
}

struct GateTests {
  private let ratio = RatioDefinition(name: "a over b", measure: .time, numerator: "a", denominator: ["b"])
  private let limits = Thresholds([Threshold(.ratio, of: "a over b", .most(2), reason: "a test")])

  private func report(rounds: Int, ratio value: Double) -> BenchmarkReport {
    let results = ["a": value, "b": 1].map { name, time in
      BenchmarkResult(
        name: name, unit: "token", iterations: rounds, operationsPerSecond: 1, p50: time, p90: time, p99: time,
        p999: time, maximum: time, allocations: nil, roundMedians: [Double](repeating: time, count: rounds))
    }
    let ratios = [RatioResult(ratio, results: results, seed: 1)].compactMap { $0 }
    return BenchmarkReport(cpu: nil, rounds: rounds, results: results, ratios: ratios)
  }

  @Test func `a ratio of three rounds decides nothing, one of ten does`() {
    for (rounds, value, findings, undecided) in [(3, 3.0, 0, 1), (10, 3, 1, 0), (3, 1, 0, 0), (10, 1, 0, 0)] {
      let outcome = limits.outcome(of: report(rounds: rounds, ratio: value), kernel: "portable")
      #expect(outcome.findings.count == findings && outcome.undecided.count == undecided, "\(rounds), \(value)")
    }
  }

  @Test func `what needs several CPUs is not decided while other programs keep some busy`() {
    var report = report(rounds: 20, ratio: 3)
    #expect(limits.outcome(of: report, kernel: "portable").findings.count == 1)
    report.disturbed = ["b"]
    let outcome = limits.outcome(of: report, kernel: "portable")
    #expect(outcome.findings == [] && outcome.undecided.count == 1)
    report.disturbed = ["c"]
    #expect(limits.outcome(of: report, kernel: "portable").findings.count == 1)
  }

  /// Counts the measurements of a gate by its progress messages.
  private final class Measurements: Sendable {
    private let number = Atomic(0)
    var count: Int { number.load(ordering: .relaxed) }

    func note(_ phase: String, _ remaining: Double) {
      if phase == "warming up a" { number.add(1, ordering: .relaxed) }
    }
  }

  /// A gate on two benchmarks of which one takes ten times as long as allowed, in every measurement or in the first.
  private func gate(isSlowOnce: Bool) throws -> (measurements: Int, outcome: GateOutcome) {
    let measurements = Measurements()
    let benchmarks = [
      waiting("a") { isSlowOnce && measurements.count > 1 ? 2_000 : 100_000 }, waiting("b") { 5_000 },
    ]
    let settings = MeasurementSettings(seconds: 0.5, seed: 1, rounds: 1_000, countedOperations: 1)
    let outcome = try Measurement(settings: settings, progress: measurements.note)
      .run(benchmarks, ratios: [ratio], checking: limits, kernel: "portable").outcome
    return (measurements.count, outcome)
  }

  @Test func `a limit that the second measurement meets is no finding, one that both violate is`() throws {
    let slow = try gate(isSlowOnce: false)
    #expect(slow.outcome.findings.count == 1 && slow.measurements >= 2, "\(slow.outcome)")
    let once = try gate(isSlowOnce: true)
    #expect(once.outcome.findings == [] && once.measurements >= 2, "\(once.outcome)")
  }

  @Test func `after the deadline the gate says what it did not measure`() throws {
    let benchmarks = ["a", "b", "c"].map { waiting($0) { 1_000_000 } }
    var settings = MeasurementSettings(seconds: 0.1, seed: 1, countedOperations: 1)
    settings.deadline = MonotonicClock.nanoseconds + 1
    let gate = Measurement(settings: settings)
    let late = try gate.run(benchmarks, ratios: [ratio], checking: limits, kernel: "portable")
    #expect(late.outcome.findings == [])
    #expect(late.outcome.undecided.count == 4 && late.report.results.isEmpty, "\(late.outcome)")
    let unprepared = try gate.run(
      [], ratios: [ratio], checking: limits, kernel: "portable", unprepared: ["a", "b"])
    #expect(unprepared.outcome.findings == [] && unprepared.outcome.undecided.count == 3)
    settings.deadline = MonotonicClock.nanoseconds + 600_000_000_000
    let inTime = try Measurement(settings: settings)
      .run(benchmarks, ratios: [ratio], checking: limits, kernel: "portable")
    #expect(inTime.outcome.undecided == [] && inTime.report.results.count == 3)
  }
}
