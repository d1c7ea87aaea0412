/// What was measured of one benchmark. Times are nanoseconds an operation.
public struct BenchmarkResult: Hashable, Sendable {
  /// The benchmark's name.
  public let name: String
  /// What one operation is called.
  public let unit: String
  /// What there is to say beside the name.
  public let note: String?
  /// Operations timed.
  public let iterations: Int
  /// From the median; under open-loop load the arrivals.
  public let operationsPerSecond: Double
  /// Whether operations began at times of their own; their times then are from arrival to answer.
  public let isOpenLoop: Bool
  /// Percentiles and maximum over all slices.
  public let p50: Double
  /// The 90th percentile.
  public let p90: Double
  /// The 99th percentile.
  public let p99: Double
  /// The 99.9th percentile.
  public let p999: Double
  /// The slowest slice.
  public let maximum: Double
  /// Nil when they could not be counted.
  public let allocations: AllocationCounts?
  /// The median of each round, in order: what comparisons pair.
  public let roundMedians: [Double]

  /// A result of these figures.
  public init(
    name: String, unit: String, note: String? = nil, iterations: Int, operationsPerSecond: Double,
    isOpenLoop: Bool = false, p50: Double, p90: Double, p99: Double, p999: Double, maximum: Double,
    allocations: AllocationCounts?, roundMedians: [Double]
  ) {
    self.name = name
    self.unit = unit
    self.note = note
    self.iterations = iterations
    self.operationsPerSecond = operationsPerSecond
    self.isOpenLoop = isOpenLoop
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.p999 = p999
    self.maximum = maximum
    self.allocations = allocations
    self.roundMedians = roundMedians
  }
}
