import ReferenceDecryption

/// A token found somewhere inside a document.
struct NestedToken {
  /// How the token is written there.
  enum Form {
    case object
    /// A string that holds its JSON.
    case text
    /// A string that holds its JSON as base64.
    case base64
  }

  /// The names that lead to it, joined by full stops.
  let path: String
  let form: Form

  /// The first token below these members; not they themselves.
  static func find(in members: [JSONMember], below prefix: String = "") -> NestedToken? {
    for member in members {
      let path = prefix + String(decoding: member.name, as: UTF8.self)
      if let found = find(in: member.value, at: path) { return found }
    }
    return nil
  }

  private static func find(in value: JSONValue, at path: String) -> NestedToken? {
    switch value.kind {
    case .object(let members):
      return isToken(members) ? NestedToken(path: path, form: .object) : find(in: members, below: "\(path).")
    case .array(let values):
      for (index, value) in values.enumerated() {
        if let found = find(in: value, at: "\(path)[\(index)]") { return found }
      }
      return nil
    case .string(let text):
      if holdsToken(Array(text)) { return NestedToken(path: path, form: .text) }
      if let decoded = TextForm(text: Array(text)).base64, holdsToken(decoded) {
        return NestedToken(path: path, form: .base64)
      }
      return nil
    case .number, .boolean, .null:
      return nil
    }
  }

  /// Whether an object looks like a token: enough of its members' names are there.
  static func isToken(_ members: [JSONMember]) -> Bool {
    let known = ["version", "data", "signature", "header"]
    return members.value(of: "data") != nil && known.count(where: { members.value(of: $0) != nil }) >= 3
  }

  /// Whether octets are JSON that looks like a token, or holds one.
  static func holdsToken(_ octets: [UInt8]) -> Bool {
    guard octets.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{"),
      let text = TokenText(octets.span)
    else { return false }
    return isToken(text.members) || find(in: text.members) != nil
  }
}
