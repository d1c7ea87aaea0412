/// A ratio of benchmarks that are measured in the same rounds.
public struct RatioDefinition: Hashable, Sendable {
  /// What is divided.
  public enum Measure: String, Hashable, Sendable {
    /// Operations per second: above 1 the numerator is faster.
    case throughput
    /// Time per operation: above 1 the numerator is slower.
    case time
  }

  /// Its name in reports, `fast over reference`.
  public let name: String
  /// What is divided.
  public let measure: Measure
  /// The benchmark in the numerator.
  public let numerator: String
  /// The benchmarks in the denominator: their times per operation are added.
  public let denominator: [String]
  /// Benchmarks whose times are subtracted from the numerator first, such as the overhead of a protocol.
  public let subtracted: [String]

  /// Creates a ratio of benchmarks by name.
  public init(name: String, measure: Measure, numerator: String, denominator: [String], subtracted: [String] = []) {
    self.name = name
    self.measure = measure
    self.numerator = numerator
    self.denominator = denominator
    self.subtracted = subtracted
  }

  /// All its benchmarks.
  var benchmarks: [String] { [numerator] + denominator + subtracted }

  /// A ratio of times per operation.
  package static func time(_ name: String, _ numerator: String, over denominator: [String]) -> RatioDefinition {
    RatioDefinition(name: name, measure: .time, numerator: numerator, denominator: denominator)
  }

  /// A ratio of operations per second.
  package static func throughput(_ name: String, _ numerator: String, over denominator: [String]) -> RatioDefinition {
    RatioDefinition(name: name, measure: .throughput, numerator: numerator, denominator: denominator)
  }
}
