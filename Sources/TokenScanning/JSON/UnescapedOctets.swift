import CTextKernels

/// Walks the content of a string that the scanner has checked, an octet of UTF-8 at a time.
struct UnescapedOctets {
  private var position: Int
  private let end: Int
  /// Octets of an escaped scalar not yet handed out, the next in the lowest eight bits.
  private var pending: UInt32 = 0
  private var pendingCount = 0

  init(_ string: JSONString) {
    position = string.start
    end = string.end
  }

  /// Octets of the text not yet read; zero while octets of an escape wait to be handed out.
  private var plainOctetsLeft: Int { pendingCount == 0 ? end - position : 0 }

  @inline(__always)
  mutating func next(in input: Span<UInt8>) -> UInt8? {
    if pendingCount > 0 { return nextPending() }
    guard position < end else { return nil }
    let octet = input[position]
    position += 1
    return octet == UInt8(ascii: "\\") ? escaped(in: input) : octet
  }

  private mutating func nextPending() -> UInt8 {
    let octet = UInt8(truncatingIfNeeded: pending)
    pending >>= 8
    pendingCount -= 1
    return octet
  }

  /// What follows a backslash.
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

  /// Encodes the scalar of one or two `\u` escapes, returns its first octet and keeps the rest.
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

// MARK: Many bytes at once

extension UnescapedOctets {
  /// Copies bytes, and what escapes of two bytes stand for, up to the first `\u`, and returns how many were written. The output
  /// has room for all that is left of the text.
  mutating func copySimpleEscapes(
    of input: Span<UInt8>, into output: inout MutableSpan<UInt8>, at offset: Int, with kernel: TextKernel
  ) -> Int {
    let left = plainOctetsLeft
    guard left > 0 else { return 0 }
    precondition(offset <= output.count - left)
    let copy = input.extracting(position..<end).withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return assay_json_copy() }
        return kernel.table.pointee.json_unescape(source, left, target + offset)
      }
    }
    position += copy.read
    return copy.written
  }

  /// Writes what `\u` escapes, one behind the other, stand for, but for surrogates, and returns how many bytes were written. The
  /// output has room for all that is left of the text.
  mutating func copyCodeUnits(of input: Span<UInt8>, into output: inout MutableSpan<UInt8>, at offset: Int) -> Int {
    let left = plainOctetsLeft
    guard left >= 8 else { return 0 }
    precondition(offset >= 0 && offset <= output.count - left && end <= input.count)
    let source = input.bytes
    var target = output.mutableBytes
    var count = 0
    // Six bytes read make three at most: what is written stays behind what is read, within the room checked above.
    while end &- position >= 8 {
      let word = source.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
      guard JSONScanner.isCodeUnit(word) else { break }
      let unit = UInt32(JSONScanner.codeUnit(of: word))
      if unit < 0x80 {
        target.storeBytes(of: UInt8(truncatingIfNeeded: unit), toByteOffset: offset &+ count, as: UInt8.self)
        count &+= 1
      } else if unit < 0x800 {
        let bytes = 0xC0 | unit >> 6 | (0x80 | unit & 0x3F) << 8
        target.storeBytes(
          of: UInt16(truncatingIfNeeded: bytes).littleEndian, toByteOffset: offset &+ count, as: UInt16.self)
        count &+= 2
      } else {
        guard unit & 0xF800 != 0xD800 else { break }
        let bytes = 0x80 | unit >> 6 & 0x3F | (0x80 | unit & 0x3F) << 8
        target.storeBytes(
          of: UInt8(truncatingIfNeeded: 0xE0 | unit >> 12), toByteOffset: offset &+ count, as: UInt8.self)
        target.storeBytes(
          of: UInt16(truncatingIfNeeded: bytes).littleEndian, toByteOffset: offset &+ count &+ 1, as: UInt16.self)
        count &+= 3
      }
      position &+= 6
    }
    return count
  }
}
