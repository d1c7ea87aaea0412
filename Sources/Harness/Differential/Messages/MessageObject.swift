import PaymentToken
import StrictJSON
internal import TokenScanning

/// The members of a JSON object in a message, read strictly (Docs/Verification.md 2.1-2.4). Strings and numbers stay
/// ranges of the line, so that private keys are not copied.
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

  /// Rejects unknown members, which might be requirements that would be ignored.
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
}

/// Typed access to members; nil if they are absent or null.
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
    try bytes(name, in: line).map { String(streamSafe: $0) }
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
