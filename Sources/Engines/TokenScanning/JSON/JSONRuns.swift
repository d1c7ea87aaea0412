/// Skips runs of white space, digits and characters beyond ASCII eight or four bytes at a time, by bit operations on a
/// word.
///
/// Genuine texts have no long runs. A hostile request can consist of one, up to 65,536 bytes, and would otherwise take
/// as long as several tokens before it is rejected.
extension JSONScanner {
  // MARK: White space

  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// Skips the rest of a run of white space.
  @inline(never)
  mutating func skipLongWhitespace() {
    while let word = word(at: position), Self.areWhitespace(word) { position &+= 8 }
    while let byte = next, Self.isWhitespace(byte) { position &+= 1 }
  }

  /// Whether eight bytes are white space.
  private static func areWhitespace(_ word: UInt64) -> Bool {
    let others = differs(word, 0x20) & differs(word, 0x0A) & differs(word, 0x0D) & differs(word, 0x09)
    return others & WordOfBytes.highBits == 0
  }

  /// Sets the highest bit of each byte that differs from `byte`. The other bits are undefined.
  @inline(__always)
  private static func differs(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ WordOfBytes.ones &* UInt64(byte)
    // Seven bits plus 0x7F never carry into the next byte.
    return ((difference & ~WordOfBytes.highBits) &+ ~WordOfBytes.highBits) | difference
  }

  // MARK: Digits

  /// The place after digits, skipped eight at a time.
  @inline(__always)
  func afterEightDigits(_ start: Int) -> Int {
    var place = start
    while let word = word(at: place), WordOfBytes.areDecimal(word) { place &+= 8 }
    return place
  }

  // MARK: Characters beyond ASCII

  /// Skips well-formed UTF-8 characters beyond ASCII, and escapes between them, up to the first byte that begins none.
  mutating func skipMultibyteScalars(_ hasEscapes: inout Bool) {
    while let length = unitLength(at: position) {
      if input[position] == UInt8(ascii: "\\") { hasEscapes = true }
      position &+= length
    }
  }

  /// The length of a well-formed UTF-8 character beyond ASCII (Unicode 15, table 3-7), or of an escape, except a
  /// surrogate; nil for anything else. A single one of them is not worth a call of the kernel.
  @inline(__always)
  func unitLength(at place: Int) -> Int? {
    let word = fourBytes(at: place)
    if word & 0xC0E0 == 0x80C0 {
      // C0 and C1 would begin overlong forms.
      return word & 0x1E != 0 ? 2 : nil
    }
    if word & 0xC0_C0F0 == 0x80_80E0 {
      // E0 with 80...9F would be overlong, ED with A0...BF a surrogate; bit 5 of the second byte distinguishes them.
      let bits = word & 0x200F
      return bits != 0 && bits != 0x200D ? 3 : nil
    }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      // Plane 0 would be overlong, and Unicode ends with plane 16.
      let plane = (word & 0x07) << 2 | word >> 12 & 0x03
      return plane != 0 && plane <= 16 ? 4 : nil
    }
    return escapeLength(word, at: place)
  }

  /// The four bytes at a place, the first in the lowest bits, with zeros beyond the end.
  @inline(__always)
  private func fourBytes(at place: Int) -> UInt32 {
    if place &+ 4 <= input.count {
      return input.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self).littleEndian
    }
    var word: UInt32 = 0
    for index in 0..<(input.count &- place) { word |= UInt32(input[place &+ index]) << UInt32(8 &* index) }
    return word
  }

  /// The length of the escape at a place, whose first four bytes are `word` (RFC 8259 section 7); nil for a surrogate
  /// and if there is no valid escape.
  @inline(__always)
  private func escapeLength(_ word: UInt32, at place: Int) -> Int? {
    guard word & 0xFF == UInt8(ascii: "\\") else { return nil }
    switch UInt8(truncatingIfNeeded: word >> 8) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"): return isScalarEscape(at: place) ? 6 : nil
    default: return nil
    }
  }

  /// Whether four hexadecimal digits, not of a surrogate, follow the two bytes at a place.
  @inline(__always)
  private func isScalarEscape(at place: Int) -> Bool {
    guard place &+ 6 <= input.count, let first = HexDigit.value(input[place &+ 2]),
      let second = HexDigit.value(input[place &+ 3]), HexDigit.value(input[place &+ 4]) != nil,
      HexDigit.value(input[place &+ 5]) != nil
    else { return false }
    return first != 0xD || second < 8
  }

  /// The eight bytes at a place, the first in the lowest bits; nil if fewer are left.
  @inline(__always)
  func word(at place: Int) -> UInt64? {
    guard place &+ 8 <= input.count else { return nil }
    return input.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
  }
}

/// Eight bytes as one integer.
enum WordOfBytes {
  static var ones: UInt64 { 0x0101_0101_0101_0101 }
  static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Whether all eight bytes are decimal digits.
  @inline(__always)
  static func areDecimal(_ word: UInt64) -> Bool {
    // The sum turns 3A...3F into 40...45. No digit carries into the next byte, and for no byte but a digit do the high
    // halves of byte and sum have just the bits of 3 in common.
    (word & (word &+ ones &* 0x06)) & (ones &* 0xF0) == ones &* 0x30
  }
}
