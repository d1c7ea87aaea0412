/// Eight bytes as one integer.
enum WordOfBytes {
  static var ones: UInt64 { 0x0101_0101_0101_0101 }
  static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Sets the highest bit of each byte that equals `byte`, and no other bit.
  @inline(__always)
  static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ ones &* UInt64(byte)
    // Seven bits plus 0x7F never carry into the next byte.
    return ~(((difference & ~highBits) &+ ~highBits) | difference) & highBits
  }

  /// Whether all eight bytes are decimal digits.
  @inline(__always)
  static func areDecimal(_ word: UInt64) -> Bool {
    // The sum turns 3A...3F into 40...45. No digit carries into the next byte, and for no byte but a digit do the high
    // halves of byte and sum have just the bits of 3 in common.
    (word & (word &+ ones &* 0x06)) & (ones &* 0xF0) == ones &* 0x30
  }
}
