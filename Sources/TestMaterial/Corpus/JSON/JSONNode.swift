import TokenScanning

/// A value of a JSON document, read strictly (Docs/Verification.md 2.1-2.4), names unique in every object.
package indirect enum JSONNode: Sendable {
  case null
  case boolean(Bool)
  /// The number as it is written.
  case number(String)
  /// The content as UTF-8.
  case string([UInt8])
  case array([JSONNode])
  case object(JSONMembers)

  /// Reads a whole document.
  ///
  /// - Throws: `MalformedJSON` when it is not exactly one value, or when an object repeats a name.
  package static func document(_ bytes: [UInt8]) throws(MalformedJSON) -> JSONNode {
    var scanner = JSONScanner(bytes.span)
    scanner.skipWhitespace()
    let node = try JSONNode(&scanner, depth: 0)
    try scanner.expectEnd()
    return node
  }

  /// Reads the value at the scanner's position; `depth` is the nesting it stands in.
  private init(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) {
    switch scanner.next {
    case UInt8(ascii: "{"): self = .object(try Self.members(&scanner, depth: depth + 1))
    case UInt8(ascii: "["): self = .array(try Self.elements(&scanner, depth: depth + 1))
    case UInt8(ascii: "\""): self = .string(Self.content(of: try scanner.string(), in: scanner.input))
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      let first = scanner.next
      try scanner.skipValue(depth: depth)
      self = first == UInt8(ascii: "n") ? .null : .boolean(first == UInt8(ascii: "t"))
    default:
      let range = try scanner.number()
      self = .number(String(decoding: Self.octets(of: range, in: scanner.input), as: UTF8.self))
    }
  }

  private static func members(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) -> JSONMembers {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    var members = JSONMembers()
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName().text(in: scanner.input)
      guard members.append(name, try JSONNode(&scanner, depth: depth)) else { throw MalformedJSON() }
      more = try scanner.continuesObject()
    }
    return members
  }

  private static func elements(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) -> [JSONNode] {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    var elements: [JSONNode] = []
    var more = try scanner.enterArray()
    while more {
      elements.append(try JSONNode(&scanner, depth: depth))
      more = try scanner.continuesArray()
    }
    return elements
  }

  private static func content(of string: JSONString, in input: Span<UInt8>) -> [UInt8] {
    string.hasEscapes ? string.octets(in: input) : octets(of: string.range, in: input)
  }

  private static func octets(of range: Range<Int>, in input: Span<UInt8>) -> [UInt8] {
    input.extracting(range).withUnsafeBufferPointer { Array($0) }
  }
}

/// The members of a JSON object, in the order of the document.
package struct JSONMembers: Sendable {
  private var values: [String: JSONNode] = [:]
  /// The names in the order of the document.
  package private(set) var names: [String] = []

  /// Adds a member; false when there is one of that name.
  mutating func append(_ name: String, _ value: JSONNode) -> Bool {
    guard values.updateValue(value, forKey: name) == nil else { return false }
    names.append(name)
    return true
  }

  /// The value of that name; nil when there is none.
  package subscript(name: String) -> JSONNode? { values[name] }
}
