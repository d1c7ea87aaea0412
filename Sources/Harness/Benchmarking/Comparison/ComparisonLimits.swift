/// The limits for a difference to count.
public struct ComparisonLimits: Hashable, Sendable {
  /// The significance level over all names together.
  public var significance: Double
  /// The smallest change of the median that counts unless a threshold overrides it, as a fraction: 0.03 is 3%.
  public var floor: Double
  /// The reviewed limits.
  public var thresholds: Thresholds

  /// Creates limits.
  public init(significance: Double = 0.01, floor: Double = 0.03, thresholds: Thresholds = Thresholds([])) {
    self.significance = significance
    self.floor = floor
    self.thresholds = thresholds
  }

  /// The floor for a benchmark.
  func floor(of name: String) -> Double { thresholds.mostChange(.timeChange, of: name) ?? floor }
}
