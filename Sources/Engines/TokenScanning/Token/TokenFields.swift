import PaymentToken

/// The members of a token, as positions in its text, after stages 1 to 3 (Docs/Verification.md).
public struct TokenFields: Sendable, BitwiseCopyable {
  /// `version`.
  public let version: TokenVersion
  /// `data`.
  public let data: JSONString
  /// `signature`.
  public let signature: JSONString
  /// `header.ephemeralPublicKey` of EC_v1, `header.wrappedKey` of RSA_v1.
  public let key: JSONString
  /// `header.publicKeyHash`.
  public let publicKeyHash: JSONString
  /// `header.transactionId`.
  public let transactionId: JSONString
  /// `header.applicationData`.
  public let applicationData: JSONString?

  /// The size of the largest token, in bytes.
  public static var maximumTokenSize: Int { 16_384 }

  /// Decides stages 1 to 3 for a token.
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
    guard let version = TokenVersion(versionText, in: token) else {
      throw TokenFault(.unsupportedVersion, member: .version)
    }
    self.version = version
    key = try members.key(of: version)
    applicationData = try members.optionalString(.applicationData)
  }

  /// Decides stages 1 to 3 for a token in parts (0.8), which is of EC_v1 and has no `header`.
  public init(_ parts: TokenParts) throws(TokenFault) {
    try Self.checkSize(parts.size)
    let members = parts.members
    version = .ecV1
    data = try members.requiredString(.data)
    signature = try members.requiredString(.signature)
    publicKeyHash = try members.requiredString(.publicKeyHash)
    transactionId = try members.requiredString(.transactionId)
    key = try members.key(of: version)
    applicationData = try members.optionalString(.applicationData)
  }

  /// Decides stage 1 (1.1).
  static func checkSize(_ count: Int) throws(TokenFault) {
    guard count <= maximumTokenSize else { throw TokenFault(.tokenTooLarge) }
  }
}

extension TokenMembers {
  /// The member with the key of this version. The other version's member must be absent (3.3).
  fileprivate func key(of version: TokenVersion) throws(TokenFault) -> JSONString {
    let establishment = version.traits.keyEstablishment
    let key = try requiredString(establishment.member)
    guard isAbsent(establishment.otherMember) else {
      throw TokenFault(.conflictingMembers, member: establishment.otherMember)
    }
    return key
  }
}

extension TokenVersion {
  /// The version with this name (3.2).
  fileprivate init?(_ name: JSONString, in token: Span<UInt8>) {
    // Nearly all tokens are of EC_v1, so it is compared first, without iterating.
    if name.equals(TokenVersion.ecV1.traits.name, in: token) {
      self = .ecV1
      return
    }
    for version in TokenVersion.allCases where name.equals(version.traits.name, in: token) {
      self = version
      return
    }
    return nil
  }
}
