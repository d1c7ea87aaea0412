internal import TokenScanning

/// The members of an object of a message.
package struct MessageObject {
  private struct Member {
    let name: JSONString
    let value: MessageValue
  }

  /// More members than any object of the protocol has.
  private static let memberLimit = 16

  private var members: [Member] = []

  /// Reads the object at the scanner's position, which has this nesting itself; no name occurs twice.
  init(_ scanner: inout JSONScanner, depth: Int) throws(MalformedJSON) {
    guard depth <= JSONScanner.maximumDepth else { throw MalformedJSON() }
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      let input = scanner.input
      guard members.count < Self.memberLimit, !members.contains(where: { $0.name.hasSameContent(as: name, in: input) })
      else { throw MalformedJSON() }
      members.append(Member(name: name, value: try MessageValue(&scanner, depth: depth)))
      more = try scanner.continuesObject()
    }
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
  private func value(_ name: StaticString, in line: Span<UInt8>) -> MessageValue? {
    guard let member = members.first(where: { $0.name.equals(name, in: line) }) else { return nil }
    if case .null = member.value { return nil }
    return member.value
  }
}

/// Members in the types the protocol gives them; nil when they are absent or null.
extension MessageObject {
  package func object(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> MessageObject? {
    guard let value = value(name, in: line) else { return nil }
    guard case .object(let object) = value else { throw MessageError("\(name) is not an object") }
    return object
  }

  package func objects(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [MessageObject]? {
    guard let value = value(name, in: line) else { return nil }
    guard case .array(let elements) = value else { throw MessageError("\(name) is not an array of objects") }
    var objects: [MessageObject] = []
    for element in elements {
      guard case .object(let object) = element else { throw MessageError("\(name) is not an array of objects") }
      objects.append(object)
    }
    return objects
  }

  /// The content of a string as UTF-8.
  package func octets(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [UInt8]? {
    guard let value = value(name, in: line) else { return nil }
    guard case .string(let string) = value else { throw MessageError("\(name) is not a string") }
    return string.octets(in: line)
  }

  package func text(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> String? {
    try octets(name, in: line).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The contents of an array of strings as UTF-8.
  package func octetStrings(_ name: StaticString, in line: Span<UInt8>) throws(MessageError) -> [[UInt8]]? {
    guard let value = value(name, in: line) else { return nil }
    guard case .array(let elements) = value else { throw MessageError("\(name) is not an array of strings") }
    var strings: [[UInt8]] = []
    for element in elements {
      guard case .string(let string) = element else { throw MessageError("\(name) is not an array of strings") }
      strings.append(string.octets(in: line))
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
    guard case .number(let range) = value else { throw MessageError("\(name) is not a whole number") }
    var digits: [UInt8] = []
    for index in range { digits.append(line[index]) }
    guard let number = Number(String(decoding: digits, as: UTF8.self)) else {
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
