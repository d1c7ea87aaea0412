import PaymentToken

/// The formats of payload strings, checked on the unescaped content (Docs/Verification.md 13.2-13.4).
extension JSONString {
  /// Whether the content is ASCII digits, and `counts` contains their number.
  func isDigits(_ counts: ClosedRange<Int>, in input: Span<UInt8>) -> Bool {
    // A shortcut, here and in the other formats: the loop below gives the same result for content without escapes.
    if !hasEscapes { return counts.contains(end - start) && HexText.areDecimal(input.extracting(range)) }
    var bytes = UnescapedBytes(self)
    var count = 0
    while let byte = bytes.next(in: input) {
      guard byte &- UInt8(ascii: "0") <= 9 else { return false }
      count += 1
    }
    return counts.contains(count)
  }

  /// Whether the content is YYMMDD, a valid date in the years 2000 to 2099.
  func isDate(in input: Span<UInt8>) -> Bool {
    guard isDigits(6...6, in: input) else { return false }
    var bytes = UnescapedBytes(self)
    func pair() -> Int {
      let tens = bytes.next(in: input) ?? 0
      let ones = bytes.next(in: input) ?? 0
      return Int(tens &- UInt8(ascii: "0")) * 10 + Int(ones &- UInt8(ascii: "0"))
    }
    let (year, month, day) = (pair(), pair(), pair())
    // Only whether the day exists matters.
    return UnixTime(year: 2000 + year, month: month, day: day, hour: 0, minute: 0, second: 0) != nil
  }

  /// Whether the content is hexadecimal, and `counts` contains the number of bytes.
  func isHex(_ counts: ClosedRange<Int>, in input: Span<UInt8>) -> Bool {
    if !hasEscapes { return counts.contains((end - start) / 2) && HexText.isValid(input.extracting(range)) }
    var bytes = UnescapedBytes(self)
    var digits = 0
    while let byte = bytes.next(in: input) {
      guard HexDigit.value(byte) != nil else { return false }
      digits += 1
    }
    return digits.isMultiple(of: 2) && counts.contains(digits / 2)
  }

  /// Whether the content is strict base64 of at least one byte.
  func isNonEmptyBase64(in input: Span<UInt8>) -> Bool {
    if !hasEscapes { return Base64Text.isNonEmpty(input.extracting(range)) }
    var bytes = UnescapedBytes(self)
    var characters = 0
    var pads = 0
    var last: UInt8 = 0
    while let byte = bytes.next(in: input) {
      if byte == UInt8(ascii: "=") {
        pads += 1
        continue
      }
      let value = Base64Text.sextet(byte)
      guard pads == 0, value & 0x80 == 0 else { return false }
      last = value
      characters += 1
    }
    guard characters > 0, (characters + pads).isMultiple(of: 4) else { return false }
    switch pads {
    case 0: return true
    case 1: return last & 0x03 == 0
    case 2: return last & 0x0F == 0
    default: return false
    }
  }
}

/// Reads amounts as exact integers (Docs/Verification.md 13.3).
package enum AmountText {
  /// 10^12, one more than the largest amount.
  private static let bound: UInt64 = 1_000_000_000_000

  /// The value of a well-formed JSON number; nil if 13.3 rejects it, such as for a `-` or an exponent above 12.
  package static func value(_ range: Range<Int>, in input: Span<UInt8>) -> Int64? {
    var significant: UInt64 = 0
    var zeros = 0
    var fractionDigits = 0
    var isFraction = false
    var index = range.lowerBound
    digits: while index < range.upperBound {
      let byte = input[index]
      index += 1
      switch byte {
      case UInt8(ascii: "0"): if significant > 0 { zeros += 1 }
      case UInt8(ascii: "1")...UInt8(ascii: "9"):
        guard let scaled = scale(significant, by: zeros + 1) else { return nil }
        significant = scaled + UInt64(byte - UInt8(ascii: "0"))
        zeros = 0
      case UInt8(ascii: "."):
        isFraction = true
        continue digits
      case UInt8(ascii: "e"), UInt8(ascii: "E"): break digits
      default: return nil
      }
      if isFraction { fractionDigits += 1 }
    }
    guard let exponent = exponent(index..<range.upperBound, in: input) else { return nil }
    guard significant > 0 else { return 0 }
    let power = zeros + exponent - fractionDigits
    guard power >= 0, let value = scale(significant, by: power) else { return nil }
    return Int64(value)
  }

  /// The exponent, zero if absent; nil if it exceeds 12 or has a minus sign.
  private static func exponent(_ range: Range<Int>, in input: Span<UInt8>) -> Int? {
    var value = 0
    for index in range where input[index] != UInt8(ascii: "+") {
      // A minus sign counts as 253.
      value = value * 10 + Int(input[index] &- UInt8(ascii: "0"))
      guard value <= 12 else { return nil }
    }
    return value
  }

  /// `value` · 10^`power`; nil if it reaches the bound.
  private static func scale(_ value: UInt64, by power: Int) -> UInt64? {
    var scaled = value
    for _ in 0..<power {
      // Multiplying beyond the bound could overflow.
      guard scaled < bound else { return nil }
      scaled *= 10
    }
    return scaled < bound ? scaled : nil
  }
}
