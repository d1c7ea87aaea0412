#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What was found of one benchmark.
public struct ComparisonRow: Hashable, Sendable {
  /// The benchmark's name.
  public let name: String
  /// What it means.
  public let verdict: Verdict
  /// The change of the median as a fraction: 0.05 is 5% slower. Nil when it was not measured twice.
  public let change: Double?
  /// The 95% interval of the change.
  public let interval: ClosedRange<Double>?
  /// How likely so large a change is by chance, corrected for the number of names.
  public let probability: Double?
  /// Median nanoseconds an operation, before and after: they depend on the machine, the change hardly does.
  public let medians: [Double]

  /// A row of these figures.
  public init(
    name: String, verdict: Verdict, change: Double? = nil, interval: ClosedRange<Double>? = nil,
    probability: Double? = nil, medians: [Double] = []
  ) {
    self.name = name
    self.verdict = verdict
    self.change = change
    self.interval = interval
    self.probability = probability
    self.medians = medians
  }

  /// Judges tests of differences of logarithms, all of them together.
  ///
  /// - Parameter tests: nil where there was too little to test.
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
      let verdict = verdict(change, low...high, probability, limits, floor: limits.floor(of: entry.name))
      return ComparisonRow(
        name: entry.name, verdict: verdict, change: change, interval: low...high, probability: probability,
        medians: entry.medians)
    }
  }

  private static func verdict(
    _ change: Double, _ interval: ClosedRange<Double>, _ probability: Double, _ limits: ComparisonLimits,
    floor: Double
  ) -> Verdict {
    let isCertain = probability <= limits.significance
    if isCertain, change > floor { return .regressed }
    // A third more speed is a quarter less time: the floor is the same in both directions of the ratio.
    if isCertain, 1 / (1 + change) - 1 > floor { return .improved }
    let isWithin = interval.upperBound <= floor && interval.lowerBound >= 1 / (1 + floor) - 1
    return isWithin || (isCertain && abs(change) <= floor) ? .unchanged : .inconclusive
  }
}
