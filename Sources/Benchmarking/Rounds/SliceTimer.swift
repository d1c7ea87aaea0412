/// Times one benchmark in slices: a number of operations long enough for the clock not to matter.
struct SliceTimer {
  let benchmark: Benchmark
  /// Operations a slice.
  let operations: Int
  /// Nanoseconds an operation of every slice timed, all rounds together.
  private(set) var slices: [Double] = []
  /// The median of each round's slices.
  private(set) var rounds: [Double] = []
  private(set) var iterations = 0
  private var timed: UInt64 = 0

  /// Warms up for `warmUp` nanoseconds at least, and learns how many operations make a slice.
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

  /// One round: after an untimed slice, slices until `budget` nanoseconds have passed, one at least.
  mutating func measureRound(budget: UInt64) throws(BenchmarkFailure) {
    try benchmark.run(operations)
    let first = slices.count
    let start = MonotonicClock.nanoseconds
    var before = start
    repeat {
      try benchmark.run(operations)
      let after = MonotonicClock.nanoseconds
      slices.append(Double(after - before) / Double(operations))
      iterations += operations
      // The clock is read again: storing the sample is not part of the next slice.
      before = MonotonicClock.nanoseconds
    } while before - start < budget
    timed += before - start
    rounds.append(OrderStatistics.median(Array(slices[first...])))
  }

  /// What was measured.
  func result(allocations: AllocationCounts?) -> BenchmarkResult {
    let sorted = slices.sorted()
    let median = OrderStatistics.median(sorted)
    return BenchmarkResult(
      name: benchmark.name, unit: benchmark.unit, iterations: iterations,
      operationsPerSecond: median > 0 ? 1e9 / median : 0,
      p50: OrderStatistics.percentile(50, ofSorted: sorted), p90: OrderStatistics.percentile(90, ofSorted: sorted),
      p99: OrderStatistics.percentile(99, ofSorted: sorted), maximum: sorted.last ?? 0,
      allocations: allocations, roundMedians: rounds)
  }
}
