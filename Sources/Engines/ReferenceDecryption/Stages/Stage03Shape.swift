import PaymentToken

/// The members of a token as text, not yet decoded.
struct TokenText {
  let version: TokenVersion
  let data: WipedSlice
  let signature: WipedSlice
  /// `ephemeralPublicKey` (EC_v1) or `wrappedKey` (RSA_v1).
  let keyField: WipedSlice
  let publicKeyHash: WipedSlice
  let transactionId: WipedSlice
  let applicationData: WipedSlice?
}

extension ReferenceDecryptor {
  /// Stage 3, in the order of its rules.
  ///
  /// - Throws: `missingMember`, `wrongType`, `unsupportedVersion`, `conflictingMembers`, each naming the member.
  static func readShape(_ document: JSONDocument, trace: inout Trace) throws(TokenFault) -> TokenText {
    trace.begin(.shape)
    // 3.1
    let token = document.members
    let versionText = try requiredString(.version, token[.version])
    let data = try requiredString(.data, token[.data])
    let signature = try requiredString(.signature, token[.signature])
    let header = try requiredObject(.header, token[.header])
    let publicKeyHash = try requiredString(.publicKeyHash, header[.publicKeyHash])
    let transactionId = try requiredString(.transactionId, header[.transactionId])
    // 3.2
    guard let version = TokenVersion.allCases.first(where: { versionText.isText($0.rawValue) }) else {
      throw TokenFault(.unsupportedVersion, member: .version)
    }
    trace.note(.version(version))
    // 3.3
    let rules = version.rules
    let keyField = try requiredString(rules.keyMember, header[rules.keyMember])
    guard header[rules.conflictingMember] == nil else {
      throw TokenFault(.conflictingMembers, member: rules.conflictingMember)
    }
    // 3.4
    let applicationData = try optionalString(.applicationData, header[.applicationData])
    return TokenText(
      version: version, data: data, signature: signature, keyField: keyField, publicKeyHash: publicKeyHash,
      transactionId: transactionId, applicationData: applicationData)
  }

  /// A member that is required and must be a string.
  static func requiredString(_ member: TokenMember, _ value: JSONValue?) throws(TokenFault) -> WipedSlice {
    guard let value else { throw TokenFault(.missingMember, member: member) }
    guard let text = value.string else { throw TokenFault(.wrongType, member: member) }
    return text
  }

  /// A member that may be absent and otherwise must be a string.
  static func optionalString(_ member: TokenMember, _ value: JSONValue?) throws(TokenFault) -> WipedSlice? {
    guard let value else { return nil }
    return try requiredString(member, value)
  }

  private static func requiredObject(_ member: TokenMember, _ value: JSONValue?) throws(TokenFault) -> [JSONMember] {
    guard let value else { throw TokenFault(.missingMember, member: member) }
    guard let object = value.members else { throw TokenFault(.wrongType, member: member) }
    return object
  }
}

extension [JSONMember] {
  fileprivate subscript(member: TokenMember) -> JSONValue? { value(of: member.name) }
}
