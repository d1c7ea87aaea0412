import HostIO

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Times one benchmark in slices: a number of operations long enough for the clock not to matter.
struct SliceTimer {
  let benchmark: Benchmark
  /// Operations a slice.
  let operations: Int
  /// Nanoseconds an operation of every slice timed, all rounds together; under open-loop load, of every arrival.
  private(set) var slices = LogLinearHistogram()
  /// The median of each round's slices.
  private(set) var rounds: [Double] = []
  private(set) var iterations = 0
  /// Those of the round under way.
  private var round: [Double] = []
  private var generator = SplitMix64(seed: 1)

  /// Untimed slices are for what others pushed out of the caches: a dear slice needs none.
  private static let untimedLimit: UInt64 = 2_000_000

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
    round.removeAll(keepingCapacity: true)
    if let rate = benchmark.arrivalsPerSecond {
      try measureArrivals(rate, budget: budget)
    } else {
      try measureSlices(budget: budget)
    }
    for slice in round { slices.add(slice) }
    rounds.append(OrderStatistics.median(round))
  }

  private mutating func measureSlices(budget: UInt64) throws(BenchmarkFailure) {
    if UInt64(slices.percentile(50)) * UInt64(operations) < Self.untimedLimit { try benchmark.run(operations) }
    let clock = SliceClock.current
    let start = clock.ticks
    var before = start
    repeat {
      if let runTimed = benchmark.runTimed {
        round.append(try runTimed(operations))
      } else {
        try benchmark.run(operations)
        let after = clock.ticks
        round.append(clock.nanoseconds(from: before, to: after) / Double(operations))
      }
      iterations += operations
      // The clock is read again: storing the sample is not part of the next slice.
      before = clock.ticks
    } while clock.nanoseconds(from: start, to: before) < Double(budget)
  }

  /// Operations at times of a Poisson process. Each takes from when it should have begun, not from when the one before it let
  /// it: what waits in a queue waits, whoever is to blame.
  private mutating func measureArrivals(_ rate: Double, budget: UInt64) throws(BenchmarkFailure) {
    try benchmark.run(benchmark.multiple)
    let start = MonotonicClock.nanoseconds
    var due = 0.0
    repeat {
      due += -log(Double.random(in: Double.ulpOfOne..<1, using: &generator)) / rate * 1e9
      let arrival = start + UInt64(due)
      while MonotonicClock.nanoseconds < arrival {}
      try benchmark.run(benchmark.multiple)
      round.append(Double(MonotonicClock.nanoseconds - arrival))
      iterations += benchmark.multiple
    } while MonotonicClock.nanoseconds - start < budget
  }

  /// What was measured.
  func result(allocations: AllocationCounts?) -> BenchmarkResult {
    let median = benchmark.arrivalsPerSecond == nil ? OrderStatistics.median(rounds) : 0
    return BenchmarkResult(
      name: benchmark.name, unit: benchmark.unit, note: benchmark.note, iterations: iterations,
      operationsPerSecond: benchmark.arrivalsPerSecond ?? (median > 0 ? 1e9 / median : 0),
      isOpenLoop: benchmark.arrivalsPerSecond != nil,
      p50: slices.percentile(50), p90: slices.percentile(90), p99: slices.percentile(99),
      p999: slices.percentile(99.9), maximum: slices.maximum, allocations: allocations, roundMedians: rounds)
  }
}
