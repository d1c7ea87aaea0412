/// Base64 groups by Swift's SIMD types: 16 characters a step, the sextets packed with 64-bit shifts.
enum PortableBase64 {
  /// Decodes `count` characters (a multiple of four, no padding) into the first `count / 4 * 3` octets of `output`.
  static func decodeGroups(_ text: Span<UInt8>, count: Int, into output: inout MutableSpan<UInt8>) -> Bool {
    var invalid = SIMD16<UInt8>(repeating: 0)
    var read = 0
    var written = 0
    let bytes = text.bytes
    // A step writes 16 octets, of which 12 count: it stays inside the output by the second condition.
    while read &+ 16 <= count, written &+ 16 <= output.count {
      let characters = bytes.unsafeLoadUnaligned(fromByteOffset: read, as: SIMD16<UInt8>.self)
      let sextets = values(characters)
      invalid |= sextets
      let words = unsafeBitCast(sextets, to: SIMD2<UInt64>.self)
      store(pack(words[0]), at: written, in: &output)
      store(pack(words[1]), at: written &+ 6, in: &output)
      read &+= 16
      written &+= 12
    }
    var tail: UInt8 = 0
    while read < count {
      let group = (value(text[read]), value(text[read + 1]), value(text[read + 2]), value(text[read + 3]))
      tail |= group.0 | group.1 | group.2 | group.3
      output[written] = group.0 << 2 | group.1 >> 4
      output[written + 1] = group.1 << 4 | group.2 >> 2
      output[written + 2] = group.2 << 6 | group.3
      read += 4
      written += 3
    }
    return (invalid.max() | tail) & 0x80 == 0
  }

  /// Whether every character is of the alphabet.
  static func areSextets(_ text: Span<UInt8>) -> Bool {
    // Without branches, which random text would mislead.
    var others: UInt8 = 0
    for index in 0..<text.count {
      let character = text[index]
      let isLetter = (character | 0x20) &- UInt8(ascii: "a") < 26
      let isDigit = character &- UInt8(ascii: "0") < 10
      let isSign = character == UInt8(ascii: "+")
      let isSlash = character == UInt8(ascii: "/")
      others |= 1 ^ (isLetter ? 1 : 0) ^ (isDigit ? 1 : 0) ^ (isSign ? 1 : 0) ^ (isSlash ? 1 : 0)
    }
    return others == 0
  }

  /// The sextet of a character, or a value with its highest bit set.
  @inline(__always)
  static func value(_ character: UInt8) -> UInt8 {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character &- UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character &- UInt8(ascii: "a") &+ 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character &- UInt8(ascii: "0") &+ 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: 0x80
    }
  }

  @inline(__always)
  private static func values(_ characters: SIMD16<UInt8>) -> SIMD16<UInt8> {
    var result = SIMD16<UInt8>(repeating: 0x80)
    func place(_ first: Unicode.Scalar, _ last: UInt8, _ base: UInt8) {
      let offset = characters &- UInt8(ascii: first)
      result.replace(with: offset &+ base, where: offset .<= last)
    }
    place("A", 25, 0)
    place("a", 25, 26)
    place("0", 9, 52)
    place("+", 0, 62)
    place("/", 0, 63)
    return result
  }

  /// Eight sextets, the first in the lowest octet, to six octets in the highest 48 bits, the first highest.
  @inline(__always)
  private static func pack(_ sextets: UInt64) -> UInt64 {
    let word = sextets.byteSwapped
    let pairs = (word & 0x3F00_3F00_3F00_3F00) >> 2 | (word & 0x003F_003F_003F_003F)
    let fours = (pairs & 0x0FFF_0000_0FFF_0000) >> 4 | (pairs & 0x0000_0FFF_0000_0FFF)
    return ((fours & 0x00FF_FFFF_0000_0000) >> 8 | (fours & 0x0000_0000_00FF_FFFF)) << 16
  }

  @inline(__always)
  private static func store(_ word: UInt64, at offset: Int, in output: inout MutableSpan<UInt8>) {
    var bytes = output.mutableBytes
    bytes.storeBytes(of: word.bigEndian, toByteOffset: offset, as: UInt64.self)
  }
}
