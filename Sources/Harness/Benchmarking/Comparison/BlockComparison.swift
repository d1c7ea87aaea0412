import HostIO

/// Compares two builds of the same benchmarks by timing them in turns.
///
/// A machine's speed drifts, and the placement of code and data in a process shifts times by a percent or two. The
/// design cancels the first and averages over the second:
///
/// - A *block* starts a new process of each build, which draws the placement again. Which build starts first, and which
///   benchmark comes first, alternates between blocks.
/// - Within a block, each benchmark is timed in *quads* of short slices: base, head, head, base, or the reverse. A
///   drift that is linear over a quad cancels out of its difference ln(head) − ln(base).
/// - A block contributes one number per benchmark, the median over its quads. Slices of one process are not
///   independent, blocks are, so the test sees as many values as there are blocks.
/// - `TrimmedTest` (Yuen's t test on the middle three fifths) tests the blocks' numbers against zero, because a block
///   that was disturbed is an outlier. `HolmCorrection` then bounds the chance of any false alarm over all benchmarks,
///   at more power than a Bonferroni correction. A difference counts only if it also exceeds a floor
///   (`ComparisonLimits`).
public struct BlockComparison {
  /// Two processes, with the same indices of benchmarks.
  public typealias Pair = (base: any SliceSource, head: any SliceSource)

  /// How the builds are timed.
  public let plan: BlockPlan
  /// Called before each benchmark of a block with the completed fraction, 0...1.
  public let progress: (_ fraction: Double) -> Void

  /// Creates a comparison.
  public init(plan: BlockPlan, progress: @escaping (_ fraction: Double) -> Void = { _ in }) {
    self.plan = plan
    self.progress = progress
  }

  /// The samples of one benchmark: a difference of logarithms per block, and the times of all slices.
  public struct Samples: Hashable, Sendable {
    /// ln(head / base) of each block.
    public var differences: [Double] = []
    /// All slices of the base.
    public var base: [Double] = []
    /// All slices of the head.
    public var head: [Double] = []
  }

  /// Runs all blocks.
  ///
  /// - Parameters:
  ///   - count: the number of benchmarks.
  ///   - start: starts a new pair of processes; the argument says whether to start the head first.
  public func run(
    _ count: Int, start: (_ headFirst: Bool) throws(BenchmarkFailure) -> Pair
  ) throws(BenchmarkFailure) -> [Samples] {
    var samples = [Samples](repeating: Samples(), count: count)
    try extend(&samples, of: Array(0..<count), blocks: 0..<plan.blocks, until: .max) {
      headFirst, _ throws(BenchmarkFailure) in try start(headFirst)
    }
    return samples
  }

  /// How often `run(_:limits:until:start:)` looks at the samples.
  public static let looks = 3

  /// Runs all blocks, then doubles the number of blocks of what is inconclusive, twice at most. Each look gets a third
  /// of the significance level, so that looking again does not raise the chance of a false alarm.
  ///
  /// - Parameters:
  ///   - deadline: a reading of the monotonic clock, after which no block starts but the first five.
  ///   - start: starts a new pair of processes with the benchmarks of these indices.
  public func run(
    _ names: [String], limits: ComparisonLimits, until deadline: UInt64,
    start: (_ headFirst: Bool, _ indices: [Int]) throws(BenchmarkFailure) -> Pair
  ) throws(BenchmarkFailure) -> [ComparisonRow] {
    var limits = limits
    limits.significance /= Double(Self.looks)
    var samples = [Samples](repeating: Samples(), count: names.count)
    var open = Array(names.indices)
    var blocks = 0..<plan.blocks
    for _ in 0..<Self.looks where !open.isEmpty {
      try extend(&samples, of: open, blocks: blocks, until: deadline, start)
      let rows = samples.rows(names: names, limits: limits)
      open = names.indices.filter { rows[$0].verdict == .inconclusive }
      if MonotonicClock.nanoseconds >= deadline { break }
      blocks = blocks.upperBound..<2 * blocks.upperBound
    }
    return samples.rows(names: names, limits: limits)
  }

  /// The fewest blocks that a test takes.
  private static let fewestBlocks = 5

  private func extend(
    _ samples: inout [Samples], of chosen: [Int], blocks: Range<Int>, until deadline: UInt64,
    _ start: (_ headFirst: Bool, _ indices: [Int]) throws(BenchmarkFailure) -> Pair
  ) throws(BenchmarkFailure) {
    let count = chosen.count
    for block in blocks {
      if block >= Self.fewestBlocks, MonotonicClock.nanoseconds >= deadline { return }
      let pair = try start(!block.isMultiple(of: 2), chosen)
      for step in 0..<count {
        progress(Double((block - blocks.lowerBound) * count + step) / Double(blocks.count * count))
        // Another benchmark goes first in each block.
        let index = (step + block) % count
        try measure(index, pair, into: &samples[chosen[index]], headFirst: !(block / 2).isMultiple(of: 2))
      }
    }
  }

  /// Times the quads of one benchmark in one block.
  private func measure(
    _ index: Int, _ pair: Pair, into samples: inout Samples, headFirst: Bool
  ) throws(BenchmarkFailure) {
    for _ in 0..<plan.warmUpSlices {
      _ = try pair.base.time(index, nanoseconds: plan.slice / 2)
      _ = try pair.head.time(index, nanoseconds: plan.slice / 2)
    }
    var differences: [Double] = []
    for quad in 0..<plan.quads {
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

  private func quad(
    _ index: Int, _ pair: Pair, headFirst: Bool
  ) throws(BenchmarkFailure) -> (base: [Double], head: [Double]) {
    let (outer, inner) = headFirst ? (pair.head, pair.base) : (pair.base, pair.head)
    let first = try outer.time(index, nanoseconds: plan.slice)
    let second = try inner.time(index, nanoseconds: plan.slice)
    let third = try inner.time(index, nanoseconds: plan.slice)
    let fourth = try outer.time(index, nanoseconds: plan.slice)
    return headFirst ? ([second, third], [first, fourth]) : ([first, fourth], [second, third])
  }
}

extension [BlockComparison.Samples] {
  /// Evaluates the samples of all benchmarks together.
  public func rows(names: [String], limits: ComparisonLimits) -> [ComparisonRow] {
    ComparisonRow.evaluate(
      zip(names, self).map { name, samples in
        (
          name, TrimmedTest(differences: samples.differences),
          [OrderStatistics.median(samples.base), OrderStatistics.median(samples.head)]
        )
      }, limits: limits)
  }
}
