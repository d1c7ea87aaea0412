import PaymentToken

/// What stage 0 leaves for all other stages to judge.
package struct ExtractedRequest {
  /// Where the token's members are.
  package enum Content {
    /// The request is the token.
    case request
    /// Exactly these bytes are the token (rule 0.7).
    case token(WipedBytes)
    case parts(EnvelopeParts)
  }

  /// A field that has to name the token's transaction, and what stands there; nil when it is absent.
  struct TransactionField {
    let path: [String]
    let value: JSONValue?
  }

  /// The name of the envelope it was read by.
  let envelope: String
  package let content: Content
  /// For 14.0.
  var transactionFields: [TransactionField] = []

  /// The token's bytes; nil for parts.
  package func token(in request: Span<UInt8>) -> WipedBytes? {
    switch content {
    case .request: WipedBytes(request)
    case .token(let bytes): bytes
    case .parts: nil
    }
  }

  /// The parts when nobody signed them: there is no `signature`, of whatever type.
  package var unsignedParts: EnvelopeParts? {
    guard case .parts(let parts) = content, parts[.signature] == nil else { return nil }
    return parts
  }
}

/// A token that comes in parts: an object whose members stand for those of a token of EC_v1 (rule 0.8).
package struct EnvelopeParts {
  /// The bytes of the object as written.
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
  package subscript(member: TokenMember) -> JSONValue? {
    named(member).first?.value
  }

  /// The names that a member may have here, the usual one first.
  func names(of member: TokenMember) -> [String] { parts.filter { $0.member == member }.map(\.name) }

  /// Those parts that stand for a member and are there (rule 0.11).
  func named(_ member: TokenMember) -> [(name: String, value: JSONValue)] {
    names(of: member).compactMap { name in members.value(of: name).map { (name, $0) } }
  }
}

/// Paths of member names through a request, the outermost name first.
extension [JSONMember] {
  /// What stands at the end of `path`: every name of it is there, each but the last in an object (rule 0.4).
  ///
  /// Several values where a name is repeated on the way (rule 0.9); at most one where none is.
  func values(at path: ArraySlice<String>) -> [JSONValue] {
    guard let name = path.first else { return [] }
    let found = filter { $0.name.isText(name) }.map(\.value)
    guard path.count > 1 else { return found }
    return found.compactMap(\.members).flatMap { $0.values(at: path.dropFirst()) }
  }

  /// The same for a whole path.
  func values(at path: [String]) -> [JSONValue] { values(at: path[...]) }

  /// How far along `path` the first name stands that occurs more than once in its object (rule 0.3), whether or not
  /// the rest of the path is there; nil when none does.
  func depthOfRepetition(along path: ArraySlice<String>) -> Int? {
    guard let name = path.first else { return nil }
    let found = filter { $0.name.isText(name) }
    if found.count > 1 { return 1 }
    guard let object = found.first?.value.members else { return nil }
    return object.depthOfRepetition(along: path.dropFirst()).map { $0 + 1 }
  }
}
