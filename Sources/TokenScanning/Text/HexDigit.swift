/// Hexadecimal digits of either case (RFC 4648 section 8).
@frozen
public enum HexDigit {
  /// The digit's value; nil for any other character.
  @inlinable
  public static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }
}

/// Strict hexadecimal text (Docs/Verification.md 4.2).
public enum HexText {
  /// Whether the text is digits of either case and of even length.
  public static func isValid(_ text: Span<UInt8>) -> Bool {
    guard text.count & 1 == 0 else { return false }
    for index in 0..<text.count where HexDigit.value(text[index]) == nil {
      return false
    }
    return true
  }

  /// Decodes into `output`, which has room for half of the text's length; the number of octets, or nil for invalid text.
  public static func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
    guard text.count & 1 == 0 else { return nil }
    let count = text.count / 2
    for index in 0..<count {
      guard let high = HexDigit.value(text[2 * index]), let low = HexDigit.value(text[2 * index + 1]) else {
        return nil
      }
      output[index] = high << 4 | low
    }
    return count
  }
}
