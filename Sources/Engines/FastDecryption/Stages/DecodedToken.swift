import PaymentToken
import TokenScanning

/// What stage 4 leaves in a workspace of a signed token.
struct DecodedToken {
  let content: EncryptedContent
  let signatureCount: Int
  let transactionId: Bytes32
  let applicationData: Bytes32?

  var version: TokenVersion { content.version }

  /// The signed bytes: the content, transactionId and applicationData.
  var signedRange: Range<Int> {
    content.keyOffset..<(content.endOffset + Bytes32.count * (applicationData == nil ? 1 : 2))
  }
}

/// Where the key and the ciphertext of a token lie in the buffer of signed bytes.
///
/// `data` is decoded before the key and lies at one offset, so that the key, whatever its length, ends where it begins.
struct EncryptedContent {
  static var dataOffset: Int { VersionTraits.largestKey }
  /// With what is signed beside it.
  static var maximumSize: Int { dataOffset + TokenFields.maximumTokenSize + 2 * Bytes32.count }

  let version: TokenVersion
  let publicKeyHash: Bytes32
  let keyCount: Int
  let dataCount: Int

  var keyOffset: Int { Self.dataOffset - keyCount }

  /// Where `data` ends.
  var endOffset: Int { Self.dataOffset + dataCount }

  /// Where the ephemeral key lies among the signed bytes; empty where the key is wrapped.
  var ephemeralPublicKey: Range<Int> {
    switch version.traits.keyEstablishment {
    case .agreement: keyOffset..<Self.dataOffset
    case .unwrapping: Self.dataOffset..<Self.dataOffset
    }
  }

  /// Bytes of ciphertext without the tag, and so of the plaintext.
  var ciphertextCount: Int { dataCount - ContentCipher.tagSize }
}
