package import TokenScanning

/// A value of a message, strict JSON (Docs/Verification.md 2.1-2.4); strings and numbers stay ranges of the line, so
/// that no key in them is copied.
package indirect enum MessageValue {
  case null
  case boolean(Bool)
  case number(Range<Int>)
  case string(JSONString)
  case array([MessageValue])
  case object(MessageObject)

  /// Reads the whole line.
  ///
  /// - Throws: `MessageError` when it is not one object in strict JSON, or what `MessageObject` refuses.
  package static func object(in line: Span<UInt8>) throws(MessageError) -> MessageObject {
    do {
      var scanner = JSONScanner(line)
      scanner.skipWhitespace()
      let object = try MessageObject(&scanner, depth: 1)
      try scanner.expectEnd()
      return object
    } catch {
      throw MessageError("the line is not one object in strict JSON with few and different names")
    }
  }

  /// Reads the value at the scanner's position; `depth` is the nesting it stands in.
  init(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) {
    switch scanner.next {
    case UInt8(ascii: "{"): self = .object(try MessageObject(&scanner, depth: depth + 1))
    case UInt8(ascii: "["): self = .array(try Self.elements(&scanner, depth: depth + 1))
    case UInt8(ascii: "\""): self = .string(try scanner.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      let first = scanner.next
      try scanner.skipValue(depth: depth)
      self = first == UInt8(ascii: "n") ? .null : .boolean(first == UInt8(ascii: "t"))
    default: self = .number(try scanner.number())
    }
  }

  private static func elements(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) -> [MessageValue] {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    var elements: [MessageValue] = []
    var more = try scanner.enterArray()
    while more {
      elements.append(try MessageValue(&scanner, depth: depth))
      more = try scanner.continuesArray()
    }
    return elements
  }
}

/// Why a message cannot be used: fixed text and names of the protocol, nothing of what the line holds.
package struct MessageError: Error {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
