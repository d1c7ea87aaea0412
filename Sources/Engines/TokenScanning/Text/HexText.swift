/// Hexadecimal digits of either case (RFC 4648 section 8).
@frozen
public enum HexDigit {
  /// The value of a digit; nil for any other character.
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
  /// Whether the text consists of an even number of digits of either case.
  public static func isValid(_ text: Span<UInt8>) -> Bool {
    guard text.count & 1 == 0 else { return false }
    for index in 0..<text.count where HexDigit.value(text[index]) == nil {
      return false
    }
    return true
  }

  /// Decodes `text` into `output`, which has room for half as many bytes. Returns the number of bytes; nil if the text
  /// is invalid.
  public static func decode(_ text: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int? {
    guard text.count & 1 == 0 else { return nil }
    let count = text.count / 2
    precondition(output.count >= count)
    var index = 0
    let source = text.bytes
    // Each step reads 8 digits and writes 4 bytes, within both spans by the loop's condition and the precondition.
    while index &+ 4 <= count {
      let digits = source.unsafeLoadUnaligned(fromByteOffset: 2 &* index, as: UInt64.self).littleEndian
      guard areDigits(digits) else { return nil }
      var target = output.mutableBytes
      target.storeBytes(of: bytes(digits).littleEndian, toByteOffset: index, as: UInt32.self)
      index &+= 4
    }
    while index < count {
      guard let high = HexDigit.value(text[2 * index]), let low = HexDigit.value(text[2 * index + 1]) else {
        return nil
      }
      output[index] = high << 4 | low
      index += 1
    }
    return count
  }

  /// Whether the text consists of decimal digits.
  static func areDecimal(_ text: Span<UInt8>) -> Bool {
    // Branch-free, so that the compiler vectorizes the loop.
    var others: UInt8 = 0
    for index in 0..<text.count { others |= text[index] &- UInt8(ascii: "0") <= 9 ? 0 : 1 }
    return others == 0
  }

  /// Whether eight characters are hexadecimal digits.
  @inline(__always)
  static func areDigits(_ characters: UInt64) -> Bool {
    // The highest bits are masked and checked separately, so that sums do not carry into the next byte.
    let plain = characters & (WordOfBytes.ones &* 0x7F)
    let small = plain | (WordOfBytes.ones &* 0x20)
    func atLeast(_ first: UInt8, _ words: UInt64) -> UInt64 { words &+ WordOfBytes.ones &* UInt64(0x80 - first) }
    let numerals = atLeast(UInt8(ascii: "0"), plain) & ~atLeast(UInt8(ascii: "9") + 1, plain)
    let letters = atLeast(UInt8(ascii: "a"), small) & ~atLeast(UInt8(ascii: "f") + 1, small)
    return (numerals | letters) & ~characters & WordOfBytes.highBits == WordOfBytes.highBits
  }

  /// Converts eight hexadecimal digits to four bytes, both with the first in the lowest byte.
  @inline(__always)
  static func bytes(_ digits: UInt64) -> UInt32 {
    let values = (digits & (WordOfBytes.ones &* 0x0F)) &+ (digits >> 6 & WordOfBytes.ones) &* 9
    let bytes = (values << 4 | values >> 8) & 0x00FF_00FF_00FF_00FF
    let pairs = (bytes | bytes >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: pairs | pairs >> 16)
  }
}
