import CTextKernels

/// A strict JSON scanner that copies nothing: values are ranges of the input (RFC 8259; Docs/Verification.md 2.1-2.4).
///
/// A pull parser: the caller asks for the value it expects and skips the others, so no tree is built. UTF-8, escapes
/// and the number of values are checked everywhere, and nesting in skipped values. Strings of fewer than `shortText`
/// bytes are scanned byte by byte, longer ones 16 bytes at a time, and after `longText` bytes a text kernel takes over.
public struct JSONScanner: ~Escapable {
  /// The text being scanned.
  public let input: Span<UInt8>
  /// The index of the next byte.
  public internal(set) var position: Int
  /// Scans long strings.
  private let kernel: TextKernel
  /// How many more members and elements there may be.
  private var valuesLeft: Int

  /// The deepest nesting; the outermost object is 1.
  public static var maximumDepth: Int { 32 }

  /// The most members of objects and elements of arrays, at all levels together.
  public static var maximumValues: Int { 2_048 }

  /// Creates a scanner at a position of the input, with a kernel that this machine can run. Beyond `values` members and
  /// elements it throws.
  @_lifetime(copy input)
  public init(
    _ input: Span<UInt8>, at position: Int = 0, values: Int = maximumValues, with kernel: TextKernel = .current
  ) {
    self.input = input
    self.position = position
    self.kernel = kernel
    valuesLeft = values
  }

  // MARK: Structure

  /// Consumes `{`, and `}` if it follows. Returns whether a member follows.
  public mutating func enterObject() throws(MalformedJSON) -> Bool {
    try enter(UInt8(ascii: "{"), closing: UInt8(ascii: "}"))
  }

  /// Consumes a member's name and the colon.
  @inline(__always)
  public mutating func memberName() throws(MalformedJSON) -> JSONString {
    skipWhitespace()
    let name = try string()
    skipWhitespace()
    try expect(UInt8(ascii: ":"))
    skipWhitespace()
    return name
  }

  /// Consumes `,` or `}` after a member. Returns whether another member follows.
  @inline(__always)
  public mutating func continuesObject() throws(MalformedJSON) -> Bool { try continues(UInt8(ascii: "}")) }

  /// Consumes `[`, and `]` if it follows. Returns whether an element follows.
  public mutating func enterArray() throws(MalformedJSON) -> Bool {
    try enter(UInt8(ascii: "["), closing: UInt8(ascii: "]"))
  }

  /// Consumes `,` or `]` after an element. Returns whether another element follows.
  public mutating func continuesArray() throws(MalformedJSON) -> Bool {
    guard try continues(UInt8(ascii: "]")) else { return false }
    skipWhitespace()
    return true
  }

  @inline(__always)
  private mutating func enter(_ opening: UInt8, closing: UInt8) throws(MalformedJSON) -> Bool {
    try expect(opening)
    skipWhitespace()
    if consume(closing) { return false }
    try countValue()
    return true
  }

  @inline(__always)
  private mutating func continues(_ closing: UInt8) throws(MalformedJSON) -> Bool {
    skipWhitespace()
    guard consume(UInt8(ascii: ",")) else {
      try expect(closing)
      return false
    }
    try countValue()
    return true
  }

  @inline(__always)
  private mutating func countValue() throws(MalformedJSON) {
    guard valuesLeft > 0 else { throw MalformedJSON() }
    valuesLeft &-= 1
  }

  /// Throws unless only white space is left.
  public mutating func expectEnd() throws(MalformedJSON) {
    skipWhitespace()
    guard position == input.count else { throw MalformedJSON() }
  }

  /// The byte at the position; nil at the end.
  @inline(__always)
  public var next: UInt8? {
    position < input.count ? input[position] : nil
  }

  /// Skips white space (RFC 8259 section 2).
  @inline(__always)
  public mutating func skipWhitespace() {
    guard let byte = next, byte <= 0x20, Self.isWhitespace(byte) else { return }
    position &+= 1
    guard let second = next, Self.isWhitespace(second) else { return }
    skipLongWhitespace()
  }

  @inline(__always)
  private mutating func consume(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position &+= 1
    return true
  }

  @inline(__always)
  private mutating func expect(_ byte: UInt8) throws(MalformedJSON) {
    guard consume(byte) else { throw MalformedJSON() }
  }

  // MARK: Values

