import PaymentToken
public import TokenScanning

/// A JSON document with copies of its strings: read from text, or made to be written.
public typealias JSON = JSONTree<String>

extension String: JSONContent {
  /// The content as text, in Stream-Safe Text Format (UAX #15, section 13).
  public init(_ place: JSONString, in document: Span<UInt8>) { self = place.text(in: document).streamSafe }
}

extension JSON {
  /// Reads one value. Only white space may surround it.
  ///
  /// - Throws: `MalformedJSON`, also beyond the limits.
  public init(reading text: Span<UInt8>, within limits: JSONLimits = .strict) throws(MalformedJSON) {
    try self.init(document: text, within: limits)
  }

  /// Reads the value at a scanner's position. `depth` is the number of containers around it.
  ///
  /// - Throws: `MalformedJSON`, also beyond the limits.
  public init(reading scanner: inout JSONScanner, depth: Int, within limits: JSONLimits) throws(MalformedJSON) {
    try self.init(&scanner, depth: depth, limits)
  }
}

// MARK: Typed values, nil for other types

extension JSON {
  /// The first member of this name; nil when there is none, or this is not an object.
  public subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The value at the end of a path of names; nil when there is none, or the path leads through values other than
  /// objects.
  public subscript(path: some Sequence<some StringProtocol>) -> JSON? {
    var value = self
    for name in path {
      guard let next = value[String(name)] else { return nil }
      value = next
    }
    return value
  }

  /// The text of a string.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a number, rounded to the nearest binary64.
  public var number: Double? {
    guard case .number(let text) = self else { return nil }
    return Double(text)
  }

  /// A number written as an integer, within the range of a type.
  public func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    guard case .number(let text) = self else { return nil }
    return Number(text)
  }

  /// The elements of an array.
  public var elements: [JSON]? {
    guard case .array(let values) = self else { return nil }
    return values
  }

  /// The members of an object.
  public var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}

// MARK: Writing

extension JSON {
  /// A whole number.
  public static func integer(_ value: some BinaryInteger) -> JSON { value.json }

  /// The document on one line, without a line end.
  public var text: String { text(.controls) }

  /// The document on one line, with a choice of escaped characters.
  public func text(_ escapes: JSONEscapes) -> String { String(decoding: value(escapes).text(), as: UTF8.self) }

  func value(_ escapes: JSONEscapes) -> JSONValue {
    switch self {
    case .null: .raw("null")
    case .boolean(let value): .raw(value ? "true" : "false")
    case .number(let text), .verbatim(let text): .raw(text)
    case .string(let text): .raw(JSONText.quoted(text, escapes))
    case .array(let elements): .array(elements.map { $0.value(escapes) })
    case .object(let members):
      .object(
        JSONObject(members.map { .init(quoted: JSONText.quoted($0.name, escapes), $0.value.value(escapes)) }))
    }
  }
}
