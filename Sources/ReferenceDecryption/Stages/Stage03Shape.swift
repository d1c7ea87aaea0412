import PaymentToken

/// The members of a token as text: present and strings, not yet decoded.
struct TokenText {
  let version: TokenVersion
  let data: WipedSlice
  let signature: WipedSlice
  /// `ephemeralPublicKey` or `wrappedKey`, by the version.
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
    let versionText = try requiredString(.version, in: token)
    let data = try requiredString(.data, in: token)
    let signature = try requiredString(.signature, in: token)
    let header = try requiredObject(.header, in: token)
    let publicKeyHash = try requiredString(.publicKeyHash, in: header)
    let transactionId = try requiredString(.transactionId, in: header)
    // 3.2
    guard let version = TokenVersion.allCases.first(where: { versionText.isText($0.rawValue) }) else {
      throw TokenFault(.unsupportedVersion, member: .version)
    }
    trace.note(.version(version))
    // 3.3
    let otherField = keyMember(of: version == .ecV1 ? .rsaV1 : .ecV1)
    let keyField = try requiredString(keyMember(of: version), in: header)
    guard header.value(of: otherField.name) == nil else {
      throw TokenFault(.conflictingMembers, member: otherField)
    }
    // 3.4
    let applicationData = try optionalString(.applicationData, in: header)
    return TokenText(
      version: version, data: data, signature: signature, keyField: keyField, publicKeyHash: publicKeyHash,
      transactionId: transactionId, applicationData: applicationData)
  }

  /// 3.3: the member that brings the key in tokens of that version.
  static func keyMember(of version: TokenVersion) -> TokenMember {
    switch version {
    case .ecV1: .ephemeralPublicKey
    case .rsaV1: .wrappedKey
    }
  }

  private static func required(_ member: TokenMember, in members: [JSONMember]) throws(TokenFault) -> JSONValue {
    guard let value = members.value(of: member.name) else { throw TokenFault(.missingMember, member: member) }
    return value
  }

  private static func requiredString(
    _ member: TokenMember, in members: [JSONMember]
  ) throws(TokenFault) -> WipedSlice {
    guard let text = try required(member, in: members).string else { throw TokenFault(.wrongType, member: member) }
    return text
  }

  private static func requiredObject(
    _ member: TokenMember, in members: [JSONMember]
  ) throws(TokenFault) -> [JSONMember] {
    guard let object = try required(member, in: members).members else {
      throw TokenFault(.wrongType, member: member)
    }
    return object
  }

  private static func optionalString(
    _ member: TokenMember, in members: [JSONMember]
  ) throws(TokenFault) -> WipedSlice? {
    guard members.value(of: member.name) != nil else { return nil }
    return try requiredString(member, in: members)
  }
}
