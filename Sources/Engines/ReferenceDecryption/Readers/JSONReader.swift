/// The text is not strict JSON (rules 2.1 to 2.4).
package struct MalformedJSON: Error {
  /// The offset in bytes at which no reader can continue; the length of the text if that is cut off.
  package fileprivate(set) var offset = 0
  /// Whether a value follows the last one that a document may have.
  package fileprivate(set) var hasTooManyValues = false
}

/// A JSON document, which owns the memory of its strings.
package struct JSONDocument {
  /// The outermost object's members.
  package let members: [JSONMember]
  private let strings: WipedBytes

  /// Reads one object and nothing else, by rules 2.1 to 2.4 (RFC 8259).
  ///
  /// - Throws: `MalformedJSON`.
  package init(_ source: WipedBytes) throws(MalformedJSON) {
    var reader = JSONReader(source)
    do {
      members = try reader.document()
    } catch {
      throw MalformedJSON(offset: reader.position, hasTooManyValues: error.hasTooManyValues)
    }
    strings = reader.strings
  }

  /// Zeroes all names and strings; the source stays with its owner.
  package func wipe() { strings.wipe() }
}

/// A recursive descent parser of RFC 8259, at most 32 containers deep and with at most 2,048 values in them.
private struct JSONReader {
  /// The unescaped names and strings, one after the other. Unescaping never makes text longer.
  let strings: WipedBytes
  private let source: WipedBytes
  private(set) var position = 0
  private var stringsEnd = 0

  private var valueCount = 0

  private static let maximumDepth = 32
  private static let maximumCount = 2_048

  init(_ source: WipedBytes) {
    self.source = source
    strings = WipedBytes(count: source.count)
  }

  /// 2.1: one object, white space around it.
  mutating func document() throws(MalformedJSON) -> [JSONMember] {
    skipWhitespace()
    guard let members = try value(depth: 1).members else { throw MalformedJSON() }
    skipWhitespace()
    guard position == source.count else { throw MalformedJSON() }
    return members
  }

  // MARK: Values

  /// Reads any value. `depth` is its nesting depth if it is a container; the document's is 1 (2.4).
  private mutating func value(depth: Int) throws(MalformedJSON) -> JSONValue {
    if depth > 1 {
      guard valueCount < JSONReader.maximumCount else { throw MalformedJSON(hasTooManyValues: true) }
      valueCount += 1
    }
    let start = position
    let kind = try kind(depth: depth)
    return JSONValue(kind: kind, text: source[start..<position])
  }

  private mutating func kind(depth: Int) throws(MalformedJSON) -> JSONValue.Kind {
    switch peek {
    case UInt8(ascii: "{"): return .object(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try literal("true")
      return .boolean
    case UInt8(ascii: "f"):
      try literal("false")
      return .boolean
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default:
      try number()
      return .number
    }
  }

  private mutating func object(depth: Int) throws(MalformedJSON) -> [JSONMember] {
    guard depth <= JSONReader.maximumDepth else { throw MalformedJSON() }
    try expect("{")
    skipWhitespace()
    if skip("}") { return [] }
    var members: [JSONMember] = []
    while true {
      skipWhitespace()
      let offset = position
      let name = try string()
      skipWhitespace()
      try expect(":")
      skipWhitespace()
      members.append(JSONMember(name: name, offset: offset, value: try value(depth: depth + 1)))
      skipWhitespace()
      if skip("}") { return members }
      try expect(",")
    }
  }

  private mutating func array(depth: Int) throws(MalformedJSON) -> [JSONValue] {
    guard depth <= JSONReader.maximumDepth else { throw MalformedJSON() }
    try expect("[")
    skipWhitespace()
    if skip("]") { return [] }
    var elements: [JSONValue] = []
    while true {
      skipWhitespace()
      elements.append(try value(depth: depth + 1))
      skipWhitespace()
      if skip("]") { return elements }
      try expect(",")
    }
  }

  private mutating func literal(_ text: String) throws(MalformedJSON) {
    for character in text.utf8 {
      guard peek == character else { throw MalformedJSON() }
      position += 1
    }
  }

  /// RFC 8259 section 6: `[ minus ] int [ frac ] [ exp ]`.
  private mutating func number() throws(MalformedJSON) {
    _ = skip("-")
    if !skip("0") { try digits() }
    if skip(".") { try digits() }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try digits()
    }
  }

  private mutating func digits() throws(MalformedJSON) {
    let start = position
    while let character = peek, character.isASCIIDigit { position += 1 }
    guard position > start else { throw MalformedJSON() }
  }

