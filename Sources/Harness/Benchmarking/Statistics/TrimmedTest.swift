/// Yuen's t test on a trimmed mean: whether values differ from zero, or two samples from each other.
///
/// The lowest and the highest fifth are trimmed. A block during which the machine was busy with something else is an
/// outlier; it could cause or hide a difference in a test on all values. The standard error comes from the winsorized
/// variance (Yuen 1974, "The two-sample trimmed t for unequal population variances").
public struct TrimmedTest: Hashable, Sendable {
  /// The trimmed mean: that of the middle three fifths.
  public let estimate: Double
  /// Its standard error.
  public let standardError: Double
  /// Degrees of freedom.
  public let freedom: Double

  private static let trimmedShare = 0.2

  /// The two-sided p-value.
  public var probability: Double {
    guard standardError > 0 else { return estimate == 0 ? 1 : 0 }
    return StudentDistribution.twoSided(estimate / standardError, freedom: freedom)
  }

  /// The confidence interval, for a confidence in 0..<1.
  public func interval(confidence: Double) -> ClosedRange<Double> {
    let margin = StudentDistribution.quantile(twoSided: 1 - confidence, freedom: freedom) * standardError
    return (estimate - margin)...(estimate + margin)
  }

  /// The smallest difference that a sample like this shows with a probability of 90%. To show it, the estimate must
  /// exceed both `floor` and the margin of the significance level.
  func detectable(significance: Double, floor: Double) -> Double {
    let certain = StudentDistribution.quantile(twoSided: significance, freedom: freedom) * standardError
    return max(certain, floor) + StudentDistribution.quantile(twoSided: 0.2, freedom: freedom) * standardError
  }

  /// The trimmed statistics of one sample.
  fileprivate struct Part {
    let mean: Double
    /// The squared standard error of the mean.
    let variance: Double
    let freedom: Double

    init?(_ values: [Double]) {
      guard values.count >= 5 else { return nil }
      let sorted = values.sorted()
      let trimmed = Int(TrimmedTest.trimmedShare * Double(sorted.count))
      let kept = sorted[trimmed..<(sorted.count - trimmed)]
      mean = kept.reduce(0, +) / Double(kept.count)
      // Winsorized: trimmed values count as the nearest value kept.
      let lowest = kept[kept.startIndex]
      let highest = kept[kept.endIndex - 1]
      let drawn = sorted.map { min(max($0, lowest), highest) }
      let center = drawn.reduce(0, +) / Double(drawn.count)
      let squares = drawn.reduce(0) { $0 + ($1 - center) * ($1 - center) }
      let size = Double(kept.count)
      variance = squares / (size * (size - 1))
      freedom = size - 1
    }
  }
}

extension TrimmedTest {
  /// Tests differences against zero.
  ///
  /// - Returns: nil with fewer than five values.
  public init?(differences values: [Double]) {
    guard let part = Part(values) else { return nil }
    self.init(estimate: part.mean, standardError: part.variance.squareRoot(), freedom: part.freedom)
  }

  /// Tests the difference of two unpaired samples.
  ///
  /// - Returns: nil if either has fewer than five values.
  public init?(of values: [Double], less others: [Double]) {
    guard let part = Part(values), let other = Part(others) else { return nil }
    let variance = part.variance + other.variance
    let freedom =
      variance > 0
      ? variance * variance
        / (part.variance * part.variance / part.freedom + other.variance * other.variance / other.freedom)
      : min(part.freedom, other.freedom)
    self.init(estimate: part.mean - other.mean, standardError: variance.squareRoot(), freedom: freedom)
  }
}
