/// The result of one benchmark. Times are nanoseconds per operation.
public struct BenchmarkResult: Hashable, Sendable {
  /// The benchmark's name.
  public let name: String
  /// The name of one operation.
  public let unit: String
  /// A remark for reports.
  public let note: String?
  /// The number of timed operations.
  public let iterations: Int
  /// The rate from the median.
  public let operationsPerSecond: Double
  /// The median over all slices.
  public let p50: Double
  /// The 90th percentile.
  public let p90: Double
  /// The 99th percentile.
  public let p99: Double
  /// The 99.9th percentile.
  public let p999: Double
  /// The slowest slice.
  public let maximum: Double
  /// The number of timed slices; nil if unknown.
  public let sampleCount: Int?
  /// Allocations; nil if they could not be counted.
  public private(set) var allocations: AllocationCounts?
  /// The median of each round, in order, for paired comparisons.
  public let roundMedians: [Double]

  /// Creates a result.
  public init(
    name: String, unit: String, note: String? = nil, iterations: Int, operationsPerSecond: Double,
    p50: Double, p90: Double, p99: Double, p999: Double, maximum: Double,
    sampleCount: Int? = nil, allocations: AllocationCounts?, roundMedians: [Double]
  ) {
    self.name = name
    self.unit = unit
    self.note = note
    self.iterations = iterations
    self.operationsPerSecond = operationsPerSecond
    self.p50 = p50
    self.p90 = p90
    self.p99 = p99
    self.p999 = p999
    self.maximum = maximum
    self.sampleCount = sampleCount
    self.allocations = allocations
    self.roundMedians = roundMedians
  }

  /// The same result with the lesser allocation counts of both.
  func countedLeast(with other: BenchmarkResult) -> BenchmarkResult {
    guard let mine = allocations, let others = other.allocations else { return self }
    var result = self
    result.allocations = .least(mine, others)
    return result
  }

  /// The 99th percentile; nil if there are too few samples for it to differ from the maximum.
  public var significantP99: Double? { sampleCount.map { OrderStatistics.carries(99, $0) } ?? true ? p99 : nil }

  /// The 99.9th percentile, likewise.
  public var significantP999: Double? { sampleCount.map { OrderStatistics.carries(99.9, $0) } ?? true ? p999 : nil }
}
