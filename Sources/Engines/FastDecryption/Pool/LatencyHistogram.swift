/// A histogram of durations from a microsecond to half a minute, with four buckets for each power of two.
public struct LatencyHistogram: Hashable, Sendable {
  /// The inclusive upper bound of each bucket, in nanoseconds. The last bucket also counts all longer durations.
  public static let upperBounds: [UInt64] = (0..<bucketCount).map { index in
    let exponent = lowestExponent + UInt64(index / parts)
    return UInt64(parts + index % parts + 1) << (exponent - partBits)
  }

  /// The number of durations in each bucket.
  public private(set) var counts = [UInt64](repeating: 0, count: bucketCount)
  /// The sum of all durations, in nanoseconds, modulo 2^64.
  public private(set) var sum: UInt64 = 0

  private static var parts: Int { 4 }
  private static var partBits: UInt64 { 2 }
  private static var lowestExponent: UInt64 { 10 }
  private static var highestExponent: UInt64 { 34 }
  private static var bucketCount: Int { Int(highestExponent - lowestExponent + 1) * parts }

  /// Creates an empty histogram.
  package init() {}

  /// The number of recorded durations.
  public var total: UInt64 { counts.reduce(0, +) }

  /// The upper bound of the bucket that contains a percentile (nearest rank), in nanoseconds. Exceeds the exact value
  /// by at most a quarter, except in the first and the last bucket.
  ///
  /// - Parameter percent: 0...100; values outside are clamped.
  /// - Returns: zero if the histogram is empty.
  public func percentile(_ percent: Double) -> UInt64 {
    let total = total
    guard total > 0 else { return 0 }
    let share = percent > 0 ? min(percent, 100) / 100 : 0
    let rank = max(1, UInt64((share * Double(total)).rounded(.up)))
    var seen: UInt64 = 0
    for (index, count) in counts.enumerated() {
      seen += count
      if seen >= rank { return Self.upperBounds[index] }
    }
    return Self.upperBounds[Self.bucketCount - 1]
  }

  /// Records a duration; a negative one counts as zero.
  package mutating func record(_ time: Duration) {
    let nanoseconds = time.wholeNanoseconds
    counts[Self.bucket(of: nanoseconds)] += 1
    sum &+= nanoseconds
  }

  mutating func add(counts others: [UInt64], sum otherSum: UInt64) {
    for index in counts.indices { counts[index] += others[index] }
    sum &+= otherSum
  }

  /// Upper bounds are inclusive, so the index is computed from one nanosecond less.
  static func bucket(of nanoseconds: UInt64) -> Int {
    let below = max(nanoseconds, 1) - 1
    guard below >= 1 << lowestExponent else { return 0 }
    let exponent = UInt64(63 - below.leadingZeroBitCount)
    guard exponent <= highestExponent else { return bucketCount - 1 }
    let part = Int(below >> (exponent - partBits)) % parts
    return Int(exponent - lowestExponent) * parts + part
  }
}

extension Duration {
  /// The duration in whole nanoseconds, clamped to 0...a century.
  var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(min(seconds, 3_155_760_000)) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
  }
}
