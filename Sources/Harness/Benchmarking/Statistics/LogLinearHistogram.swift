/// A histogram of times with equal bins within each power of two: bounded memory and a bounded relative error of
/// percentiles for any number of samples.
///
/// A bin is represented by its middle, so percentiles from 4 ns on are off by at most one part in `2 × parts`, 0.2%.
public struct LogLinearHistogram: Hashable, Sendable {
  /// Bins per power of two.
  public static let parts = 256
  /// The unit is 1/64 ns, so that operations of a few nanoseconds are distinguished.
  private static let unitsPerNanosecond = 64.0
  private static let partBits = 8

  private var counts: [UInt32] = []
  /// The number of values added.
  public private(set) var total = 0
  /// The largest value added, exactly.
  public private(set) var maximum = 0.0

  /// Creates an empty histogram.
  public init() {}

  /// Creates an empty histogram with bins for times up to `nanoseconds`, so that adding these does not grow it.
  init(upTo nanoseconds: Double) {
    counts = [UInt32](repeating: 0, count: Self.index(of: nanoseconds) + 1)
  }

  /// Removes all values and keeps the capacity.
  mutating func removeAll() {
    for index in counts.indices { counts[index] = 0 }
    total = 0
    maximum = 0
  }

  /// Adds a time in nanoseconds; negative ones count as zero.
  public mutating func add(_ nanoseconds: Double) {
    let index = Self.index(of: nanoseconds)
    if index >= counts.count { counts += [UInt32](repeating: 0, count: index + 1 - counts.count) }
    counts[index] &+= 1
    total += 1
    maximum = max(maximum, nanoseconds)
  }

  /// The smallest time that at least `percent` of all values do not exceed, within the error; zero without values.
  public func percentile(_ percent: Double) -> Double {
    guard total > 0 else { return 0 }
    let rank = max(1, Int((percent / 100 * Double(total)).rounded(.up)))
    var seen = 0
    for (index, count) in counts.enumerated() {
      seen += Int(count)
      if seen >= rank { return min(Self.middle(of: index), maximum) }
    }
    return maximum
  }

  private static func index(of nanoseconds: Double) -> Int {
    let units = UInt64(min(max(nanoseconds, 0) * unitsPerNanosecond, 9e18))
    // Small values have one bin per unit.
    guard units >= UInt64(2 * parts) else { return Int(units) }
    let exponent = 63 - units.leadingZeroBitCount - partBits
    return exponent * parts + Int(units >> UInt64(exponent))
  }

  private static func middle(of index: Int) -> Double {
    guard index >= 2 * parts else { return (Double(index) + 0.5) / unitsPerNanosecond }
    let exponent = index / parts - 1
    let start = UInt64(index - exponent * parts) << UInt64(exponent)
    return (Double(start) + Double(UInt64(1) << UInt64(exponent)) / 2) / unitsPerNanosecond
  }
}
