/// A JSON value as read by `JSONReader`: names and strings unescaped, numbers as their literal text.
package struct JSONValue {
  package enum Kind {
    case object([JSONMember])
    case array([JSONValue])
    /// Unescaped, in UTF-8.
    case string(WipedSlice)
    /// The literal is `JSONValue.text`.
    case number
    case boolean
    case null
  }

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

/// A member of a JSON object as written.
package struct JSONMember {
  /// Unescaped, in UTF-8.
  package let name: WipedSlice
  /// Where the name's opening quotation mark stands in the document.
  package let offset: Int
  package let value: JSONValue
}

extension [JSONMember] {
  /// The value of the first member of this name; names are unique where this is used (2.6, 13.1).
  package func value(of name: String) -> JSONValue? {
    first { $0.name.isText(name) }?.value
  }

  /// The members whose name occurred before, in the order written. Quadratic: for at most 64 members (2.5).
  package var repetitions: [JSONMember] {
    enumerated().filter { index, member in
      self[..<index].contains { $0.name.elementsEqual(member.name) }
    }.map(\.element)
  }
}
