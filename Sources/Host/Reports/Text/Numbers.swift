public import StrictJSON

extension JSON {
  /// A number with so many digits after the point; null for what is no number.
  public static func decimal(_ value: Double, digits: Int) -> JSON {
    value.isFinite ? .number(value.fixed(digits)) : .null
  }

  /// A number with one digit after the point.
  public static func tenths(_ value: Double) -> JSON { .decimal(value, digits: 1) }

  /// A number with three digits after the point.
  public static func thousandths(_ value: Double) -> JSON { .decimal(value, digits: 3) }
}

extension Double {
  /// Decimal text with so many digits (0...9) after the point, rounded half away from zero; for finite values below 10^15.
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
