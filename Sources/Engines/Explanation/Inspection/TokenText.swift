import PaymentToken
import ReferenceDecryption

/// The token's JSON read once more, without any rule of shape: for looking at what a stage refused.
struct TokenText {
  /// The members as written, of the token or of the object that holds its parts.
  let members: [JSONMember]
  private let parts: EnvelopeParts?

  /// Nil when it is not one strict JSON object.
  init?(_ token: Span<UInt8>) {
    guard let document = try? JSONDocument(WipedBytes(token)) else { return nil }
    members = document.members
    parts = nil
  }

  /// The token in a request; nil when it is not one strict JSON object.
  init?(_ extracted: ExtractedRequest, in request: Span<UInt8>) {
    guard case .parts(let parts) = extracted.content else {
      guard let token = extracted.token(in: request), let document = try? JSONDocument(token) else { return nil }
      members = document.members
      self.parts = nil
      return
    }
    members = parts.members
    self.parts = parts
  }

  /// Whether it came in parts.
  var isInParts: Bool { parts != nil }

  /// The value of one of the token's members.
  subscript(member: TokenMember) -> JSONValue? {
    if let parts { return parts[member] }
    let path = member.path.split(separator: ".").map { String($0) }
    guard path.count == 2 else { return members.value(of: path[0]) }
    return members.value(of: path[0])?.members?.value(of: path[1])
  }

  /// The text of a member that is a string.
  func form(of member: TokenMember) -> TextForm? {
    self[member]?.string.map { TextForm(text: Array($0)) }
  }
}

extension JSONValue {
  /// The type in JSON's words.
  var typeName: String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }
}
