import PaymentToken

/// The decoded members that decrypting needs, of signed and unsigned tokens alike. Their lengths are checked.
struct SealedFields {
  let version: TokenVersion
  /// The ciphertext and the 16-byte tag.
  let data: [UInt8]
  /// The ephemeral key of EC_v1, the wrapped key of RSA_v1.
  let keyField: [UInt8]
  let publicKeyHash: Bytes32

  /// Nil where the key is wrapped.
  var ephemeralPublicKey: [UInt8]? {
    switch version.rules.keyTransport {
    case .ephemeral: keyField
    case .wrapped: nil
    }
  }
}

/// The decoded members of a signed token. Their lengths are checked.
struct TokenFields {
  let sealed: SealedFields
  /// The CMS SignedData.
  let signature: [UInt8]
  let transactionId: Bytes32
  let applicationData: Bytes32?

  var version: TokenVersion { sealed.version }

  /// 8.1: the bytes that Apple signed. They have no separators, so bytes moved from one member to the next can leave
  /// the signature valid. Such a token has another authentication tag, or wrapped key, and stage 12 rejects it.
  var signedContent: [UInt8] { signedContent(withApplicationData: applicationData) }

  /// The bytes that Apple would have signed with this application data, or with none.
  func signedContent(withApplicationData applicationData: Bytes32?) -> [UInt8] {
    sealed.keyField + sealed.data + transactionId.bytes + (applicationData?.bytes ?? [])
  }
}

extension ReferenceDecryptor {
  /// 4.3: one byte of ciphertext and the tag.
  private static let minimumDataSize = AuthenticatedDecryption.tagSize + 1

  /// Stage 4, member by member, checking the encoding before the length.
  ///
  /// - Throws: `invalidBase64`, `invalidHex`, `invalidLength`, each naming the member.
  static func decodeMembers(_ text: TokenText, trace: inout Trace) throws(TokenFault) -> TokenFields {
    trace.begin(.encodings)
    let data = try data(text.data, trace: &trace)
    let signature = try base64(text.signature, .signature, trace: &trace)
    guard signature.count >= 1 else { throw TokenFault(.invalidLength, member: .signature) }
    let keyField = try keyField(text.keyField, version: text.version, trace: &trace)
    let publicKeyHash = try bytes32(base64(text.publicKeyHash, .publicKeyHash, trace: &trace), .publicKeyHash)
    let transactionId = try bytes32(hex(text.transactionId, .transactionId, trace: &trace), .transactionId)
    var applicationData: Bytes32?
    if let written = text.applicationData {
      applicationData = try bytes32(hex(written, .applicationData, trace: &trace), .applicationData)
    }
    return TokenFields(
      sealed: SealedFields(version: text.version, data: data, keyField: keyField, publicKeyHash: publicKeyHash),
      signature: signature, transactionId: transactionId, applicationData: applicationData)
  }

  /// Stage 4 of unsigned parts.
  ///
  /// - Throws: `invalidBase64`, `invalidLength`, each naming the member.
  static func decodeMembers(_ text: UnsignedText, trace: inout Trace) throws(TokenFault) -> SealedFields {
    trace.begin(.encodings)
    let data = try data(text.data, trace: &trace)
    let keyField = try keyField(text.ephemeralPublicKey, version: .ecV1, trace: &trace)
    let publicKeyHash = try bytes32(base64(text.publicKeyHash, .publicKeyHash, trace: &trace), .publicKeyHash)
    return SealedFields(version: .ecV1, data: data, keyField: keyField, publicKeyHash: publicKeyHash)
  }

  private static func data(_ text: WipedSlice, trace: inout Trace) throws(TokenFault) -> [UInt8] {
    let data = try base64(text, .data, trace: &trace)
    guard data.count >= minimumDataSize else { throw TokenFault(.invalidLength, member: .data) }
    return data
  }

  private static func keyField(
    _ text: WipedSlice, version: TokenVersion, trace: inout Trace
  ) throws(TokenFault) -> [UInt8] {
    let rules = version.rules
    let keyField = try base64(text, rules.keyMember, trace: &trace)
    guard rules.keyFieldSizes.contains(keyField.count) else {
      throw TokenFault(.invalidLength, member: rules.keyMember)
    }
    return keyField
  }

  private static func base64(
    _ text: WipedSlice, _ member: TokenMember, trace: inout Trace
  ) throws(TokenFault) -> [UInt8] {
    guard let bytes = StrictBase64.decode(text) else { throw TokenFault(.invalidBase64, member: member) }
    trace.note(.decodedSize(member, bytes.count))
    return bytes
  }

  private static func hex(
    _ text: WipedSlice, _ member: TokenMember, trace: inout Trace
  ) throws(TokenFault) -> [UInt8] {
    guard let bytes = StrictHex.decode(text) else { throw TokenFault(.invalidHex, member: member) }
    trace.note(.decodedSize(member, bytes.count))
    return bytes
  }

  private static func bytes32(_ bytes: [UInt8], _ member: TokenMember) throws(TokenFault) -> Bytes32 {
    guard let value = Bytes32(bytes) else { throw TokenFault(.invalidLength, member: member) }
    return value
  }
}
