/// The numbers of a comparison of builds; see `BlockComparison`.
public struct BlockPlan: Hashable, Sendable {
  /// The number of blocks, that is, of pairs of processes.
  public var blocks: Int
  /// The number of quads per benchmark in each block.
  public var quads: Int
  /// The duration of a slice, in nanoseconds.
  public var slice: UInt64
  /// The number of warm-up slices of each build.
  public var warmUpSlices = 2

  /// Creates a plan.
  public init(blocks: Int, quads: Int, slice: UInt64) {
    self.blocks = blocks
    self.quads = quads
    self.slice = slice
  }

  /// Creates a plan that takes about `seconds` for this number of benchmarks, without the starts of processes.
  ///
  /// Slices take 4 to 20 ms: less than typical disturbances, and much more than waking a process.
  public init(seconds: Double, benchmarks: Int, blocks: Int = 12) {
    let share = seconds / Double(max(1, blocks * benchmarks))
    // A quad and its share of the warm-up.
    let quads = max(2, min(15, Int(share / 0.02 / 5)))
    let slice = share / Double(4 * quads + 2)
    self.init(blocks: blocks, quads: quads, slice: UInt64(min(max(slice, 0.004), 0.02) * 1e9))
  }
}
