/// A well-formed JSON string as a range of its input, quotes excluded.
@frozen
public struct JSONString: Sendable, BitwiseCopyable {
  /// The index of the first octet after the opening quote.
  public let start: Int
  /// The index of the closing quote.
  public let end: Int
  /// Whether any escape occurs, so that the octets are not the content.
  public let hasEscapes: Bool

  /// The octets as written.
  @inlinable
  public var range: Range<Int> { start..<end }

  /// Whether the content, unescaped, is `text`.
  @inline(__always)
  public func equals(_ text: StaticString, in input: Span<UInt8>) -> Bool {
    if hasEscapes { return equalsUnescaped(text, in: input) }
    return end &- start == text.utf8CodeUnitCount && input.extracting(range).elementsEqual(text)
  }

  @usableFromInline
  func equalsUnescaped(_ text: StaticString, in input: Span<UInt8>) -> Bool {
    var content = UnescapedOctets(self)
    for index in 0..<text.utf8CodeUnitCount {
      // Within the static string by the loop's bound.
      guard content.next(in: input) == text.utf8Start[index] else { return false }
    }
    return content.next(in: input) == nil
  }

  /// Whether the content, unescaped, is these UTF-8 octets.
  public func equals(_ text: String.UTF8View, in input: Span<UInt8>) -> Bool {
    var content = UnescapedOctets(self)
    for octet in text {
      guard content.next(in: input) == octet else { return false }
    }
    return content.next(in: input) == nil
  }

  /// Whether the content, unescaped, is these octets.
  public func equals(_ text: Span<UInt8>, in input: Span<UInt8>) -> Bool {
    if !hasEscapes {
      return end - start == text.count && input.extracting(range).elementsEqual(text)
    }
    var content = UnescapedOctets(self)
    for index in 0..<text.count {
      guard content.next(in: input) == text[index] else { return false }
    }
    return content.next(in: input) == nil
  }

  /// Whether two strings of one input have the same content.
  public func hasSameContent(as other: JSONString, in input: Span<UInt8>) -> Bool {
    if !hasEscapes, !other.hasEscapes, end - start != other.end - other.start { return false }
    var left = UnescapedOctets(self)
    var right = UnescapedOctets(other)
    while true {
      let octet = left.next(in: input)
      guard octet == right.next(in: input) else { return false }
      if octet == nil { return true }
    }
  }

  /// A hash of the content, keyed anew in every process: equal for equal contents, whatever their escapes.
  func contentHash(in input: Span<UInt8>) -> Int {
    var hasher = Hasher()
    var content = UnescapedOctets(self)
    var word: UInt64 = 0
    var count = 0
    while let octet = content.next(in: input) {
      word = word << 8 | UInt64(octet)
      count += 1
      if count.isMultiple(of: 8) { hasher.combine(word) }
    }
    hasher.combine(word)
    hasher.combine(count)
    return hasher.finalize()
  }

  /// Writes the content into `output`, which has room for `end - start` octets (unescaping never lengthens), and returns its length.
  public func unescape(from input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Int {
    precondition(output.count >= end - start)
    var target = output.mutableBytes
    let source = input.bytes
    var content = UnescapedOctets(self)
    var count = 0
    while true {
      // The octets stay inside both spans: the content lies within the input, and what is left of the output is no shorter.
      while content.plainOctetsLeft >= 8 {
        let word = source.unsafeLoadUnaligned(fromByteOffset: content.position, as: UInt64.self)
        target.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
        let plain = Self.octetsBeforeBackslash(word)
        content.skipPlainOctets(plain)
        count &+= plain
        if plain < 8 { break }
      }
      guard let octet = content.next(in: input) else { return count }
      target.storeBytes(of: octet, toByteOffset: count, as: UInt8.self)
      count &+= 1
    }
  }

  /// How many of eight octets come before the first backslash; the lowest mark of the subtraction is exact.
  @inline(__always)
  private static func octetsBeforeBackslash(_ word: UInt64) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let zeros = word.littleEndian ^ (ones &* 0x5C)
    return ((zeros &- ones) & ~zeros & (ones &* 0x80)).trailingZeroBitCount / 8
  }

  /// The content as text.
  public func text(in input: Span<UInt8>) -> String {
    String(decoding: octets(in: input), as: UTF8.self)
  }

  /// The content as UTF-8 octets.
  public func octets(in input: Span<UInt8>) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(end - start)
    var content = UnescapedOctets(self)
    while let octet = content.next(in: input) { octets.append(octet) }
    return octets
  }
}

/// Walks the content of a string that the scanner has checked, an octet of UTF-8 at a time.
struct UnescapedOctets {
  private(set) var position: Int
  private let end: Int
  /// Octets of an escaped scalar not yet handed out, the next in the lowest eight bits.
  private var pending: UInt32 = 0
  private var pendingCount = 0

  init(_ string: JSONString) {
    position = string.start
    end = string.end
  }

  /// Octets of the text not yet read; zero while octets of an escape wait to be handed out.
  var plainOctetsLeft: Int { pendingCount == 0 ? end - position : 0 }

  /// Passes over octets that the caller has seen to hold no escape.
  mutating func skipPlainOctets(_ count: Int) {
    position += count
  }

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
