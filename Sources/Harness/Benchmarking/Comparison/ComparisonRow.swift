import HostIO

/// The comparison of one benchmark.
public struct ComparisonRow: Hashable, Sendable {
  /// The benchmark's name.
  public let name: String
  /// The verdict.
  public let verdict: Verdict
  /// The estimated change of the time as a fraction: 0.05 is 5% slower. Nil if too few values were measured.
  public let change: Double?
  /// The 95% confidence interval of the change.
  public let interval: ClosedRange<Double>?
  /// The p-value, corrected for the number of names.
  public let probability: Double?
  /// The median nanoseconds per operation, before and after.
  public let medians: [Double]
  /// The slowdown that this measurement would have found in nine of ten cases, as a fraction.
  public let detectable: Double?

  /// Creates a row.
  public init(
    name: String, verdict: Verdict, change: Double? = nil, interval: ClosedRange<Double>? = nil,
    probability: Double? = nil, medians: [Double] = [], detectable: Double? = nil
  ) {
    self.name = name
    self.verdict = verdict
    self.change = change
    self.interval = interval
    self.probability = probability
    self.medians = medians
    self.detectable = detectable
  }

  /// Evaluates tests of differences of logarithms, with a correction for their number.
  ///
  /// - Parameter tests: a test is nil if there were too few values.
  public static func evaluate(
    _ tests: [(name: String, test: TrimmedTest?, medians: [Double])], limits: ComparisonLimits
  ) -> [ComparisonRow] {
    let adjusted = HolmCorrection.adjusted(tests.map { $0.test?.probability ?? 1 })
    return zip(tests, adjusted).map { entry, probability in
      guard let test = entry.test else {
        return ComparisonRow(name: entry.name, verdict: .inconclusive, medians: entry.medians)
      }
      let interval = test.interval(confidence: 0.95)
      let (low, high) = (exp(interval.lowerBound) - 1, exp(interval.upperBound) - 1)
      let change = exp(test.estimate) - 1
      let floor = limits.floor(of: entry.name)
      let verdict = verdict(change, low...high, probability, limits, floor: floor)
      let detectable = test.detectable(significance: limits.significance / Double(tests.count), floor: log(1 + floor))
      return ComparisonRow(
        name: entry.name, verdict: verdict, change: change, interval: low...high, probability: probability,
        medians: entry.medians, detectable: exp(detectable) - 1)
    }
  }

  private static func verdict(
    _ change: Double, _ interval: ClosedRange<Double>, _ probability: Double, _ limits: ComparisonLimits,
    floor: Double
  ) -> Verdict {
    let isCertain = probability <= limits.significance
    if isCertain, change > floor { return .regressed }
    // The floor applies to the ratio of times in both directions: 1/(1+change) is the inverse ratio.
    if isCertain, 1 / (1 + change) - 1 > floor { return .improved }
    let isWithin = interval.upperBound <= floor && interval.lowerBound >= 1 / (1 + floor) - 1
    return isWithin || (isCertain && abs(change) <= floor) ? .unchanged : .inconclusive
  }
}

/// The verdict of a comparison about one benchmark.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  /// Slower, significantly and by more than the floor: a finding.
  case regressed
  /// Faster, significantly and by more than the floor.
  case improved
  /// The 95% interval lies within the floor, or a significant difference does.
  case unchanged
  /// Too noisy to decide.
  case inconclusive
  /// Present in the base only: a finding.
  case missing

  /// Whether it is a finding.
  public var isFinding: Bool { self == .regressed || self == .missing }
}

/// The limits for a difference to count.
public struct ComparisonLimits: Hashable, Sendable {
  /// The significance level over all names together.
  public var significance = 0.01
  /// The smallest change of the time that counts unless a threshold overrides it, as a fraction: 0.03 is 3%.
  public var floor = 0.03
  /// The reviewed limits.
  public var thresholds: Thresholds

  /// Creates limits.
  public init(thresholds: Thresholds = Thresholds([])) { self.thresholds = thresholds }

  func floor(of name: String) -> Double { thresholds.mostChange(.timeChange, of: name) ?? floor }
}

/// Holm's step-down correction for multiple tests, which bounds the chance of any false positive.
public enum HolmCorrection {
  /// The adjusted p-values, in the order given (Holm 1979). Each can be compared with the overall significance level.
  public static func adjusted(_ probabilities: [Double]) -> [Double] {
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    var adjusted = probabilities
    var largest = 0.0
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, probabilities[index] * Double(probabilities.count - rank)))
      adjusted[index] = largest
    }
    return adjusted
  }
}
