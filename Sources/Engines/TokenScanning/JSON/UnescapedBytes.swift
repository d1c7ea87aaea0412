/// Iterates over the content of a scanned string, one byte of UTF-8 at a time.
struct UnescapedBytes {
  private var position: Int
  private let end: Int
  /// The remaining bytes of an escaped scalar.
  private var pending = UTF8.EncodedScalar()

  init(_ string: JSONString) {
    position = string.start
    end = string.end
  }

  @inline(__always)
  mutating func next(in input: Span<UInt8>) -> UInt8? {
    if !pending.isEmpty { return pending.removeFirst() }
    guard position < end else { return nil }
    let byte = input[position]
    position += 1
    return byte == UInt8(ascii: "\\") ? escaped(in: input) : byte
  }

  /// The first byte of the scalar of an escape, after the backslash.
  @inline(never)
  private mutating func escaped(in input: Span<UInt8>) -> UInt8 {
    let kind = input[position]
    position += 1
    switch kind {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"): return scalar(in: input)
    default: return kind
    }
  }

  /// Encodes the scalar of one or two `\u` escapes; returns its first byte and stores the others.
  private mutating func scalar(in input: Span<UInt8>) -> UInt8 {
    var units = UTF16.EncodedScalar()
    units.append(codeUnit(in: input))
    if UTF16.isLeadSurrogate(units[units.startIndex]) {
      // The scanner accepted the string, so another escape follows.
      position += 2
      units.append(codeUnit(in: input))
    }
    pending = UTF8.encode(UTF16.decode(units)) ?? UTF8.encodedReplacementCharacter
    return pending.removeFirst()
  }

  private mutating func codeUnit(in input: Span<UInt8>) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      unit = unit << 4 | UInt16(HexDigit.value(input[position]) ?? 0)
      position += 1
    }
    return unit
  }
}
