import CTextKernels

/// The text violates RFC 8259 or a limit of Docs/Verification.md 2.1-2.5. All violations have the same verdict.
public struct MalformedJSON: Error, Sendable, BitwiseCopyable {
  public init() {}
}

/// A strict JSON scanner that copies nothing: values are ranges of the input (RFC 8259; Docs/Verification.md 2.1-2.4).
///
/// A pull parser: the caller asks for the value it expects and skips the others, so no tree is built. UTF-8, escapes
/// and nesting are checked in everything, including skipped values. Short strings are scanned 16 bytes at a time
/// inline; from `longText` bytes on a text kernel takes over.
public struct JSONScanner: ~Escapable {
  /// The text being scanned.
  public let input: Span<UInt8>
  /// The index of the next byte.
  public internal(set) var position: Int
  /// Scans long strings.
  private let kernel: TextKernel

  /// The deepest nesting; the outermost object is 1.
  public static var maximumDepth: Int { 32 }

  /// Creates a scanner at a position of the input.
  ///
  /// - Parameter kernel: a kernel that this machine can run.
  @_lifetime(copy input)
  public init(_ input: Span<UInt8>, at position: Int = 0, with kernel: TextKernel = .current) {
    self.input = input
    self.position = position
    self.kernel = kernel
  }

  // MARK: Structure

  /// Consumes `{`, and `}` if it follows. Returns whether a member follows.
  public mutating func enterObject() throws(MalformedJSON) -> Bool {
    try expect(UInt8(ascii: "{"))
    skipWhitespace()
    return !consume(UInt8(ascii: "}"))
  }

  /// Consumes a member's name and the colon.
  public mutating func memberName() throws(MalformedJSON) -> JSONString {
    skipWhitespace()
    let name = try string()
    skipWhitespace()
    try expect(UInt8(ascii: ":"))
    skipWhitespace()
    return name
  }

  /// Consumes `,` or `}` after a member. Returns whether another member follows.
  public mutating func continuesObject() throws(MalformedJSON) -> Bool {
    skipWhitespace()
    if consume(UInt8(ascii: ",")) { return true }
    try expect(UInt8(ascii: "}"))
    return false
  }

  /// Consumes `[`, and `]` if it follows. Returns whether an element follows.
  public mutating func enterArray() throws(MalformedJSON) -> Bool {
    try expect(UInt8(ascii: "["))
    skipWhitespace()
    return !consume(UInt8(ascii: "]"))
  }

  /// Consumes `,` or `]` after an element. Returns whether another element follows.
  public mutating func continuesArray() throws(MalformedJSON) -> Bool {
    skipWhitespace()
    if consume(UInt8(ascii: ",")) {
      skipWhitespace()
      return true
    }
    try expect(UInt8(ascii: "]"))
    return false
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
    guard let byte = next, Self.isWhitespace(byte) else { return }
    position &+= 1
    guard let second = next, Self.isWhitespace(second) else { return }
    skipLongWhitespace()
  }

  @inline(__always)
  private mutating func consume(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func expect(_ byte: UInt8) throws(MalformedJSON) {
    guard consume(byte) else { throw MalformedJSON() }
  }

  // MARK: Values

  /// Checks and skips one value of any type, which begins at the position.
  ///
  /// Iterative, with one bit per level that is set for objects, so that no input can exhaust the stack.
  ///
  /// - Parameter outer: the nesting depth of the object or array that contains the value.
  public mutating func skipValue(depth outer: Int) throws(MalformedJSON) {
    var depth = outer
    var objects: UInt64 = 0
    while true {
      switch next {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= Self.maximumDepth else { throw MalformedJSON() }
        let isObject = next == UInt8(ascii: "{")
        objects = objects << 1 | (isObject ? 1 : 0)
        if isObject {
          if try enterObject() {
            _ = try memberName()
            continue
          }
        } else if try enterArray() {
          continue
        }
        depth -= 1
        objects >>= 1
      case UInt8(ascii: "\""): _ = try string()
      case UInt8(ascii: "t"): try literal("true")
      case UInt8(ascii: "f"): try literal("false")
      case UInt8(ascii: "n"): try literal("null")
      default: _ = try number()
      }
      while depth > outer {
        if objects & 1 == 1 {
          if try continuesObject() {
            _ = try memberName()
            break
          }
        } else if try continuesArray() {
          break
        }
        depth -= 1
        objects >>= 1
      }
      if depth == outer { return }
    }
  }

  private mutating func literal(_ text: StaticString) throws(MalformedJSON) {
    let end = position + text.utf8CodeUnitCount
    guard end <= input.count, input.extracting(position..<end).elementsEqual(text) else { throw MalformedJSON() }
    position = end
  }

  /// Consumes a number and returns its range (RFC 8259 section 6).
  public mutating func number() throws(MalformedJSON) -> Range<Int> {
    let start = position
    _ = consume(UInt8(ascii: "-"))
    if !consume(UInt8(ascii: "0")) {
      try digits()
    }
    if consume(UInt8(ascii: ".")) {
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      try digits()
    }
    return start..<position
  }

  private mutating func digits() throws(MalformedJSON) {
    let start = position
    while let byte = next, byte &- UInt8(ascii: "0") <= 9 {
      position += 1
      // Numbers in payments are shorter.
      if position &- start == Self.longNumber { skipEightDigits() }
    }
    guard position > start else { throw MalformedJSON() }
  }

  /// The number of digits after which eight are scanned at a time.
  private static var longNumber: Int { 16 }

  // MARK: Strings

  /// Consumes a string with its quotes.
  public mutating func string() throws(MalformedJSON) -> JSONString {
    try expect(UInt8(ascii: "\""))
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
        skipText(&hasEscapes)
        // The kernel skips every valid escape.
        guard position > start else { throw MalformedJSON() }
      case 0x80...:
        let start = position
        skipMultibyteScalars(&hasEscapes)
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
