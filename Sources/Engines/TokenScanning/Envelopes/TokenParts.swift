import PaymentToken

/// The parts of an EC_v1 token in an object, before they are checked (Docs/Verification.md 0.8).
public struct TokenParts: Sendable {
  /// The size of the object in bytes.
  let size: Int
  let members: TokenMembers

  init(_ parts: [EnvelopePlan.Part], in object: Range<Int>, of request: borrowing RequestMembers) {
    size = object.count
    var members = TokenMembers()
    // Of two parts for one member, the first one present is used.
    for part in parts where members.isAbsent(part.member) {
      members.set(part.member, to: request.value(at: part.node))
    }
    self.members = members
  }

  /// Whether there is a signature, of any type.
  public var isSigned: Bool { !members.isAbsent(.signature) }
}

/// The positions of an unsigned token's members in its request (Docs/Verification.md, "Unsigned policy").
public struct UnsignedFields: Sendable, BitwiseCopyable {
  /// `data`.
  public let data: JSONString
  /// `header.ephemeralPublicKey`.
  public let key: JSONString
  /// `header.publicKeyHash`.
  public let publicKeyHash: JSONString

  /// Decides stages 1 and 3 for parts without a signature.
  ///
  /// - Parameter isRemembered: whether the policy detects replays. Then `transactionId` counts as missing.
  public init(_ parts: TokenParts, isRemembered: Bool) throws(TokenFault) {
    try TokenFields.checkSize(parts.size)
    data = try parts.members.requiredString(.data)
    publicKeyHash = try parts.members.requiredString(.publicKeyHash)
    if isRemembered { throw TokenFault(.missingMember, member: .transactionId) }
    key = try parts.members.requiredString(.ephemeralPublicKey)
  }
}
