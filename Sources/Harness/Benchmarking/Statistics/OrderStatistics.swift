/// Medians and percentiles of samples.
public enum OrderStatistics {
  /// The middle value, or the mean of the two middle ones; zero without samples.
  public static func median(_ samples: [Double]) -> Double {
    guard !samples.isEmpty else { return 0 }
    let sorted = samples.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  /// Whether `count` samples are enough for a percentile: with too few, it is the largest sample.
  public static func carries(_ percent: Double, _ count: Int) -> Bool {
    Int((percent / 100 * Double(count)).rounded(.up)) < count
  }

  /// The smallest sample that at least `percent` of all samples do not exceed (nearest rank); zero without samples.
  ///
  /// - Parameters:
  ///   - percent: 0...100.
  ///   - sorted: in ascending order.
  public static func percentile(_ percent: Double, ofSorted sorted: [Double]) -> Double {
    guard !sorted.isEmpty else { return 0 }
    let rank = (percent / 100 * Double(sorted.count)).rounded(.up)
    return sorted[min(max(Int(rank) - 1, 0), sorted.count - 1)]
  }
}
