import PaymentToken
import StrictJSON
internal import TokenScanning

/// The members of a JSON object in a message, read strictly (Docs/Verification.md 2.1-2.4). Strings and numbers stay
/// ranges of the line, so that a private key is copied only when `bytes` or `text` returns it.
package struct MessageObject {
  private typealias Value = JSONTree<JSONString>

  /// The limit of members, more than any object of the protocol has.
  private static let limits = JSONLimits(members: 16)

  private let members: [Value.Member]

  /// Reads the whole line.
  ///
  /// - Throws: `MessageError` if it is not one object in strict JSON with distinct names and at most 16 members.
  package init(reading line: Span<UInt8>) throws(MessageError) {
    guard let value = try? Value(placesIn: line, within: Self.limits), let object = Self(value) else {
      throw MessageError("the line is not one object in strict JSON with at most 16 members and distinct names")
    }
    self = object
  }

  /// Nil if the value is not an object.
  private init?(_ value: Value) {
    guard case .object(let members) = value else { return nil }
    self.members = members
  }

  /// Whether the member is present, with any value.
  package func has(_ name: StaticString, in line: Span<UInt8>) -> Bool {
    members.contains { $0.name.equals(name, in: line) }
  }

  /// Rejects unknown members: one might be a requirement, which must not be ignored.
  package func requireOnly(_ names: [StaticString], in line: Span<UInt8>) throws(MessageError) {
    for member in members where !names.contains(where: { member.name.equals($0, in: line) }) {
      let known = names.map { "\($0)" }.joined(separator: ", ")
      throw MessageError("there is a member other than \(known)")
    }
  }

  /// The member's value; nil if it is absent or null.
  private func value(_ name: StaticString, in line: Span<UInt8>) -> Value? {
    guard let member = members.first(where: { $0.name.equals(name, in: line) }) else { return nil }
    if case .null = member.value { return nil }
    return member.value
  }

  /// The member's value as `read` takes it; nil if it is absent or null.
  ///
  /// - Parameter demand: the fault of a value that `read` does not take, such as `is not an object`.
  private func read<Content>(
    _ name: StaticString, in line: Span<UInt8>, _ demand: String, _ read: (Value) -> Content?
  ) throws(MessageError) -> Content? {
    guard let value = value(name, in: line) else { return nil }
    guard let content = read(value) else { throw MessageError("\(name) \(demand)") }
    return content
  }

  private static func elements<Content>(_ value: Value, _ read: (Value) -> Content?) -> [Content]? {
    guard case .array(let elements) = value else { return nil }
    let contents = elements.compactMap(read)
    return contents.count == elements.count ? contents : nil
  }

  private static func string(_ value: Value) -> JSONString? {
    if case .string(let string) = value { string } else { nil }
  }
}

/// Typed access to members; nil if they are absent or null.
extension MessageObject {
  package func object(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> MessageObject? {
    try read(name, in: line, "is not an object") { MessageObject($0) }
  }

  package func objects(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [MessageObject]? {
    try read(name, in: line, "is not an array of objects") { Self.elements($0) { MessageObject($0) } }
  }

  /// The content of a string as UTF-8.
  package func bytes(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [UInt8]? {
    guard let string = try read(name, in: line, "is not a string", Self.string) else { return nil }
    return string.bytes(in: line)
  }

  package func text(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> String? {
    try bytes(name, in: line).map { String(streamSafe: $0) }
  }

  /// The contents of an array of strings as UTF-8.
  package func byteStrings(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [[UInt8]]? {
    let strings = try read(name, in: line, "is not an array of strings") { Self.elements($0, Self.string) }
    guard let strings else { return nil }
    var contents: [[UInt8]] = []
    for string in strings { contents.append(string.bytes(in: line)) }
    return contents
  }

  package func boolean(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> Bool? {
    try read(name, in: line, "is neither true nor false") { value in
      if case .boolean(let boolean) = value { boolean } else { nil }
    }
  }

  /// A number written as an integer, within the range of `type`.
  package func integer<Number: FixedWidthInteger>(
    _ name: StaticString, in line: Span<UInt8>, _ type: Number.Type
  ) throws(MessageError) -> Number? {
    guard let value = value(name, in: line) else { return nil }
    guard case .number(let digits) = value else { throw MessageError("\(name) is not a whole number") }
    guard let number = Number(digits.text(in: line)) else {
      throw MessageError("\(name) is not a whole number of its range")
    }
    return number
  }
}

extension Optional {
  /// The value of a required member.
  package func required(_ name: StaticString) throws(MessageError) -> Wrapped {
    guard let self else { throw MessageError("\(name) is missing") }
    return self
  }
}

/// Why a message is invalid: fixed text and names of the protocol, never content of the line.
package struct MessageError: Error {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
