import HostIO

/// The median ratio of paired rounds, with the interval that holds it 95 times in 100.
///
/// Each round's ratio is taken first: what slows a whole round down cancels out, where a ratio of two medians would compare
/// a slow round of one with a fast one of the other. Ratios are drawn again with replacement (Efron's percentile bootstrap).
public struct BootstrapInterval: Hashable, Sendable {
  /// The median of the rounds' ratios.
  public let ratio: Double
  /// The 2.5th percentile of the resampled medians.
  public let low: Double
  /// The 97.5th percentile of the resampled medians.
  public let high: Double

  /// Divides `numerators` by `denominators`, round by round.
  ///
  /// - Parameters:
  ///   - numerators: one sample a round, positive.
  ///   - denominators: the samples of the same rounds, as many.
  ///   - resamples: how often rounds are drawn again.
  /// - Returns: nil without rounds, with unpaired ones, or when a denominator is zero.
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

  /// An interval as it was saved.
  public init(ratio: Double, low: Double, high: Double) {
    self.ratio = ratio
    self.low = low
    self.high = high
  }
}
