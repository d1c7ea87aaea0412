public import StrictJSON

extension JSON {
  /// A number with this many decimals; null if it is not finite.
  public static func decimal(_ value: Double, digits: Int) -> JSON {
    value.isFinite ? .number(value.fixed(digits)) : .null
  }

  /// A number with one decimal.
  public static func tenths(_ value: Double) -> JSON { .decimal(value, digits: 1) }

  /// A count that a file gives, up to 2^53, so that sums do not overflow; nil for any other value.
  public var count: Int? { integer().flatMap { (0...1 << 53).contains($0) ? $0 : nil } }

  /// A time that a file gives, up to 300 years; nil for any other value.
  public var seconds: Double? { number.flatMap { (0...1e10).contains($0) ? $0 : nil } }

  /// A number with three decimals.
  public static func thousandths(_ value: Double) -> JSON { .decimal(value, digits: 3) }
}

extension Double {
  /// Decimal text with this many decimals (0...9), rounded half away from zero; for finite values below 10^15.
  public func fixed(_ digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (magnitude * scale).rounded()
    guard scaled < 9e18 else { return String(self) }
    let whole = String(UInt64(scaled))
    let padded = String(repeating: "0", count: max(0, digits + 1 - whole.count)) + whole
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + padded }
    return sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }
}
