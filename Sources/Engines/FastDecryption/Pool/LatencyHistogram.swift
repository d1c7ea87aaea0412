/// Counts of times in parts of powers of two, four to each, from a microsecond to half a minute.
public struct LatencyHistogram: Hashable, Sendable {
  /// Of each bucket, in nanoseconds, ends included; times above the last are counted in it, so that it has no true bound.
  public static let upperBounds: [UInt64] = (0..<bucketCount).map { index in
    let exponent = lowestExponent + UInt64(index / parts)
    return UInt64(parts + index % parts + 1) << (exponent - partBits)
  }

  /// How many times fell into each bucket.
  public private(set) var counts = [UInt64](repeating: 0, count: bucketCount)
  /// Of all times, in nanoseconds, modulo 2^64.
  public private(set) var sum: UInt64 = 0

  private static var parts: Int { 4 }
  private static var partBits: UInt64 { 2 }
  private static var lowestExponent: UInt64 { 10 }
  private static var highestExponent: UInt64 { 34 }
  private static var bucketCount: Int { Int(highestExponent - lowestExponent + 1) * parts }

  /// Without any times.
  public init() {}

  /// How many times were recorded.
  public var total: UInt64 { counts.reduce(0, +) }

  /// The upper bound of the bucket in which the smallest time lies that at least `percent` of all do not exceed, in
  /// nanoseconds: at most a quarter too large, but for the first and the last bucket. Zero without any times.
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

  /// Counts a time.
  public mutating func record(_ time: Duration) {
    let nanoseconds = Self.nanoseconds(time)
    counts[Self.bucket(of: nanoseconds)] += 1
    sum &+= nanoseconds
  }

  mutating func add(_ other: LatencyHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
    sum &+= other.sum
  }

  /// A time in whole nanoseconds; zero for negative ones, and a century for all that are longer.
  static func nanoseconds(_ time: Duration) -> UInt64 {
    let (seconds, attoseconds) = time.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(min(seconds, 3_155_760_000)) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
  }

  /// Bounds belong to the bucket they end, so the place is that of one nanosecond less.
  private static func bucket(of nanoseconds: UInt64) -> Int {
    let below = max(nanoseconds, 1) - 1
    guard below >= 1 << lowestExponent else { return 0 }
    let exponent = UInt64(63 - below.leadingZeroBitCount)
    guard exponent <= highestExponent else { return bucketCount - 1 }
    let part = Int(below >> (exponent - partBits)) % parts
    return Int(exponent - lowestExponent) * parts + part
  }
}