  /// Checks and skips one value of any type, which begins at the position.
  ///
  /// Iterative, with one bit per level that is set for objects, so that no input can exhaust the stack. A hostile text
  /// can consist of thousands of tiny values, so the place is a local variable, which stays in a register. Only rare
  /// values are left to functions that move `position`.
  ///
  /// - Parameter outer: the nesting depth of the object or array that contains the value.
  public mutating func skipValue(depth outer: Int) throws(MalformedJSON) {
    var depth = outer
    var objects: UInt64 = 0
    var place = position
    while true {
      guard place < input.count else { throw MalformedJSON() }
      let byte = input[place]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth &+= 1
        guard depth <= Self.maximumDepth else { throw MalformedJSON() }
        let isObject = byte == UInt8(ascii: "{")
        objects = objects << 1 | (isObject ? 1 : 0)
        place = afterWhitespace(place &+ 1)
        if !isEnd(of: objects, at: place) {
          try countValue()
          if isObject { place = try afterName(place) }
          continue
        }
        place &+= 1
        depth &-= 1
        objects >>= 1
      case UInt8(ascii: "\""): place = try afterString(place)
      case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        position = place
        try literal(byte == UInt8(ascii: "t") ? "true" : byte == UInt8(ascii: "f") ? "false" : "null")
        place = position
      default:
        guard let end = afterNumber(place) else { throw MalformedJSON() }
        place = end
      }
      while depth > outer {
        place = afterWhitespace(place)
        if place < input.count, input[place] == UInt8(ascii: ",") {
          try countValue()
          place = afterWhitespace(place &+ 1)
          if objects & 1 == 1 { place = try afterName(place) }
          break
        }
        guard isEnd(of: objects, at: place) else { throw MalformedJSON() }
        place &+= 1
        depth &-= 1
        objects >>= 1
      }
      if depth == outer {
        position = place
        return
      }
    }
  }

  /// Whether the innermost object or array ends at a place.
  @inline(__always)
  private func isEnd(of objects: UInt64, at place: Int) -> Bool {
    place < input.count && input[place] == (objects & 1 == 1 ? UInt8(ascii: "}") : UInt8(ascii: "]"))
  }

  /// The place after white space.
  @inline(__always)
  private mutating func afterWhitespace(_ place: Int) -> Int {
    guard place < input.count, input[place] <= 0x20 else { return place }
    position = place
    skipWhitespace()
    return position
  }

  /// The place after a name, the colon and white space.
  @inline(__always)
  private mutating func afterName(_ place: Int) throws(MalformedJSON) -> Int {
    let colon = afterWhitespace(try afterString(place))
    guard colon < input.count, input[colon] == UInt8(ascii: ":") else { throw MalformedJSON() }
    return afterWhitespace(colon &+ 1)
  }

  /// The place after a string.
  @inline(__always)
  private mutating func afterString(_ place: Int) throws(MalformedJSON) -> Int {
    guard place < input.count, input[place] == UInt8(ascii: "\"") else { throw MalformedJSON() }
    var hasEscapes = false
    if let end = afterShortText(place &+ 1, &hasEscapes) { return end &+ 1 }
    position = place &+ 1
    _ = try longString()
    return position
  }

  /// The place of the closing quote of a short text; nil if the text is longer or malformed.
  ///
  /// Byte by byte, because a processor predicts these branches and begins the next value before this one is complete.
  @inline(__always)
  private func afterShortText(_ start: Int, _ hasEscapes: inout Bool) -> Int? {
    var end = start
    var state = UInt64(ASSAY_JSON_CHARACTER)
    while end < input.count, end &- start < Self.shortText {
      let byte = input[end]
      if byte == UInt8(ascii: "\""), state == UInt64(ASSAY_JSON_CHARACTER) { return end }
      let next = assay_json_next(state, byte)
      if next == UInt64(ASSAY_JSON_STOP) {
        guard state == UInt64(ASSAY_JSON_ESCAPE) else { return nil }
        hasEscapes = true
        return afterShortEscapes(start)
      }
      if byte == UInt8(ascii: "\\") { hasEscapes = true }
      state = next
      end &+= 1
    }
    return nil
  }

  private mutating func literal(_ text: StaticString) throws(MalformedJSON) {
    let end = position + text.utf8CodeUnitCount
    guard end <= input.count, input.extracting(position..<end).elementsEqual(text) else { throw MalformedJSON() }
    position = end
  }

  /// Consumes a number and returns its range (RFC 8259 section 6).
  public mutating func number() throws(MalformedJSON) -> Range<Int> {
    let start = position
    guard let end = afterNumber(start) else { throw MalformedJSON() }
    position = end
    return start..<end
  }

  /// The place after a number; nil if there is none.
  @inline(__always)
  private func afterNumber(_ start: Int) -> Int? {
    var place = start
    if byte(at: place) == UInt8(ascii: "-") { place &+= 1 }
    let first = byte(at: place)
    guard first &- UInt8(ascii: "0") <= 9 else { return nil }
    place &+= 1
    if first != UInt8(ascii: "0") { place = afterDigits(place) }
    // Most numbers are integers, and a comma follows.
    let next = byte(at: place)
    if next == UInt8(ascii: ",") { return place }
    return next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") ? afterFraction(place) : place
  }

  /// The place after a number's fraction, its exponent, or both; nil if malformed.
  @inline(never)
  private func afterFraction(_ start: Int) -> Int? {
    var place = start
    if byte(at: place) == UInt8(ascii: ".") {
      place = afterDigits(start &+ 1)
      guard place > start &+ 1 else { return nil }
    }
    guard byte(at: place) | 0x20 == UInt8(ascii: "e") else { return place }
    place &+= 1
    if byte(at: place) == UInt8(ascii: "+") || byte(at: place) == UInt8(ascii: "-") { place &+= 1 }
    let end = afterDigits(place)
    return end > place ? end : nil
  }

  /// The place after any number of digits.
  @inline(__always)
  private func afterDigits(_ start: Int) -> Int {
    var place = start
    while byte(at: place) &- UInt8(ascii: "0") <= 9 {
      place &+= 1
      // Numbers in payments are shorter.
      if place &- start == Self.longNumber { place = afterEightDigits(place) }
    }
    return place
  }

  /// The byte at a place; NUL, which is in no number, at the end.
  @inline(__always)
  private func byte(at place: Int) -> UInt8 { place < input.count ? input[place] : 0 }

  /// The number of digits after which eight are scanned at a time.
  private static var longNumber: Int { 16 }

  // MARK: Strings

  /// Consumes a string with its quotes.
  public mutating func string() throws(MalformedJSON) -> JSONString {
    try expect(UInt8(ascii: "\""))
    let start = position
    var hasEscapes = false
    if let end = afterShortText(start, &hasEscapes) {
      position = end &+ 1
      return JSONString(start: start, end: end, hasEscapes: hasEscapes)
    }
    return try longString()
  }

  /// Consumes the rest of a string, from the byte after its opening quote.
  @inline(never)
  private mutating func longString() throws(MalformedJSON) -> JSONString {
    let start = position
    var hasEscapes = false
    while true {
      skipPlainText(&hasEscapes)
      guard let byte = next else { throw MalformedJSON() }
      switch byte {
      case UInt8(ascii: "\""):
        let end = position
        position += 1
        return JSONString(start: start, end: end, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        let start = position
        // Most names and values that have escapes are short.
        skipCharacters(Self.fewCharacters, &hasEscapes)
        guard position > start else { throw MalformedJSON() }
        if next == UInt8(ascii: "\\") { skipText(&hasEscapes) }
      case 0x80...:
        let start = position
        skipCharacters(Self.manyCharacters, &hasEscapes)
        guard position > start else { throw MalformedJSON() }
      default:
        throw MalformedJSON()
      }
    }
  }

  /// Skips to the next quote, backslash, control character, non-ASCII byte or the end. Skips escapes too in long texts.
  @inline(__always)
  private mutating func skipPlainText(_ hasEscapes: inout Bool) {
    let start = position
    // The loop condition keeps the 16 bytes inside the span.
    while position &+ 16 <= input.count {
      let marks = marks(at: position)
      guard marks == 0 else {
        position &+= marks.trailingZeroBitCount / Int(ASSAY_JSON_MARK_BITS)
        return
      }
      position &+= 16
      // Names are shorter; the longer strings are base64 of some thousand bytes.
      guard position &- start == Self.longText else { continue }
      skipText(&hasEscapes)
      return
    }
    while position < input.count, Self.isPlain(input[position]) { position &+= 1 }
  }

  /// The number of bytes at which a string is too long to be skipped byte by byte.
  private static var shortText: Int { 8 }

  /// The number of plain bytes after which the kernel takes over.
  private static var longText: Int { 32 }

  /// Marks the bytes that are not plain text among the 16 at a position, as `assay_json_marks` does. The input has 16
  /// bytes there.
  @inline(__always)
  private func marks(at position: Int) -> UInt64 {
    input.withUnsafeBufferPointer { $0.baseAddress.map { assay_json_marks($0 + position) } ?? 0 }
  }

  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte >= 0x20 && byte < 0x80
  }

  /// Skips plain text and escapes by the kernel.
  @inline(__always)
  private mutating func skipText(_ hasEscapes: inout Bool) {
    let table = kernel.table
    let run = input.extracting(position...).withUnsafeBufferPointer { rest in
      rest.baseAddress.map { table.pointee.json_run($0, rest.count) } ?? assay_json_run()
    }
    position &+= run.count
    if run.has_escapes { hasEscapes = true }
  }
}
