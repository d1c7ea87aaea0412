/// Predicts the throughput of many cores that write the same cache lines.
///
/// A closed network of queues (mean value analysis: Reiser and Lavenberg, 1980). Each core computes, writes to a line,
/// computes, and so on. A line serves one core at a time, in the order of their arrival, and takes `transfer` to move to
/// it, unless the core wrote the line last itself: so (N − 1)/N of `transfer` on average, with N cores that write equally
/// often. Nothing else is shared: memory bandwidth, caches and the clock frequency of many cores are not modelled.
public struct CoreModel: Hashable, Sendable {
  /// Nanoseconds of an operation on one core.
  public let alone: Double
  /// Writes of an operation to each line.
  public let lines: [Double]
  /// Nanoseconds until a line that another core wrote last can be written.
  public let transfer: Double

  /// Creates a model.
  public init(alone: Double, lines: [Double], transfer: Double) {
    self.alone = alone
    self.lines = lines
    self.transfer = transfer
  }

  /// Operations per second of all cores together.
  public func operationsPerSecond(cores: Int) -> Double {
    guard cores > 1 else { return 1e9 / alone }
    let service = transfer * Double(cores - 1) / Double(cores)
    /// How many cores wait for each line, or write it.
    var waiting = [Double](repeating: 0, count: lines.count)
    var rate = 1 / alone
    for customers in 1...cores {
      let times = zip(lines, waiting).map { writes, others in writes * service * (1 + others) }
      rate = Double(customers) / (alone + times.reduce(0, +))
      waiting = times.map { rate * $0 }
    }
    return rate * 1e9
  }
}
