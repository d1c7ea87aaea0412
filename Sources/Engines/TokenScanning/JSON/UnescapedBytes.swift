/// Iterates over the content of a scanned string, one byte of UTF-8 at a time.
struct UnescapedBytes {
  private var position: Int
  private let end: Int
  /// The remaining bytes of an escaped scalar, the next one in the lowest eight bits.
  private var pending: UInt32 = 0
  private var pendingCount = 0

  init(_ string: JSONString) {
    position = string.start
    end = string.end
  }

  @inline(__always)
  mutating func next(in input: Span<UInt8>) -> UInt8? {
    if pendingCount > 0 { return nextPending() }
    guard position < end else { return nil }
    let byte = input[position]
    position += 1
    return byte == UInt8(ascii: "\\") ? escaped(in: input) : byte
  }

  private mutating func nextPending() -> UInt8 {
    let byte = UInt8(truncatingIfNeeded: pending)
    pending >>= 8
    pendingCount -= 1
    return byte
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
    var value = codeUnit(in: input)
    if value & 0xFC00 == 0xD800 {
      position += 2
      value = 0x10000 + (value & 0x3FF) << 10 + (codeUnit(in: input) & 0x3FF)
    }
    func continuation(_ shift: UInt32) -> UInt32 { 0x80 | (value >> shift & 0x3F) }
    switch value {
    case ..<0x80:
      return UInt8(truncatingIfNeeded: value)
    case ..<0x800:
      (pending, pendingCount) = (continuation(0), 1)
      return UInt8(truncatingIfNeeded: 0xC0 | value >> 6)
    case ..<0x10000:
      (pending, pendingCount) = (continuation(6) | continuation(0) << 8, 2)
      return UInt8(truncatingIfNeeded: 0xE0 | value >> 12)
    default:
      (pending, pendingCount) = (continuation(12) | continuation(6) << 8 | continuation(0) << 16, 3)
      return UInt8(truncatingIfNeeded: 0xF0 | value >> 18)
    }
  }

  private mutating func codeUnit(in input: Span<UInt8>) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      unit = unit << 4 | UInt32(HexDigit.value(input[position]) ?? 0)
      position += 1
    }
    return unit
  }
}
