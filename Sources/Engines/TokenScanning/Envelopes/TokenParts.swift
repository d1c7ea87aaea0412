import PaymentToken

/// The parts of a token of EC_v1 that an object holds, before any of them is judged (Docs/Verification.md 0.8).
public struct TokenParts: Sendable {
  /// Bytes of the object that holds them.
  let size: Int
  let members: TokenMembers

  init(_ parts: [EnvelopePlan.Part], in object: Range<Int>, of request: borrowing RequestMembers) {
    size = object.count
    var members = TokenMembers()
    // Of two parts that stand for one member, the first that is there counts.
    for part in parts where members.isAbsent(part.member) {
      members.set(part.member, to: request.value(at: part.node))
    }
    self.members = members
  }

  /// Whether there is a signature, of whatever type.
  public var isSigned: Bool { !members.isAbsent(.signature) }
}

/// Where the members of an unsigned token lie in its request (Docs/Verification.md, "Unsigned policy").
public struct UnsignedFields: Sendable, BitwiseCopyable {
  public let data: JSONString
  /// `header.ephemeralPublicKey`.
  public let key: JSONString
  public let publicKeyHash: JSONString

  /// Decides stages 1 and 3 of parts that have no signature.
  ///
  /// - Parameter isRemembered: whether replays are to be detected, which nothing unsigned allows.
  public init(_ parts: TokenParts, isRemembered: Bool) throws(TokenFault) {
    try TokenFields.checkSize(parts.size)
    data = try parts.members.requiredString(.data)
    publicKeyHash = try parts.members.requiredString(.publicKeyHash)
    if isRemembered { throw TokenFault(.missingMember, member: .transactionId) }
    key = try parts.members.requiredString(.ephemeralPublicKey)
  }
}
