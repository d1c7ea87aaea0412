import PaymentToken

/// Where the members of a well-shaped token lie in its text (Docs/Verification.md stages 1 to 3).
public struct TokenFields: Sendable, BitwiseCopyable {
  public let version: TokenVersion
  public let data: JSONString
  public let signature: JSONString
  /// `header.ephemeralPublicKey` of EC_v1, `header.wrappedKey` of RSA_v1.
  public let key: JSONString
  public let publicKeyHash: JSONString
  public let transactionId: JSONString
  public let applicationData: JSONString?

  /// The largest token, in bytes.
  public static var maximumTokenSize: Int { 65_536 }

  /// Decides stages 1 to 3.
  public init(scanning token: Span<UInt8>) throws(TokenFault) {
    try Self.checkSize(token.count)
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
    if versionText.equals("EC_v1", in: token) {
      version = .ecV1
    } else if versionText.equals("RSA_v1", in: token) {
      version = .rsaV1
    } else {
      throw TokenFault(.unsupportedVersion, member: .version)
    }
    key = try members.requiredString(version.keyMember)
    guard members.isAbsent(version.otherKeyMember) else {
      throw TokenFault(.conflictingMembers, member: version.otherKeyMember)
    }
    applicationData = try members.optionalString(.applicationData)
  }

  /// Decides stages 1 to 3 of a token in parts (0.8): a request's ranges, its version EC_v1, and no `header` to ask for.
  public init(_ parts: TokenParts) throws(TokenFault) {
    try Self.checkSize(parts.size)
    let members = parts.members
    version = .ecV1
    data = try members.requiredString(.data)
    signature = try members.requiredString(.signature)
    publicKeyHash = try members.requiredString(.publicKeyHash)
    transactionId = try members.requiredString(.transactionId)
    key = try members.requiredString(version.keyMember)
    guard members.isAbsent(version.otherKeyMember) else {
      throw TokenFault(.conflictingMembers, member: version.otherKeyMember)
    }
    applicationData = try members.optionalString(.applicationData)
  }

  /// Decides stage 1.
  static func checkSize(_ count: Int) throws(TokenFault) {
    guard count <= maximumTokenSize else { throw TokenFault(.tokenTooLarge) }
  }
}

extension TokenVersion {
  /// The member that leads to the content key.
  public var keyMember: TokenMember { self == .ecV1 ? .ephemeralPublicKey : .wrappedKey }

  /// The member a token of this version must not have.
  var otherKeyMember: TokenMember { self == .ecV1 ? .wrappedKey : .ephemeralPublicKey }
}
