/// A ratio of medians over paired rounds, with the interval that holds it 95 times in 100.
///
/// Rounds are drawn again with replacement, pairs kept together, so that what slows a whole round down cancels out (Efron's
/// percentile bootstrap).
public struct BootstrapInterval: Hashable, Sendable {
  /// The ratio of the medians.
  public let ratio: Double
  /// The 2.5th percentile of the resampled ratios.
  public let low: Double
  /// The 97.5th percentile of the resampled ratios.
  public let high: Double

  /// Divides the median of `numerators` by the median of `denominators`.
  ///
  /// - Parameters:
  ///   - numerators: one sample a round, positive.
  ///   - denominators: the samples of the same rounds, as many.
  ///   - resamples: how often rounds are drawn again.
  /// - Returns: nil without rounds, with unpaired ones, or when a denominator's median is zero.
  public init?(numerators: [Double], denominators: [Double], seed: UInt64, resamples: Int = 2_000) {
    guard !numerators.isEmpty, numerators.count == denominators.count else { return nil }
    let bottom = OrderStatistics.median(denominators)
    guard bottom > 0 else { return nil }
    ratio = OrderStatistics.median(numerators) / bottom

    var generator = SplitMix64(seed: seed)
    var ratios: [Double] = []
    ratios.reserveCapacity(resamples)
    var above = numerators
    var below = denominators
    for _ in 0..<resamples {
      for position in numerators.indices {
        let drawn = Int.random(in: 0..<numerators.count, using: &generator)
        above[position] = numerators[drawn]
        below[position] = denominators[drawn]
      }
      let median = OrderStatistics.median(below)
      if median > 0 { ratios.append(OrderStatistics.median(above) / median) }
    }
    ratios.sort()
    low = OrderStatistics.percentile(2.5, ofSorted: ratios)
    high = OrderStatistics.percentile(97.5, ofSorted: ratios)
  }
}
