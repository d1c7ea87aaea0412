/// How many blocks, quads and slices a comparison of builds has; `BlockComparison.swift` explains them.
public struct BlockPlan: Hashable, Sendable {
  /// The number of blocks, each with a new pair of processes.
  public var blocks: Int
  /// The number of quads of each benchmark in a block.
  public var quads: Int
  /// The duration of a slice, in nanoseconds.
  public var slice: UInt64
  /// The number of warm-up slices of each benchmark and build in a block; each has half the duration of a slice.
  public var warmUpSlices = 2

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - blocks: the number of blocks.
  ///   - quads: the number of quads of each benchmark in a block.
  ///   - slice: the duration of a slice, in nanoseconds.
  public init(blocks: Int, quads: Int, slice: UInt64) {
    self.blocks = blocks
    self.quads = quads
    self.slice = slice
  }

  /// Creates a plan that takes `seconds` for this number of benchmarks, not counting the starts of processes.
  ///
  /// Slices take 4 to 20 ms: less than typical disturbances, and much more than waking a process. A block has 2 to 15
  /// quads of each benchmark, so a plan for very few seconds takes longer, and one for very many takes less.
  public init(seconds: Double, benchmarks: Int, blocks: Int = 12) {
    let share = seconds / Double(max(1, blocks * benchmarks))
    // A quad has four slices. The warm-up takes as long as two: two half slices of each build.
    let quads = max(2, min(15, Int(((share / 0.02 - 2) / 4).rounded(.up))))
    let slice = share / Double(4 * quads + 2)
    self.init(blocks: blocks, quads: quads, slice: UInt64(min(max(slice, 0.004), 0.02) * 1e9))
  }
}

/// Times benchmarks on request: another process with its own build of them.
public protocol SliceSource: AnyObject {
  /// Repeats the benchmark at `index` for about this long.
  ///
  /// - Returns: the median time of an operation, in nanoseconds.
  func time(_ index: Int, nanoseconds: UInt64) throws(BenchmarkFailure) -> Double
}
