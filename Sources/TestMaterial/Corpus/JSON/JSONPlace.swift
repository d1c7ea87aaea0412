import TokenScanning

/// Why a document is none of the kind it should be: where, by path, and what is wrong there.
public struct DocumentError: Error, Hashable, Sendable {
  /// `groups[2].tests[0].token`; empty for the document itself.
  public let path: String
  /// A phrase without a full stop, with nothing of the document in it but names.
  public let reason: String
}

/// A value with the path it stands at, read in the types a schema gives it.
struct JSONPlace {
  let path: String
  let node: JSONNode

  func fail(_ reason: String) -> DocumentError { DocumentError(path: path, reason: reason) }

  /// The object at this place, which may have these members and no others.
  func object(_ names: Set<String>) throws(DocumentError) -> JSONMembers {
    let members = try object()
    for name in members.names where !names.contains(name) { throw fail("has an unknown member \(name)") }
    return members
  }

  /// The object at this place, whatever its members.
  func object() throws(DocumentError) -> JSONMembers {
    guard case .object(let members) = node else { throw fail("is not an object") }
    return members
  }

  /// A member that must be there.
  func member(_ name: String) throws(DocumentError) -> JSONPlace {
    guard let place = try optional(name) else { throw fail("has no member \(name)") }
    return place
  }

  /// A member that may be absent.
  func optional(_ name: String) throws(DocumentError) -> JSONPlace? {
    guard let node = try object()[name] else { return nil }
    return JSONPlace(path: path.isEmpty ? name : "\(path).\(name)", node: node)
  }

  /// The value, or nil for null.
  var nonNull: JSONPlace? {
    if case .null = node { return nil }
    return self
  }

  func elements() throws(DocumentError) -> [JSONPlace] {
    guard case .array(let nodes) = node else { throw fail("is not an array") }
    return nodes.enumerated().map { JSONPlace(path: "\(path)[\($0.offset)]", node: $0.element) }
  }

  func text() throws(DocumentError) -> String {
    guard case .string(let octets) = node else { throw fail("is not a string") }
    return String(decoding: octets, as: UTF8.self)
  }

  func texts() throws(DocumentError) -> [String] {
    var texts: [String] = []
    for element in try elements() { texts.append(try element.text()) }
    return texts
  }

  func boolean() throws(DocumentError) -> Bool {
    guard case .boolean(let value) = node else { throw fail("is neither true nor false") }
    return value
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws(DocumentError) -> Number {
    guard case .number(let text) = node, let number = Number(text) else { throw fail("is not a whole number") }
    return number
  }

  /// Octets in strict base64.
  func base64() throws(DocumentError) -> [UInt8] {
    guard case .string(let text) = node else { throw fail("is not a string") }
    var octets = [UInt8](repeating: 0, count: text.count / 4 * 3)
    var output = octets.mutableSpan
    guard let count = Base64Text.decode(text.span, into: &output) else { throw fail("is not padded base64") }
    octets.removeLast(octets.count - count)
    return octets
  }
}
