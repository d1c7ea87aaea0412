import CMachine
import HostIO

/// Measures benchmarks in interleaved rounds on one pinned CPU.
///
/// Each round runs every benchmark once, in a new random order. When the machine's speed drifts, it does so for all of
/// them, and ratios within a round stay meaningful even if absolute times are not.
public struct Measurement {
  /// Takes the current activity, `warming up` or `measuring`, and the planned seconds left.
  public typealias Progress = (_ phase: String, _ remaining: Double) -> Void

  /// The settings.
  public let settings: MeasurementSettings
  /// Called with the progress. Its time is not measured but counts toward the budget.
  public let progress: Progress

  /// Creates a measurement, which can be run repeatedly.
  public init(settings: MeasurementSettings, progress: @escaping Progress = { _, _ in }) {
    self.settings = settings
    self.progress = progress
  }

  /// Counts allocations, warms up, measures, and computes ratios. If a benchmark of another program fails, the report
  /// has no benchmark of that program; the code that created them has the reason.
  ///
  /// - Throws: `BenchmarkFailure` if a benchmark of this program gives a wrong answer or the list is empty.
  public func run(_ benchmarks: [Benchmark], ratios: [RatioDefinition] = []) throws(BenchmarkFailure) -> BenchmarkReport
  {
    guard !benchmarks.isEmpty else { throw BenchmarkFailure("nothing to measure") }
    let watch = NoiseWatch()
    let cpu = assay_pin_thread(0)
    defer { assay_unpin_thread() }
    let start = settings.start ?? MonotonicClock.nanoseconds
    let total = UInt64(max(settings.seconds, 0.01) * 1e9)
    func timeLeft() -> UInt64 { total - min(total, MonotonicClock.nanoseconds - start) }
    let deadline = settings.deadline ?? .max
    let begin = MonotonicClock.nanoseconds
    var done = 0
    /// Reports the time left: the planned time, or the time of the minimum number of rounds if that is longer.
    func report(_ phase: String) {
      let now = MonotonicClock.nanoseconds
      let least = settings.leastRounds * benchmarks.count + benchmarks.count - done
      let atThisRate = done > 0 ? Double(now - begin) / Double(done) * Double(max(0, least)) : 0
      let remaining = min(max(Double(timeLeft()), atThisRate), Double(deadline - min(deadline, now))) / 1e9
      progress(phase, remaining)
    }

    var timed: [SliceTimer] = []
    var dropped: Set<String?> = []
    /// Runs a part of a benchmark; a failure of another program ends only its benchmarks.
    func attempt(_ benchmark: Benchmark, _ part: () throws(BenchmarkFailure) -> Void) throws(BenchmarkFailure) {
      guard !dropped.contains(benchmark.program) else { return }
      do throws(BenchmarkFailure) {
        try part()
      } catch {
        guard benchmark.program != nil else { throw error }
        dropped.insert(benchmark.program)
      }
    }
    let warmUp = timeLeft() / 10 / UInt64(benchmarks.count)
    // The limit for a slow operation is a quarter of the time that is left for counting.
    var counting = timeLeft() / 2
    let countingShare = counting / UInt64(benchmarks.count)
    let warmUpEnd = deadline - (deadline - min(deadline, begin)) / 2
    var unmeasured: [String] = []
    for benchmark in benchmarks {
      report("warming up \(benchmark.name)")
      guard MonotonicClock.nanoseconds < warmUpEnd else {
        unmeasured.append(benchmark.name)
        continue
      }
      defer { done += 1 }
      try attempt(benchmark) { () throws(BenchmarkFailure) in
        let before = MonotonicClock.nanoseconds
        let allocations = try AllocationCounting.count(
          benchmark, operations: settings.countedOperations, nanoseconds: max(countingShare, counting / 4))
        counting -= min(counting, MonotonicClock.nanoseconds - before)
        var timer = try SliceTimer(benchmark, warmUp: warmUp)
        timer.allocations = allocations
        timed.append(timer)
      }
    }

    let quantum = max(timeLeft() / UInt64(max(settings.rounds, 1) * benchmarks.count), 1)
    var generator = SplitMix64(seed: settings.seed)
    var rounds = 0
    while rounds < settings.leastRounds || (rounds < settings.rounds && MonotonicClock.nanoseconds - start < total) {
      if rounds > 0, MonotonicClock.nanoseconds >= deadline { break }
      for index in timed.indices.shuffled(using: &generator) {
        try attempt(timed[index].benchmark) { () throws(BenchmarkFailure) in
          try timed[index].measureRound(budget: quantum)
        }
        done += 1
        report("measuring, round \(rounds + 1)")
      }
      rounds += 1
    }

    let results = timed.filter { !dropped.contains($0.benchmark.program) }.map(\.result)
    let number = cpu < 0 ? nil : Int(cpu)
    var whole = BenchmarkReport(
      cpu: number, rounds: rounds, results: results,
      ratios: ratios.compactMap { RatioResult($0, results: results, seed: settings.seed) },
      warnings: watch.warnings(of: results, cpu: number))
    whole.unmeasured = unmeasured
    if watch.isDisturbed { whole.disturbed = Set(benchmarks.filter { $0.cpus > 1 }.map(\.name)) }
    return whole
  }
}
