import HostIO

/// The median ratio of paired rounds, or the median of samples, with a 95% confidence interval.
///
/// The ratio is computed per round, so that the speed of the machine in that round cancels out. A ratio of two medians
/// would compare a slow round of one benchmark with a fast round of the other. The interval is Efron's percentile
/// bootstrap: the rounds' ratios are resampled with replacement.
public struct BootstrapInterval: Hashable, Sendable {
  /// The median of the rounds' ratios, or of the samples.
  public let ratio: Double
  /// The 2.5th percentile of the resampled medians, but at most `ratio`.
  public let low: Double
  /// The 97.5th percentile of the resampled medians, but at least `ratio`.
  public let high: Double

  /// Divides `numerators` by `denominators`, round by round.
  ///
  /// - Parameters:
  ///   - numerators: one sample per round.
  ///   - denominators: the samples of the same rounds, above zero.
  ///   - resamples: the number of bootstrap samples.
  /// - Returns: nil without rounds, if the counts differ, or if a denominator is not above zero.
  public init?(numerators: [Double], denominators: [Double], seed: UInt64, resamples: Int = 2_000) {
    guard !numerators.isEmpty, numerators.count == denominators.count, denominators.allSatisfy({ $0 > 0 }) else {
      return nil
    }
    let ratios = zip(numerators, denominators).map { $0 / $1 }
    var generator = SplitMix64(seed: seed)
    var medians: [Double] = []
    medians.reserveCapacity(resamples)
    var drawn = ratios
    for _ in 0..<resamples {
      for position in ratios.indices { drawn[position] = ratios[Int.random(in: ratios.indices, using: &generator)] }
      medians.append(OrderStatistics.median(drawn))
    }
    medians.sort()
    ratio = OrderStatistics.median(ratios)
    low = min(ratio, OrderStatistics.percentile(2.5, ofSorted: medians))
    high = max(ratio, OrderStatistics.percentile(97.5, ofSorted: medians))
  }

  /// The median of samples, one per round.
  public init?(samples: [Double], seed: UInt64) {
    self.init(numerators: samples, denominators: samples.map { _ in 1 }, seed: seed)
  }
}
