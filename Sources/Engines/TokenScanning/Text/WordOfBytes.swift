/// Eight bytes as one integer.
enum WordOfBytes {
  static var ones: UInt64 { 0x0101_0101_0101_0101 }
  static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Whether all eight bytes are decimal digits.
  @inline(__always)
  static func areDecimal(_ word: UInt64) -> Bool {
    // The sum turns 3A...3F into 40...45, and no digit carries into the next byte. The high halves of a byte and its
    // sum have exactly the bits of 3 in common if and only if the byte is a digit.
    (word & (word &+ ones &* 0x06)) & (ones &* 0xF0) == ones &* 0x30
  }
}
