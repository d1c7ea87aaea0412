import HostIO

/// Times one benchmark in slices: runs of operations that take so long that reading the clock does not matter.
struct SliceTimer {
  let benchmark: Benchmark
  /// Counted before the timing; nil if they could not be counted.
  var allocations: AllocationCounts?
  /// Operations per slice.
  let operations: Int
  /// Nanoseconds per operation of each slice, over all rounds.
  private(set) var slices = LogLinearHistogram()
  /// The median of each round's slices.
  private(set) var rounds: [Double] = []
  private(set) var iterations = 0
  /// The slices of the current round.
  private var round: [Double] = []

  /// The longest slice that is preceded by an untimed one. Untimed slices refill the caches; long slices need none.
  private static let untimedLimit: UInt64 = 2_000_000

  /// Warms up for at least `warmUp` nanoseconds and determines the number of operations per slice.
  init(_ benchmark: Benchmark, warmUp: UInt64) throws(BenchmarkFailure) {
    self.benchmark = benchmark
    var count = benchmark.multiple
    var fastest = UInt64.max
    let start = MonotonicClock.nanoseconds
    repeat {
      let before = MonotonicClock.nanoseconds
      try benchmark.run(count)
      let each = (MonotonicClock.nanoseconds - before) / UInt64(count)
      fastest = min(fastest, max(each, 1))
      if UInt64(count) * fastest < benchmark.sliceNanoseconds { count *= 2 }
    } while MonotonicClock.nanoseconds - start < warmUp
    operations = benchmark.rounded(Int(max(1, (benchmark.sliceNanoseconds + fastest - 1) / fastest)))
  }

  /// Measures one round: an untimed slice if slices are short, then slices until `budget` nanoseconds have passed.
  mutating func measureRound(budget: UInt64) throws(BenchmarkFailure) {
    round.removeAll(keepingCapacity: true)
    if UInt64(slices.percentile(50)) * UInt64(operations) < Self.untimedLimit { try benchmark.run(operations) }
    let start = MonotonicClock.nanoseconds
    var before = start
    repeat {
      if let runTimed = benchmark.runTimed {
        round.append(try runTimed(operations))
      } else {
        try benchmark.run(operations)
        round.append(Double(MonotonicClock.nanoseconds - before) / Double(operations))
      }
      iterations += operations
      // Read the clock again, so that storing the sample is not timed.
      before = MonotonicClock.nanoseconds
    } while before - start < budget
    for slice in round { slices.add(slice) }
    rounds.append(OrderStatistics.median(round))
  }

  var result: BenchmarkResult {
    let median = OrderStatistics.median(rounds)
    return BenchmarkResult(
      name: benchmark.name, unit: benchmark.unit, note: benchmark.note, iterations: iterations,
      operationsPerSecond: median > 0 ? 1e9 / median : 0,
      p50: slices.percentile(50), p90: slices.percentile(90), p99: slices.percentile(99),
      p999: slices.percentile(99.9), maximum: slices.maximum, sampleCount: slices.total, allocations: allocations,
      roundMedians: rounds)
  }
}
