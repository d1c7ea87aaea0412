import CTextKernels

/// Skips long runs. White space and digits are skipped eight bytes at a time, by bit operations on a word. Characters
/// beyond ASCII and escapes are skipped one after the other. Of these, only a `\u` escape takes a branch of its own.
///
/// Genuine texts have no long runs. A hostile request can consist of a run of up to 65,536 bytes, which has to be
/// rejected quickly as well; the benchmarks of `FullSizeInput` measure it.
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

  // MARK: Characters and escapes

  /// The number of bytes that are skipped one character at a time in a text with escapes.
  static var fewCharacters: Int { 32 }

  /// The number of bytes that are skipped one character at a time from a character beyond ASCII on.
  static var manyCharacters: Int { 256 }

  /// Skips characters and escapes one after the other, up to about `most` bytes.
  @inline(__always)
  mutating func skipCharacters(_ most: Int, _ hasEscapes: inout Bool) {
    let run = characters(at: position, most: most)
    position &+= run.count
    if run.has_escapes { hasEscapes = true }
  }

  @inline(__always)
  private func characters(at place: Int, most: Int) -> assay_json_run {
    input.extracting(place...).withUnsafeBufferPointer { rest in
      rest.baseAddress.map { assay_json_characters($0, rest.count, most) } ?? assay_json_run()
    }
  }

  /// The place of the closing quote of a text of up to about `fewCharacters` bytes with escapes; nil if there is none.
  @inline(never)
  func afterShortEscapes(_ start: Int) -> Int? {
    let end = start &+ characters(at: start, most: Self.fewCharacters).count
    return end < input.count && input[end] == UInt8(ascii: "\"") ? end : nil
  }

  /// The eight bytes at a place, the first in the lowest bits; nil if fewer are left.
  @inline(__always)
  func word(at place: Int) -> UInt64? {
    guard place &+ 8 <= input.count else { return nil }
    return input.bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
  }
}
