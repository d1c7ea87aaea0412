/// When a difference counts.
public struct ComparisonLimits: Hashable, Sendable {
  /// How likely a difference may be by chance, over all names together, and still count.
  public var significance: Double
  /// The smallest change of the median that counts where no threshold says otherwise, as a fraction: 0.03 is 3%.
  public var floor: Double
  /// The reviewed limits.
  public var thresholds: Thresholds

  /// Limits; see the properties.
  public init(significance: Double = 0.01, floor: Double = 0.03, thresholds: Thresholds = Thresholds([])) {
    self.significance = significance
    self.floor = floor
    self.thresholds = thresholds
  }

  /// The floor for a benchmark.
  func floor(of name: String) -> Double { thresholds.mostChange(.timeChange, of: name) ?? floor }
}
