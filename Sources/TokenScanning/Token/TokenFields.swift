import PaymentToken

/// Where the members of a well-shaped EC_v1 token lie in its text (Docs/Verification.md stages 1 to 3).
public struct TokenFields: Sendable, BitwiseCopyable {
  public let version: TokenVersion
  public let data: JSONString
  public let signature: JSONString
  /// `header.ephemeralPublicKey` of EC_v1.
  public let key: JSONString
  public let publicKeyHash: JSONString
  public let transactionId: JSONString
  public let applicationData: JSONString?

  /// The largest token, in bytes.
  public static var maximumTokenSize: Int { 65_536 }

  /// Decides stages 1 to 3.
  public init(scanning token: Span<UInt8>) throws(TokenFault) {
    guard token.count <= Self.maximumTokenSize else { throw TokenFault(.tokenTooLarge) }
    var members = TokenMembers()
    do {
      try members.scan(token)
    } catch {
      throw TokenFault(.malformedJSON)
    }
    if members.hasRepeatedName {
      throw TokenFault(.duplicateMember, member: members.repeatedMember)
    }
    let versionText = try members.requiredString(.version)
    data = try members.requiredString(.data)
    signature = try members.requiredString(.signature)
    try members.requireHeader()
    publicKeyHash = try members.requiredString(.publicKeyHash)
    transactionId = try members.requiredString(.transactionId)
    guard versionText.equals("EC_v1", in: token) else {
      throw TokenFault(.unsupportedVersion, member: .version)
    }
    version = .ecV1
    key = try members.requiredString(.ephemeralPublicKey)
    guard members.isAbsent(.wrappedKey) else {
      throw TokenFault(.conflictingMembers, member: .wrappedKey)
    }
    applicationData = members.isAbsent(.applicationData) ? nil : try members.requiredString(.applicationData)
  }
}
