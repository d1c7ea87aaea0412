#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The scale of a plot's values, with round numbers as ticks. Both ends are ticks.
struct Axis {
  let ticks: [Double]
  private let isLogarithmic: Bool

  /// What a plot says below a logarithmic scale.
  static let logarithmicNote = "Logarithmic scale, which does not begin at zero."

  /// From at most `least` to at least `most`, with about six ticks. The scale spans at least 2% of `most`, so that
  /// noise does not fill a scale that does not begin at zero.
  init(linearFrom least: Double, to most: Double) {
    let span = max(most - least, most / 50, .leastNonzeroMagnitude)
    let most = max(most, least + span)
    let power = pow(10, log10(span / 4).rounded(.down))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 * 5 >= span } ?? span
    let first = (least / step).rounded(.down) * step
    ticks = (0...6).map { first + Double($0) * step }.prefix { $0 < most + step * 0.999 }.map { $0 }
    isLogarithmic = false
  }

  /// From at most `least` to at least `most`, both positive: 1, 2 and 5 times powers of ten if those are 3 to 6 ticks,
  /// else the powers alone.
  init(logarithmicFrom least: Double, to most: Double) {
    let first = Int(log10(least).rounded(.down))
    let last = max(first, Int(log10(most).rounded(.up)))
    let all = (first...last).flatMap { exponent in [1, 2, 5].map { $0 * pow(10, Double(exponent)) } }
    // A little room, because powers are rounded.
    let low = all.lastIndex { $0 <= least * 1.000001 } ?? 0
    let high = all.firstIndex { $0 >= most * 0.999999 } ?? all.count - 1
    let few = Array(all[low...max(low, high)])
    let powers = (first...max(last, first + 1)).map { pow(10, Double($0)) }
    ticks = (3...6).contains(few.count) ? few : powers
    isLogarithmic = true
  }

  /// How many decimals tell the ticks apart.
  var decimals: Int {
    guard let low = ticks.first, let next = ticks.dropFirst().first, next > low else { return 0 }
    return min(9, max(0, Int((-log10(next - low)).rounded(.up))))
  }

  /// Where a value is between the first tick, 0, and the last, 1.
  func place(_ value: Double) -> Double {
    guard let low = ticks.first, let high = ticks.last, high > low else { return 0 }
    let place = isLogarithmic ? log(max(value, low) / low) / log(high / low) : (value - low) / (high - low)
    return max(0, min(1, place))
  }
}
