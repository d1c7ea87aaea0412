#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Times two builds of the same benchmarks in turns and tests the differences.
public struct BlockComparison {
  /// A pair of sources that know the benchmarks by the same indices.
  public typealias Pair = (base: any SliceSource, head: any SliceSource)

  /// How the builds are timed.
  public let plan: BlockPlan
  /// Told before each benchmark of a block how much of all is done, 0...1.
  public let progress: (_ fraction: Double) -> Void

  /// A comparison to be run.
  public init(plan: BlockPlan, progress: @escaping (_ fraction: Double) -> Void = { _ in }) {
    self.plan = plan
    self.progress = progress
  }

  /// The differences of logarithms, one a block, and the medians over all slices.
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
  ///   - start: makes a new pair of sources; told whether the head is to be started first.
  public func run(
    _ count: Int, start: (_ headFirst: Bool) throws(BenchmarkFailure) -> Pair
  ) throws(BenchmarkFailure) -> [Samples] {
    var samples = [Samples](repeating: Samples(), count: count)
    for block in 0..<plan.blocks {
      let pair = try start(!block.isMultiple(of: 2))
      for step in 0..<count {
        progress(Double(block * count + step) / Double(plan.blocks * count))
        // Another benchmark goes first in each block.
        let index = (step + block) % count
        try measure(index, pair, into: &samples[index], headFirst: !(block / 2).isMultiple(of: 2))
      }
    }
    return samples
  }

  /// One benchmark's quads of one block.
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
  /// Judges the samples of these benchmarks, all of them together.
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