  // MARK: Strings

  /// 2.2 and 2.3; the result is unescaped.
  private mutating func string() throws(MalformedJSON) -> WipedSlice {
    try expect("\"")
    let start = stringsEnd
    while !skip("\"") {
      if skip("\\") {
        append(try escape())
      } else {
        try rawCharacter()
      }
    }
    return strings[start..<stringsEnd]
  }

  /// 2.2: one character of well-formed UTF-8 (RFC 3629), not a control character.
  private mutating func rawCharacter() throws(MalformedJSON) {
    guard let first = peek, first >= 0x20 else { throw MalformedJSON() }
    let length: Int
    // The range of the second byte excludes overlong forms, surrogates and values above U+10FFFF.
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0x20...0x7F: length = 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: length = 3
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw MalformedJSON()
    }
    guard source.count - position >= length else { throw MalformedJSON() }
    for index in 1..<length {
      let allowed = index == 1 ? second : 0x80...0xBF
      guard allowed.contains(source[position + index]) else { throw MalformedJSON() }
    }
    for _ in 0..<length {
      append(byte: source[position])
      position += 1
    }
  }

  /// 2.3: what follows a backslash.
  private mutating func escape() throws(MalformedJSON) -> Unicode.Scalar {
    guard let character = peek else { throw MalformedJSON() }
    position += 1
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(character)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try escapedScalar()
    default: throw MalformedJSON()
    }
  }

  private mutating func escapedScalar() throws(MalformedJSON) -> Unicode.Scalar {
    let unit = try fourHexDigits()
    // `Unicode.Scalar` rejects every surrogate, also a low one that comes first.
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // The range rejects a low surrogate here. Without it, the sum below would exceed U+10FFFF, which is rejected too.
    guard (0xD800...0xDBFF).contains(unit), skip("\\"), skip("u") else { throw MalformedJSON() }
    let low = try fourHexDigits()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    else { throw MalformedJSON() }
    return scalar
  }

  private mutating func fourHexDigits() throws(MalformedJSON) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek?.hexDigitValue else { throw MalformedJSON() }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    guard let encoded = UTF8.encode(scalar) else { return }
    for byte in encoded { append(byte: byte) }
  }

  private mutating func append(byte: UInt8) {
    strings[stringsEnd] = byte
    stringsEnd += 1
  }

  // MARK: Characters

  private var peek: UInt8? { position < source.count ? source[position] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(MalformedJSON) {
    guard skip(character) else { throw MalformedJSON() }
  }

  /// 2.1: space, tab, LF, CR.
  private mutating func skipWhitespace() {
    while let character = peek, [0x20, 0x09, 0x0A, 0x0D].contains(character) { position += 1 }
  }
}

/// A JSON value with unescaped names and strings, and numbers as their literal text.
package struct JSONValue {
  /// The type of a value, with its content.
  package enum Kind {
    case object([JSONMember])
    case array([JSONValue])
    /// Unescaped, in UTF-8.
    case string(WipedSlice)
    /// The number as written is `JSONValue.text`.
    case number
    case boolean
    case null
  }

  /// The value's type and content.
  package let kind: Kind
  /// The value as written, from its first character to its last.
  package let text: WipedSlice

  /// The members as written, when this is an object.
  package var members: [JSONMember]? {
    guard case .object(let members) = kind else { return nil }
    return members
  }

  /// The unescaped text, when this is a string.
  package var string: WipedSlice? {
    guard case .string(let text) = kind else { return nil }
    return text
  }

  /// The characters as written, when this is a number.
  package var number: WipedSlice? {
    guard case .number = kind else { return nil }
    return text
  }
}

/// A member of a JSON object.
package struct JSONMember {
  /// Unescaped, in UTF-8.
  package let name: WipedSlice
  /// The offset of the name's opening quotation mark in the document.
  package let offset: Int
  /// The member's value.
  package let value: JSONValue
}

extension [JSONMember] {
  /// The value of the first member of this name. The stages use it only where the name is unique (0.3, 2.6, 13.1).
  package func value(of name: String) -> JSONValue? { first { $0.name.isText(name) }?.value }

  /// The members whose name has occurred before, in document order. Quadratic, for at most 64 members (2.5).
  package var repetitions: [JSONMember] {
    enumerated().filter { index, member in
      self[..<index].contains { $0.name.elementsEqual(member.name) }
    }.map(\.element)
  }
}
