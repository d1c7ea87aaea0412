import PaymentToken

/// A token that comes in parts: an object whose members stand for those of a token of EC_v1 (rule 0.8).
package struct EnvelopeParts {
  /// The octets of the object as written.
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
