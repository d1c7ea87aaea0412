/// What was measured of one benchmark. Times are nanoseconds an operation.
public struct BenchmarkResult: Hashable, Sendable {
  public let name: String
  public let unit: String
  /// Operations timed.
  public let iterations: Int
  /// From the median.
  public let operationsPerSecond: Double
  /// Percentiles and maximum over all slices.
  public let p50: Double
  public let p90: Double
  public let p99: Double
  public let maximum: Double
  /// Nil when they could not be counted.
  public let allocations: AllocationCounts?
  /// The median of each round, in order: what comparisons pair.
  public let roundMedians: [Double]

  public init(
    name: String, unit: String, iterations: Int, operationsPerSecond: Double, p50: Double, p90: Double, p99: Double,
    maximum: Double, allocations: AllocationCounts?, roundMedians: [Double]
  ) {
    self.name = name
    self.unit = unit
    self.iterations = iterations
    self.operationsPerSecond = operationsPerSecond
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.maximum = maximum
    self.allocations = allocations
    self.roundMedians = roundMedians
  }
}
