import PaymentToken
import TokenScanning

/// What stage 4 leaves in a workspace.
struct DecodedToken {
  let version: TokenVersion
  let signatureCount: Int
  let publicKeyHash: Octets32
  let content: SignedContent

  /// Octets of ciphertext without the tag, and so of the plaintext.
  var ciphertextCount: Int { content.dataCount - ContentCipher.tagSize }

  /// Where the ephemeral key lies among the signed bytes; empty under RSA_v1.
  var ephemeralPublicKey: Range<Int> {
    switch version {
    case .ecV1: content.keyOffset..<SignedContent.dataOffset
    case .rsaV1: SignedContent.dataOffset..<SignedContent.dataOffset
    }
  }
}

extension Workspace {
  private static var smallestData: Int { ContentCipher.tagSize + 1 }

  /// Decides stage 4, member by member in its order (Docs/Verification.md 4).
  ///
  /// `data` is decoded into its place among the signed bytes, the small members beside it, from where they are copied.
  func decode(_ fields: TokenFields, of token: Span<UInt8>) throws(TokenFault) -> DecodedToken {
    var data = signed.mutableSpan(from: SignedContent.dataOffset)
    let dataCount = try Self.decodeBase64(fields.data, .data, of: token, unescaping: text, into: &data)
    guard dataCount >= Self.smallestData else { throw TokenFault(.invalidLength, member: .data) }

    var signature = cms.mutableSpan
    let signatureCount = try Self.decodeBase64(
      fields.signature, .signature, of: token, unescaping: text, into: &signature)
    guard signatureCount >= 1 else { throw TokenFault(.invalidLength, member: .signature) }

    let keyCount = try decodeKey(fields.key, of: token, version: fields.version)

    var hash = small.mutableSpan
    let hashCount = try Self.decodeBase64(
      fields.publicKeyHash, .publicKeyHash, of: token, unescaping: text, into: &hash)
    guard hashCount == Octets32.count, let publicKeyHash = Octets32(small.span) else {
      throw TokenFault(.invalidLength, member: .publicKeyHash)
    }

    var offset = SignedContent.dataOffset + dataCount
    let transactionId = try decodeHex(fields.transactionId, .transactionId, of: token, at: offset)
    offset += Octets32.count
    var applicationData: Octets32?
    if let string = fields.applicationData {
      applicationData = try decodeHex(string, .applicationData, of: token, at: offset)
    }
    return DecodedToken(
      version: fields.version, signatureCount: signatureCount, publicKeyHash: publicKeyHash,
      content: SignedContent(
        keyCount: keyCount, dataCount: dataCount, transactionId: transactionId, applicationData: applicationData))
  }

  /// Decodes ephemeralPublicKey or wrappedKey to where `data` follows it.
  private func decodeKey(
    _ string: JSONString, of token: Span<UInt8>, version: TokenVersion
  ) throws(TokenFault) -> Int {
    var key = small.mutableSpan
    let count = try Self.decodeBase64(string, version.keyMember, of: token, unescaping: text, into: &key)
    guard SignedContent.keySizes(version).contains(count) else {
      throw TokenFault(.invalidLength, member: version.keyMember)
    }
    signed.copy(first: count, of: small, to: SignedContent.dataOffset - count)
    return count
  }

  /// Decodes a hex member of 32 octets into its place among the signed bytes.
  private func decodeHex(
    _ string: JSONString, _ member: TokenMember, of token: Span<UInt8>, at offset: Int
  ) throws(TokenFault) -> Octets32 {
    var octets = small.mutableSpan
    let count: Int?
    if string.hasEscapes {
      var content = text.mutableSpan
      let length = string.unescape(from: token, into: &content)
      count = HexText.decode(text.span.extracting(first: length), into: &octets)
    } else {
      count = HexText.decode(token.extracting(string.range), into: &octets)
    }
    guard let count else { throw TokenFault(.invalidHex, member: member) }
    guard count == Octets32.count, let value = Octets32(small.span) else {
      throw TokenFault(.invalidLength, member: member)
    }
    signed.copy(first: count, of: small, to: offset)
    return value
  }

  private static func decodeBase64(
    _ string: JSONString, _ member: TokenMember, of token: Span<UInt8>, unescaping text: borrowing OctetBuffer,
    into output: inout MutableSpan<UInt8>
  ) throws(TokenFault) -> Int {
    let count: Int?
    if string.hasEscapes {
      var content = text.mutableSpan
      let length = string.unescape(from: token, into: &content)
      count = Base64Text.decode(text.span.extracting(first: length), into: &output)
    } else {
      count = Base64Text.decode(token.extracting(string.range), into: &output)
    }
    guard let count else { throw TokenFault(.invalidBase64, member: member) }
    return count
  }
}
