import PaymentToken

/// The result of stage 0: the token, or its parts, for the other stages.
package struct ExtractedRequest {
  /// Where the token's members are.
  package enum Content {
    /// The request is the token.
    case request
    /// Exactly these bytes are the token (rule 0.7).
    case token(WipedBytes)
    /// The token's members are parts of the request (rule 0.8).
    case parts(EnvelopeParts)
  }

  /// A field that must name the token's transaction. Its value is nil when the field is absent.
  struct TransactionField {
    let path: [String]
    let value: JSONValue?
  }

  /// The name of the envelope that the request was read as.
  let envelope: String
  /// The token or its parts.
  package let content: Content
  /// The fields that stage 14 compares with the token's transactionId (14.0).
  var transactionFields: [TransactionField] = []

  /// The token's bytes; nil for parts.
  package func token(in request: Span<UInt8>) -> WipedBytes? {
    switch content {
    case .request: WipedBytes(request)
    case .token(let bytes): bytes
    case .parts: nil
    }
  }

  /// The parts, if they are unsigned: without a `signature` of any type.
  package var unsignedParts: EnvelopeParts? {
    guard case .parts(let parts) = content, parts[.signature] == nil else { return nil }
    return parts
  }
}

/// A token in parts: an object whose members stand for those of an EC_v1 token (rule 0.8).
package struct EnvelopeParts {
  /// The size of the object as written, in bytes.
  let size: Int
  /// The members as written, parts and others.
  package let members: [JSONMember]
  private let parts: [Envelope.Part]

  init(size: Int, members: [JSONMember], parts: [Envelope.Part]) {
    self.size = size
    self.members = members
    self.parts = parts
  }

  /// The part that stands for a member; nil when it is absent, or the envelope has none for it.
  package subscript(member: TokenMember) -> JSONValue? { named(member).first?.value }

  /// The names that a member may have here, the usual one first.
  func names(of member: TokenMember) -> [String] { parts.filter { $0.member == member }.map(\.name) }

  /// The parts present that stand for a member (rule 0.11).
  package func named(_ member: TokenMember) -> [(name: String, value: JSONValue)] {
    names(of: member).compactMap { name in members.value(of: name).map { (name, $0) } }
  }
}

/// Paths of member names through a request, the outermost name first.
extension [JSONMember] {
  /// The values at the end of `path`, where every name exists and every value but the last is an object (rule 0.4).
  ///
  /// There is more than one only where a name along the path is repeated (rule 0.9).
  func values(at path: ArraySlice<String>) -> [JSONValue] {
    guard let name = path.first else { return [] }
    let found = filter { $0.name.isText(name) }.map(\.value)
    guard path.count > 1 else { return found }
    return found.compactMap(\.members).flatMap { $0.values(at: path.dropFirst()) }
  }

  /// The values at the end of a whole path.
  func values(at path: [String]) -> [JSONValue] { values(at: path[...]) }

  /// The depth along `path` of the first name that occurs more than once in its object (rule 0.3), whether or not the
  /// rest of the path exists; nil when there is none.
  func depthOfRepetition(along path: ArraySlice<String>) -> Int? {
    guard let name = path.first else { return nil }
    let found = filter { $0.name.isText(name) }
    if found.count > 1 { return 1 }
    guard let object = found.first?.value.members else { return nil }
    return object.depthOfRepetition(along: path.dropFirst()).map { $0 + 1 }
  }
}
