import ReferenceDecryption

/// Finds a token inside a larger document.
enum NestedToken {
  /// The dotted path of the first token below these members; nil when there is none.
  static func path(in members: [JSONMember], below prefix: String = "") -> String? {
    for member in members {
      let path = prefix + String(decoding: member.name, as: UTF8.self)
      if let found = Self.path(in: member.value, at: path) { return found }
    }
    return nil
  }

  /// A token may be an object, a string with its JSON, or a string with base64 of its JSON.
  private static func path(in value: JSONValue, at path: String) -> String? {
    switch value.kind {
    case .object(let members):
      return isToken(members) ? path : Self.path(in: members, below: "\(path).")
    case .array(let values):
      for (index, value) in values.enumerated() {
        if let found = Self.path(in: value, at: "\(path)[\(index)]") { return found }
      }
      return nil
    case .string(let text):
      let isToken = holdsToken(Array(text)) || TextForm(text: Array(text)).base64.map(holdsToken) ?? false
      return isToken ? path : nil
    case .number, .boolean, .null:
      return nil
    }
  }

  /// Whether an object looks like a token by the names of its members.
  static func isToken(_ members: [JSONMember]) -> Bool {
    let known = ["version", "data", "signature", "header"]
    return members.value(of: "data") != nil && known.count(where: { members.value(of: $0) != nil }) >= 3
  }

  /// Whether bytes are JSON that looks like a token or contains one.
  static func holdsToken(_ bytes: [UInt8]) -> Bool {
    guard bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{"),
      let text = TokenText(bytes.span)
    else { return false }
    return isToken(text.members) || path(in: text.members) != nil
  }
}
