/// How two builds are timed in turns.
///
/// A block starts both anew, so that where a run happens to put its code and data is drawn again each time. Within a block
/// the slices of a quad go base, head, head, base: a machine that slows down evenly slows both alike.
public struct BlockPlan: Hashable, Sendable {
  /// Pairs of processes: the test is on one number from each.
  public var blocks: Int
  /// Quads of slices a benchmark in each block.
  public var quads: Int
  /// How long a slice is, in nanoseconds.
  public var slice: UInt64
  /// Slices of each before the first that counts.
  public var warmUpSlices = 2

  /// A plan of this size.
  public init(blocks: Int, quads: Int, slice: UInt64) {
    self.blocks = blocks
    self.quads = quads
    self.slice = slice
  }

  /// The plan that takes about `seconds` for so many benchmarks, the starts of processes not counted.
  ///
  /// Slices stay between 4 and 20 ms: shorter than the spells in which a machine is slow, longer than what wakes a process.
  public init(seconds: Double, benchmarks: Int, blocks: Int = 12) {
    let share = seconds / Double(max(1, blocks * benchmarks))
    // A quad and its share of the warm-up.
    let quads = max(2, min(15, Int(share / 0.02 / 5)))
    let slice = share / Double(4 * quads + 2)
    self.init(blocks: blocks, quads: quads, slice: UInt64(min(max(slice, 0.004), 0.02) * 1e9))
  }
}
