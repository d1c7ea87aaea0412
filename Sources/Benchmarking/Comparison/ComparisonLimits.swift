/// When a difference counts.
public struct ComparisonLimits: Hashable, Sendable {
  /// The smallest change of the median that counts, as a fraction: 0.03 is 3%.
  public var floor: Double
  /// How likely a difference may be by chance, over all names together, and still count.
  public var significance: Double

  /// Limits; see the properties.
  public init(floor: Double = 0.03, significance: Double = 0.01) {
    self.floor = floor
    self.significance = significance
  }
}
