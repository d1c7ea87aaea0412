import TokenScanning

/// A JSON document as read, for logs; strict (Docs/Verification.md 2.1-2.4), and no name occurs twice in one object.
indirect enum JSONTree: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// The digits as written.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([Member])

  /// A name, unescaped, with its value.
  struct Member: Hashable, Sendable {
    let name: String
    let value: JSONTree
  }

  /// Reads one value with nothing but white space around it.
  ///
  /// - Throws: `MalformedJSON`, also for a name that occurs twice in one object.
  init(reading text: Span<UInt8>) throws(MalformedJSON) {
    var scanner = JSONScanner(text)
    scanner.skipWhitespace()
    self = try Self.value(&scanner, depth: 0)
    try scanner.expectEnd()
  }

  /// The member of that name of an object; nil when there is none, or this is no object.
  subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  private static func value(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) -> JSONTree {
    switch scanner.next {
    case UInt8(ascii: "{"): return .object(try members(&scanner, depth: depth + 1))
    case UInt8(ascii: "["): return .array(try elements(&scanner, depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try scanner.string().text(in: scanner.input))
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      let first = scanner.next
      try scanner.skipValue(depth: depth)
      return first == UInt8(ascii: "n") ? .null : .boolean(first == UInt8(ascii: "t"))
    default:
      let range = try scanner.number()
      return .number(String(decoding: range.map { scanner.input[$0] }, as: UTF8.self))
    }
  }

  private static func members(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) -> [Member] {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    var members: [Member] = []
    var names: Set<[UInt8]> = []
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      // Octets: strings that are canonically equivalent are different names.
      guard names.insert(name.octets(in: scanner.input)).inserted else { throw MalformedJSON() }
      members.append(Member(name: name.text(in: scanner.input), value: try value(&scanner, depth: depth)))
      more = try scanner.continuesObject()
    }
    return members
  }

  private static func elements(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) -> [JSONTree] {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    var elements: [JSONTree] = []
    var more = try scanner.enterArray()
    while more {
      elements.append(try value(&scanner, depth: depth))
      more = try scanner.continuesArray()
    }
    return elements
  }
}

extension String {
  /// Whether all of it is ASCII. Swift takes canonically equivalent texts for equal (U+212A for K); of ASCII texts only the same.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension RawRepresentable<String> {
  /// The value whose raw text, all ASCII, is the same octet for octet.
  init?(exactly text: String) {
    guard text.isASCII else { return nil }
    self.init(rawValue: text)
  }
}

extension String {
  /// Nil for the empty text.
  var nonEmpty: String? { isEmpty ? nil : self }
}

extension UInt8 {
  /// Whether it is an ASCII digit.
  var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
