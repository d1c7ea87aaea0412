import PaymentToken

/// Rules for single values of the payload (13.2 to 13.4).
package enum PayloadRules {
  /// 13.2: YYMMDD, a real date in 20YY.
  package static func isDate(_ text: WipedSlice) -> Bool {
    guard text.count == 6, text.allSatisfy(\.isASCIIDigit) else { return false }
    func number(_ part: WipedSlice.SubSequence) -> Int { part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
    let month = number(text.dropFirst(2).prefix(2))
    guard (1...12).contains(month) else { return false }
    let year = 2000 + number(text.prefix(2))
    return (1...UnixTime.days(inMonth: month, of: year)).contains(number(text.suffix(2)))
  }

  /// 13.4: strict base64 of at least one byte. The text is kept as written, not decoded.
  static func isNonEmptyBase64(_ text: WipedSlice) -> Bool {
    (StrictBase64.decodedCount(text) ?? 0) >= 1
  }

  /// 13.3: the largest exponent.
  private static let maximumExponent = 12
  /// 13.3: 10^12, the first amount that is too large.
  private static let amountLimit: Int64 = 1_000_000_000_000

  /// 13.3: the value of a JSON number if it is an integer in 0...10^12-1, computed without floating point.
  ///
  /// - Parameter literal: a number in the grammar of RFC 8259.
  package static func amount(_ literal: WipedSlice) -> Int64? {
    guard !literal.contains(UInt8(ascii: "-")) else { return nil }
    let parts = literal.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    guard let mantissa = parts.first else { return nil }
    var exponent = 0
    if let written = parts.dropFirst().first {
      let digits = written.drop { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "0") }
      // Three digits without leading zeros are above the limit; more could overflow.
      guard digits.count <= 2 else { return nil }
      exponent = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      guard exponent <= maximumExponent else { return nil }
    }
    return integer(mantissa, shiftedBy: exponent)
  }

  /// `mantissa` (digits with at most one point) times 10^`exponent`, if that is an integer of at most 12 digits.
  private static func integer(_ mantissa: WipedSlice.SubSequence, shiftedBy exponent: Int) -> Int64? {
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    let fraction = mantissa[point...].dropFirst()
    // Digits to the right of the shifted point must be zeros.
    guard fraction.dropFirst(exponent).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
    var value: Int64 = 0
    func append(_ digit: UInt8) -> Bool {
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
      return value < amountLimit
    }
    let missing = repeatElement(UInt8(ascii: "0"), count: max(0, exponent - fraction.count))
    guard mantissa[..<point].allSatisfy(append), fraction.prefix(exponent).allSatisfy(append),
      missing.allSatisfy(append)
    else { return nil }
    return value
  }
}
