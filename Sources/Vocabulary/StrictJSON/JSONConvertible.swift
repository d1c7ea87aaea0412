/// A type whose values may be members of a document written as a dictionary literal.
///
/// Members keep the order of the source, and nil is null:
///
///     let document: JSON = ["schema": "assay.x/1", "file": row.path, "flags": row.flags, "name": row.name]
///
/// A literal inside a literal needs its type: `"error": JSON(["code": error.code])`. In a `JSONObject`, such as a
/// request to a gateway, nil omits the member.
public protocol JSONConvertible {
  /// The value in a document.
  var json: JSON { get }
  /// The value as JSON text, escaped only where RFC 8259 requires it; nil for null.
  var writtenValue: JSONValue? { get }
}

extension JSONConvertible {
  /// The text of `json`.
  public var writtenValue: JSONValue? {
    if case .null = json { return nil }
    return json.value(.fewest)
  }
}

extension JSON: JSONConvertible {
  /// The document itself.
  public var json: JSON { self }
}

extension JSONValue: JSONConvertible {
  /// The text, copied verbatim into the document.
  public var json: JSON { .verbatim(String(decoding: text(), as: UTF8.self)) }
  /// This value.
  public var writtenValue: JSONValue? { self }
}

extension JSONObject: JSONConvertible {
  /// The text as it is.
  public var json: JSON { JSONValue.object(self).json }
  /// The object itself.
  public var writtenValue: JSONValue? { .object(self) }
}

extension String: JSONConvertible {
  /// A string.
  public var json: JSON { .string(self) }
  /// The string in quotes.
  public var writtenValue: JSONValue? { .string(self) }
}

extension Bool: JSONConvertible {
  /// True or false.
  public var json: JSON { .boolean(self) }
}

extension BinaryInteger {
  /// A whole number.
  public var json: JSON { .number(String(self)) }
}

extension Int: JSONConvertible {}
extension Int64: JSONConvertible {}
extension UInt32: JSONConvertible {}
extension UInt64: JSONConvertible {}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  /// The value, or null.
  public var json: JSON { self?.json ?? .null }
  /// The value, or nil.
  public var writtenValue: JSONValue? { self?.writtenValue }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  /// An array of the elements' values.
  public var json: JSON { .array(map(\.json)) }
  /// An array of the elements' texts.
  public var writtenValue: JSONValue? { .array(map { $0.writtenValue ?? .raw("null") }) }
}

// MARK: Literals

extension JSON: ExpressibleByDictionaryLiteral {
  /// An object of these members, nil as null.
  public init(dictionaryLiteral members: (String, any JSONConvertible)...) {
    self = .object(members.map { Member($0, $1.json) })
  }

  /// Creates an object in which nil members are null. For a literal inside another literal, which needs a type.
  public init(_ members: KeyValuePairs<String, any JSONConvertible>) {
    self = .object(JSON.members(members))
  }

  /// Returns an object with this object's members followed by those of `more`. Does not check for repeated names.
  public func with(_ more: JSON) -> JSON { .object((members ?? []) + (more.members ?? [])) }

  /// The members of an object, nil as null.
  public static func members(_ members: KeyValuePairs<String, any JSONConvertible>) -> [Member] {
    members.map { Member($0.key, $0.value.json) }
  }
}

extension JSON.Member {
  /// A member whose name comes from data.
  public init(_ name: String, _ value: some JSONConvertible) { self.init(name, value.json) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object of those members that are not nil.
  public init(dictionaryLiteral members: (String, any JSONConvertible)...) { self.init(nonNil: members) }

  /// An object of those members that are not nil, for literals inside literals.
  public init(_ members: KeyValuePairs<String, any JSONConvertible>) { self.init(nonNil: members.map { ($0, $1) }) }

  fileprivate init(nonNil members: [(name: String, value: any JSONConvertible)]) {
    self.init(members.compactMap { member in member.value.writtenValue.map { Member(member.name, $0) } })
  }

  /// The object; nil when it has no members.
  public var nonEmpty: JSONObject? { members.isEmpty ? nil : self }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object of those members that are not nil.
  public init(dictionaryLiteral members: (String, any JSONConvertible)...) {
    self = .object(JSONObject(nonNil: members))
  }
}
