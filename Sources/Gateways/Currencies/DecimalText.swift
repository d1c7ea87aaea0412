/// An amount in decimals as written: digits with at most one point, no sign, no exponent, no leading zero; any size and
/// any number of decimals.
struct DecimalText: Hashable, Sendable {
  /// The digits before the point; at least one.
  let whole: String
  /// The digits after the point, trailing zeros included.
  let decimals: String

  init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDecimalDigit) }),
      parts[0].utf8.count == 1 || parts[0].utf8.first != UInt8(ascii: "0")
    else { return nil }
    whole = String(parts[0])
    decimals = parts.count > 1 ? String(parts[1]) : ""
  }

  var isWhole: Bool { decimals.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }

  var isZero: Bool { whole == "0" && isWhole }

  func isEqual(to other: DecimalText) -> Bool { !isLess(than: other) && !other.isLess(than: self) }

  func isLess(than other: DecimalText) -> Bool {
    guard whole.utf8.count == other.whole.utf8.count else { return whole.utf8.count < other.whole.utf8.count }
    // The first digit that differs decides; missing decimals are zeros.
    let width = max(decimals.utf8.count, other.decimals.utf8.count)
    return (whole + padded(to: width)).utf8.lexicographicallyPrecedes((other.whole + other.padded(to: width)).utf8)
  }

  private func padded(to width: Int) -> String { decimals + String(repeating: "0", count: width - decimals.utf8.count) }
}
