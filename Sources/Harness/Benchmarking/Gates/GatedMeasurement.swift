import HostIO

/// What the thresholds say about a measurement.
public struct GateOutcome: Hashable, Sendable {
  /// The violated limits, one sentence each.
  public internal(set) var findings: [String] = []
  /// The limits that could not be checked, and why, one sentence each.
  public internal(set) var undecided: [String] = []
  /// The benchmarks of violated limits.
  var contested: Set<String> = []
  /// The benchmarks of limits that other programs or too few rounds left undecided.
  var open: Set<String> = []
}

extension Measurement {
  /// The maximum time of a repetition, in seconds, and the maximum number of repetitions.
  private static let repetition = 8.0
  private static let repetitions = 4

  /// Measures, and checks thresholds. The deadline is that of all measurements together.
  ///
  /// All benchmarks share the planned time. Those of violated limits are then measured again by themselves, with more
  /// rounds for each, if the deadline allows that; the newer times and the lower allocation counts decide. If a limit
  /// stays undecided, its benchmarks are measured again up to four times, until the deadline.
  ///
  /// - Parameters:
  ///   - kernel: the P-256 kernel of this machine.
  ///   - unprepared: the benchmarks that there was no time to prepare.
  /// - Throws: as `run(_:ratios:)`.
  public func run(
    _ benchmarks: [Benchmark], ratios: [RatioDefinition], checking thresholds: Thresholds, kernel: String,
    unprepared: [String] = []
  ) throws(BenchmarkFailure) -> (report: BenchmarkReport, outcome: GateOutcome) {
    var first = settings
    let deadline = settings.deadline ?? .max
    let now = MonotonicClock.nanoseconds
    // The repetitions need a third of the time.
    if deadline != .max { first.deadline = deadline - (deadline - min(deadline, now)) / 3 }
    let isNothingPrepared = benchmarks.isEmpty && !unprepared.isEmpty
    var report =
      isNothingPrepared
      ? BenchmarkReport(cpu: nil, rounds: 0, results: [], ratios: [])
      : try Measurement(settings: first, progress: progress).run(benchmarks, ratios: ratios)
    report.unmeasured += unprepared
    var outcome = thresholds.outcome(of: report, kernel: kernel)
    for attempt in 0..<Self.repetitions {
      let names = outcome.open.union(attempt == 0 ? outcome.contested : [])
      guard !names.isEmpty, MonotonicClock.nanoseconds < deadline else { break }
      let left = Double(deadline - min(deadline, MonotonicClock.nanoseconds)) / 1e9
      var again = MeasurementSettings(
        seconds: min(Self.repetition, settings.seconds, left), seed: settings.seed,
        countedOperations: settings.countedOperations)
      again.deadline = settings.deadline
      again.leastRounds = Thresholds.fewestRounds
      let repeated = try Measurement(settings: again, progress: progress)
        .run(
          benchmarks.filter { names.contains($0.name) },
          ratios: ratios.filter { names.isSuperset(of: $0.benchmarks) })
      report = report.replacing(by: repeated)
      outcome = thresholds.outcome(of: report, kernel: kernel)
    }
    return (report, outcome)
  }
}
