import PaymentToken

/// The members of an unsigned token as text, not yet decoded.
struct UnsignedText {
  let data: WipedSlice
  let ephemeralPublicKey: WipedSlice
  let publicKeyHash: WipedSlice
}

extension ReferenceDecryptor {
  /// Stage 3 of a token in parts (0.8), which is EC_v1 and has no header.
  ///
  /// - Throws: `missingMember`, `wrongType`, `conflictingMembers`, each naming the member.
  static func readShape(_ parts: EnvelopeParts, trace: inout Trace) throws(TokenFault) -> TokenText {
    trace.begin(.shape)
    trace.note(.version(.ecV1))
    // 3.1
    let data = try requiredString(.data, parts[.data])
    let signature = try requiredString(.signature, parts[.signature])
    let publicKeyHash = try requiredString(.publicKeyHash, parts[.publicKeyHash])
    let transactionId = try requiredString(.transactionId, parts[.transactionId])
    // 3.3
    let keyField = try requiredString(.ephemeralPublicKey, parts[.ephemeralPublicKey])
    guard parts[.wrappedKey] == nil else { throw TokenFault(.conflictingMembers, member: .wrappedKey) }
    // 3.4
    let applicationData = try optionalString(.applicationData, parts[.applicationData])
    return TokenText(
      version: .ecV1, data: data, signature: signature, keyField: keyField, publicKeyHash: publicKeyHash,
      transactionId: transactionId, applicationData: applicationData)
  }

  /// Stage 3 of unsigned parts, under the unsigned policy.
  ///
  /// - Parameter remembersTransactions: whether the caller detects replays, which requires a signed `transactionId`.
  /// - Throws: `missingMember`, `wrongType`, each naming the member.
  static func readUnsignedShape(
    _ parts: EnvelopeParts, remembersTransactions: Bool, trace: inout Trace
  ) throws(TokenFault) -> UnsignedText {
    trace.begin(.shape)
    trace.note(.version(.ecV1))
    let data = try requiredString(.data, parts[.data])
    let publicKeyHash = try requiredString(.publicKeyHash, parts[.publicKeyHash])
    guard !remembersTransactions else { throw TokenFault(.missingMember, member: .transactionId) }
    let ephemeralPublicKey = try requiredString(.ephemeralPublicKey, parts[.ephemeralPublicKey])
    return UnsignedText(data: data, ephemeralPublicKey: ephemeralPublicKey, publicKeyHash: publicKeyHash)
  }
}
