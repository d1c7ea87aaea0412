import StrictJSON
internal import TokenScanning

/// The members of an object of a message, strict JSON (Docs/Verification.md 2.1-2.4). Strings and numbers stay places in the
/// line, so that no key in them is copied.
package struct MessageObject {
  private typealias Value = JSONTree<JSONString>

  /// More members than any object of the protocol has.
  private static let limits = JSONLimits(members: 16)

  private let members: [Value.Member]

  /// Reads the whole line.
  ///
  /// - Throws: `MessageError` when it is not one object in strict JSON, or has a name twice or too many members in one object.
  package init(reading line: Span<UInt8>) throws(MessageError) {
    guard let value = try? Value(placesIn: line, within: Self.limits), let object = Self(value) else {
      throw MessageError("the line is not one object in strict JSON with few and different names")
    }
    self = object
  }

  /// Nil for a value that is no object.
  private init?(_ value: Value) {
    guard case .object(let members) = value else { return nil }
    self.members = members
  }

  /// Whether the member is there, of whatever value.
  package func has(_ name: StaticString, in line: Span<UInt8>) -> Bool {
    members.contains { $0.name.equals(name, in: line) }
  }

  /// A member that nobody reads might be a demand that nobody meets: there may be none beside these.
  package func requireOnly(_ names: [StaticString], in line: Span<UInt8>) throws(MessageError) {
    for member in members where !names.contains(where: { member.name.equals($0, in: line) }) {
      let known = names.map { "\($0)" }.joined(separator: ", ")
      throw MessageError("there is a member other than \(known)")
    }
  }

  /// The member's value; nil when it is absent or null.
  private func value(_ name: StaticString, in line: Span<UInt8>) -> Value? {
    guard let member = members.first(where: { $0.name.equals(name, in: line) }) else { return nil }
    if case .null = member.value { return nil }
    return member.value
  }
}

/// Members in the types the protocol gives them; nil when they are absent or null.
extension MessageObject {
  package func object(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> MessageObject? {
    guard let value = value(name, in: line) else { return nil }
    guard let object = MessageObject(value) else { throw MessageError("\(name) is not an object") }
    return object
  }

  package func objects(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [MessageObject]? {
    guard let value = value(name, in: line) else { return nil }
    guard case .array(let elements) = value else { throw MessageError("\(name) is not an array of objects") }
    var objects: [MessageObject] = []
    for element in elements {
      guard let object = MessageObject(element) else { throw MessageError("\(name) is not an array of objects") }
      objects.append(object)
    }
    return objects
  }

  /// The content of a string as UTF-8.
  package func bytes(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [UInt8]? {
    guard let value = value(name, in: line) else { return nil }
    guard case .string(let string) = value else { throw MessageError("\(name) is not a string") }
    return string.bytes(in: line)
  }

  package func text(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> String? {
    try bytes(name, in: line).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The contents of an array of strings as UTF-8.
  package func byteStrings(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [[UInt8]]? {
    guard let value = value(name, in: line) else { return nil }
    guard case .array(let elements) = value else { throw MessageError("\(name) is not an array of strings") }
    var strings: [[UInt8]] = []
    for element in elements {
      guard case .string(let string) = element else { throw MessageError("\(name) is not an array of strings") }
      strings.append(string.bytes(in: line))
    }
    return strings
  }

  package func boolean(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> Bool? {
    guard let value = value(name, in: line) else { return nil }
    guard case .boolean(let boolean) = value else { throw MessageError("\(name) is neither true nor false") }
    return boolean
  }

  /// A number written as an integer, within a range.
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
  /// The member, which must be there.
  package func required(_ name: StaticString) throws(MessageError) -> Wrapped {
    guard let self else { throw MessageError("\(name) is missing") }
    return self
  }
}

/// Why a message cannot be used: fixed text and names of the protocol, nothing of what the line holds.
package struct MessageError: Error {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }
}
