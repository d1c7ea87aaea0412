import HostIO

/// Compares two builds of the same benchmarks by timing them in turns.
///
/// Two effects disturb such a comparison. The machine's speed drifts, and the placement of code and data in a process
/// shifts its times by a percent or two. The design cancels the drift and averages over placements:
///
/// - A *block* starts a new process of each build, which gets a new random placement. The builds alternate in starting
///   first, and each block begins with the next benchmark.
/// - Within a block, each benchmark is timed in *quads* of short slices: base, head, head, base, or the reverse. A
///   linear drift during a quad cancels out in its difference ln(head) − ln(base).
/// - A block contributes one number for each benchmark, the median of its quads' differences. The test takes one value
///   from each block, because blocks are independent and slices of one process are not.
/// - `TrimmedTest` (Yuen's t test on the middle three fifths) tests the blocks' numbers against zero. It is robust
///   against outliers, which come from blocks that other programs disturbed. `HolmCorrection` then bounds the chance of
///   any false alarm over all benchmarks, with more power than a Bonferroni correction. A difference counts only if it
///   also exceeds a floor (`ComparisonLimits`).
extension BlockPlan {
  /// A process of each build. An index means the same benchmark in both.
  public typealias Pair = (base: any SliceSource, head: any SliceSource)

  /// The samples of one benchmark: one difference of logarithms per block, and the times of all slices, in nanoseconds
  /// per operation.
  private struct Samples {
    /// ln(head / base) of each block, the median of its quads.
    var differences: [Double] = []
    /// The times of the base, two per quad.
    var base: [Double] = []
    /// The times of the head, two per quad.
    var head: [Double] = []
  }

  /// Runs all blocks of the plan and tests the samples. While results are inconclusive, it doubles the number of
  /// their blocks and tests again. These tests (*looks*) share the significance level, so that testing again does not
  /// raise the chance of a false alarm.
  ///
  /// - Parameters:
  ///   - names: the names of the benchmarks, in the order of their indices.
  ///   - limits: the significance level and the floor.
  ///   - looks: the maximum number of looks.
  ///   - deadline: a reading of the monotonic clock, in nanoseconds. From then on no block starts, except for the first
  ///     five, which the test needs.
  ///   - progress: called before each benchmark of a block with the completed fraction, in 0..<1, which starts from 0
  ///     again for each look at the samples.
  ///   - start: starts a new pair of processes with the benchmarks of these indices.
  /// - Returns: a row for each benchmark.
  /// - Throws: `BenchmarkFailure` if a process fails or a slice takes no time.
  public func compare(
    _ names: [String], limits: ComparisonLimits, looks: Int, until deadline: UInt64 = .max,
    progress: (_ fraction: Double) -> Void = { _ in },
    start: (_ headFirst: Bool, _ indices: [Int]) throws(BenchmarkFailure) -> Pair
  ) throws(BenchmarkFailure) -> [ComparisonRow] {
    var limits = limits
    limits.significance /= Double(looks)
    var samples = [Samples](repeating: Samples(), count: names.count)
    var open = Array(names.indices)
    var range = 0..<blocks
    var rows: [ComparisonRow] = []
    for _ in 0..<looks where !open.isEmpty {
      try extend(&samples, of: open, blocks: range, until: deadline, progress, start)
      // All benchmarks together, as the correction for multiple tests requires.
      rows = ComparisonRow.evaluate(
        zip(names, samples).map { name, samples in
          (
            name, TrimmedTest(differences: samples.differences),
            [OrderStatistics.median(samples.base), OrderStatistics.median(samples.head)]
          )
        }, limits: limits)
      open = names.indices.filter { rows[$0].verdict == .inconclusive }
      if MonotonicClock.nanoseconds >= deadline { break }
      range = range.upperBound..<2 * range.upperBound
    }
    return rows
  }

  /// The minimum number of blocks that `TrimmedTest` takes.
  private static let minimumBlocks = 5

  /// Runs these blocks for the chosen benchmarks, and adds to their samples.
  private func extend(
    _ samples: inout [Samples], of chosen: [Int], blocks: Range<Int>, until deadline: UInt64,
    _ progress: (_ fraction: Double) -> Void,
    _ start: (_ headFirst: Bool, _ indices: [Int]) throws(BenchmarkFailure) -> Pair
  ) throws(BenchmarkFailure) {
    let count = chosen.count
    for block in blocks {
      if block >= Self.minimumBlocks, MonotonicClock.nanoseconds >= deadline { return }
      let pair = try start(!block.isMultiple(of: 2), chosen)
      for step in 0..<count {
        progress(Double((block - blocks.lowerBound) * count + step) / Double(blocks.count * count))
        // Each block begins with another benchmark.
        let index = (step + block) % count
        try measure(index, pair, into: &samples[chosen[index]], headFirst: !(block / 2).isMultiple(of: 2))
      }
    }
  }

  /// Times the quads of one benchmark in one block.
  private func measure(
    _ index: Int, _ pair: Pair, into samples: inout Samples, headFirst: Bool
  ) throws(BenchmarkFailure) {
    for _ in 0..<warmUpSlices {
      _ = try pair.base.time(index, nanoseconds: slice / 2)
      _ = try pair.head.time(index, nanoseconds: slice / 2)
    }
    var differences: [Double] = []
    for quad in 0..<quads {
      let (base, head) = try self.quad(index, pair, headFirst: quad.isMultiple(of: 2) == headFirst)
      guard base.allSatisfy({ $0 > 0 }), head.allSatisfy({ $0 > 0 }) else {
        throw BenchmarkFailure("a slice took no time")
      }
      differences.append((log(head[0]) + log(head[1]) - log(base[0]) - log(base[1])) / 2)
      samples.base += base
      samples.head += head
    }
    samples.differences.append(OrderStatistics.median(differences))
  }

  /// Times four slices of a benchmark: base, head, head, base, or the reverse.
  private func quad(
    _ index: Int, _ pair: Pair, headFirst: Bool
  ) throws(BenchmarkFailure) -> (base: [Double], head: [Double]) {
    let (outer, inner) = headFirst ? (pair.head, pair.base) : (pair.base, pair.head)
    let first = try outer.time(index, nanoseconds: slice)
    let second = try inner.time(index, nanoseconds: slice)
    let third = try inner.time(index, nanoseconds: slice)
    let fourth = try outer.time(index, nanoseconds: slice)
    return headFirst ? ([second, third], [first, fourth]) : ([first, fourth], [second, third])
  }
}
