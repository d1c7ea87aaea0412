/// A comparison of benchmarks that were measured in the same rounds.
public struct RatioDefinition: Hashable, Sendable {
  /// What is divided.
  public enum Measure: String, Hashable, Sendable {
    /// Operations a second: above 1 the numerator is faster.
    case throughput
    /// Time an operation: above 1 the numerator is slower.
    case time
  }

  /// Its name in reports, `fast over reference`.
  public let name: String
  /// What is divided.
  public let measure: Measure
  /// The benchmark above the line.
  public let numerator: String
  /// The benchmarks below it: their times an operation are added.
  public let denominator: [String]
  /// Benchmarks whose times are taken off the numerator's first: what only carries it.
  public let subtracted: [String]

  /// A comparison of measured benchmarks by name.
  public init(name: String, measure: Measure, numerator: String, denominator: [String], subtracted: [String] = []) {
    self.name = name
    self.measure = measure
    self.numerator = numerator
    self.denominator = denominator
    self.subtracted = subtracted
  }

  /// Time over time.
  package static func time(_ name: String, _ numerator: String, over denominator: [String]) -> RatioDefinition {
    RatioDefinition(name: name, measure: .time, numerator: numerator, denominator: denominator)
  }

  /// Operations a second over operations a second.
  package static func throughput(_ name: String, _ numerator: String, over denominator: [String]) -> RatioDefinition {
    RatioDefinition(name: name, measure: .throughput, numerator: numerator, denominator: denominator)
  }
}
