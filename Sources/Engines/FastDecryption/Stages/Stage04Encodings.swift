import PaymentToken
import TokenScanning

extension Workspace {
  private static var smallestData: Int { ContentCipher.tagSize + 1 }

  /// Decides stage 4, member by member in its order (Docs/Verification.md 4).
  ///
  /// `data` is decoded into its place among the signed bytes, and `signature` into `cms`. Other members are decoded
  /// into `small` and copied, since a malformed one may be longer than its place.
  func decode(_ fields: TokenFields, of token: Span<UInt8>) throws(TokenFault) -> DecodedToken {
    let dataSize = try decodeData(fields.data, of: token)

    var signature = cms.mutableSpan
    let cmsSize = try Self.decodeBase64(fields.signature, .signature, of: token, unescaping: text, into: &signature)
    guard cmsSize >= 1 else { throw TokenFault(.invalidLength, member: .signature) }

    let keySize = try decodeKey(fields.key, of: token, version: fields.version)
    let publicKeyHash = try decodeHash(fields.publicKeyHash, of: token)
    let content = EncryptedContent(
      version: fields.version, publicKeyHash: publicKeyHash, keySize: keySize, dataSize: dataSize)

    let transactionId = try decodeHex(fields.transactionId, .transactionId, of: token, at: content.endOffset)
    var applicationData: Bytes32?
    if let string = fields.applicationData {
      applicationData = try decodeHex(string, .applicationData, of: token, at: content.endOffset + Bytes32.count)
    }
    return DecodedToken(
      content: content, cmsSize: cmsSize, transactionId: transactionId, applicationData: applicationData)
  }

  /// Decides stage 4 of an unsigned token.
  func decode(_ fields: UnsignedFields, of request: Span<UInt8>) throws(TokenFault) -> EncryptedContent {
    let dataSize = try decodeData(fields.data, of: request)
    let keySize = try decodeKey(fields.key, of: request, version: .ecV1)
    let publicKeyHash = try decodeHash(fields.publicKeyHash, of: request)
    return EncryptedContent(version: .ecV1, publicKeyHash: publicKeyHash, keySize: keySize, dataSize: dataSize)
  }

  private func decodeData(_ string: JSONString, of token: Span<UInt8>) throws(TokenFault) -> Int {
    var data = signed.mutableSpan(from: EncryptedContent.dataOffset)
    let count = try Self.decodeBase64(string, .data, of: token, unescaping: text, into: &data)
    guard count >= Self.smallestData else { throw TokenFault(.invalidLength, member: .data) }
    return count
  }

  private func decodeHash(_ string: JSONString, of token: Span<UInt8>) throws(TokenFault) -> Bytes32 {
    var hash = small.mutableSpan
    let count = try Self.decodeBase64(string, .publicKeyHash, of: token, unescaping: text, into: &hash)
    guard count == Bytes32.count, let publicKeyHash = Bytes32(small.span) else {
      throw TokenFault(.invalidLength, member: .publicKeyHash)
    }
    return publicKeyHash
  }

  /// Decodes ephemeralPublicKey or wrappedKey to just before `data`.
  private func decodeKey(
    _ string: JSONString, of token: Span<UInt8>, version: TokenVersion
  ) throws(TokenFault) -> Int {
    let member = version.traits.keyEstablishment.member
    var key = small.mutableSpan
    let count = try Self.decodeBase64(string, member, of: token, unescaping: text, into: &key)
    guard version.traits.keyMemberSizes.contains(count) else { throw TokenFault(.invalidLength, member: member) }
    signed.copy(first: count, of: small, to: EncryptedContent.dataOffset - count)
    return count
  }

  /// Decodes a hex member of 32 bytes into its place among the signed bytes.
  private func decodeHex(
    _ string: JSONString, _ member: TokenMember, of token: Span<UInt8>, at offset: Int
  ) throws(TokenFault) -> Bytes32 {
    var bytes = small.mutableSpan
    guard let count = HexText.decode(string.content(in: token, unescaping: text), into: &bytes) else {
      throw TokenFault(.invalidHex, member: member)
    }
    guard count == Bytes32.count, let value = Bytes32(small.span) else {
      throw TokenFault(.invalidLength, member: member)
    }
    signed.copy(first: count, of: small, to: offset)
    return value
  }

  private static func decodeBase64(
    _ string: JSONString, _ member: TokenMember, of token: Span<UInt8>, unescaping text: borrowing ByteBuffer,
    into output: inout MutableSpan<UInt8>
  ) throws(TokenFault) -> Int {
    guard let count = Base64Text.decode(string.content(in: token, unescaping: text), into: &output) else {
      throw TokenFault(.invalidBase64, member: member)
    }
    return count
  }
}

extension JSONString {
  /// The content: the bytes as written or, if there are escapes, the unescaped bytes in `room`.
  @_lifetime(copy input, borrow room)
  func content(in input: Span<UInt8>, unescaping room: borrowing ByteBuffer) -> Span<UInt8> {
    guard hasEscapes else { return input.extracting(range) }
    var content = room.mutableSpan
    let count = unescape(from: input, into: &content)
    return room.span.extracting(first: count)
  }
}
