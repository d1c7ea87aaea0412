package import TokenScanning

/// Why a document does not follow its schema: the path, and the problem there.
public struct DocumentError: Error, Hashable, Sendable {
  /// `groups[2].tests[0].token`; empty for the document itself.
  public let path: String
  /// A phrase without a full stop. It quotes only names from the document.
  public let reason: String

  /// A problem at a path, by default of the document itself.
  package init(_ reason: String, at path: String = "") {
    self.path = path
    self.reason = reason
  }
}

/// A value with its path. Its methods throw if the value is not of the type that a schema requires.
package struct JSONPlace {
  /// The path, written as in `DocumentError.path`.
  package let path: String
  /// The value.
  package let value: JSON

  /// Reads a document, in which names are unique in every object.
  ///
  /// - Throws: `MalformedJSON`.
  package init(reading text: [UInt8]) throws(MalformedJSON) {
    self.init(path: "", value: try JSON(reading: text.span))
  }

  private init(path: String, value: JSON) {
    self.path = path
    self.value = value
  }

  /// An error at this path.
  package func fail(_ reason: String) -> DocumentError { DocumentError(reason, at: path) }

  /// The object at this path, which may have only these members.
  @discardableResult
  package func object(_ names: Set<String>) throws(DocumentError) -> [JSON.Member] {
    let members = try object()
    for name in members.map(\.name) where !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw fail("has an unknown member \(name)")
    }
    return members
  }

  /// The object at this path, with any members.
  package func object() throws(DocumentError) -> [JSON.Member] {
    guard let members = value.members else { throw fail("is not an object") }
    return members
  }

  /// A required member.
  package func member(_ name: String) throws(DocumentError) -> JSONPlace {
    guard let place = try optional(name) else { throw fail("has no member \(name)") }
    return place
  }

  /// An optional member; nil when it is absent.
  package func optional(_ name: String) throws(DocumentError) -> JSONPlace? {
    _ = try object()
    guard let value = value[name] else { return nil }
    return JSONPlace(path: path.isEmpty ? name : "\(path).\(name)", value: value)
  }

  /// This place; nil for null.
  package var nonNull: JSONPlace? {
    if case .null = value { return nil }
    return self
  }

  /// The elements of an array.
  package func elements() throws(DocumentError) -> [JSONPlace] {
    guard let elements = value.elements else { throw fail("is not an array") }
    return elements.enumerated().map { JSONPlace(path: "\(path)[\($0.offset)]", value: $0.element) }
  }

  /// The text of a string.
  package func text() throws(DocumentError) -> String {
    guard let text = value.string else { throw fail("is not a string") }
    return text
  }

  /// The texts of an array of strings.
  package func texts() throws(DocumentError) -> [String] {
    var texts: [String] = []
    for element in try elements() { texts.append(try element.text()) }
    return texts
  }

  /// True or false.
  package func boolean() throws(DocumentError) -> Bool {
    guard case .boolean(let value) = value else { throw fail("is neither true nor false") }
    return value
  }

  /// A number written as an integer, within the range of a type.
  package func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws(DocumentError) -> Number {
    guard let number: Number = value.integer() else { throw fail("is not a whole number") }
    return number
  }

  /// Bytes in strict base64.
  package func base64() throws(DocumentError) -> [UInt8] {
    guard let bytes = Base64Text.decoded(Array(try text().utf8)) else { throw fail("is not padded base64") }
    return bytes
  }
}
