import PaymentToken
import TokenScanning

/// A signed token after stage 4: sizes and offsets of its parts in the workspace.
struct DecodedToken {
  let content: EncryptedContent
  let cmsSize: Int
  let transactionId: Bytes32
  let applicationData: Bytes32?

  var version: TokenVersion { content.version }

  /// Whether its key is encrypted to an RSA key (RSA_v1).
  var hasWrappedKey: Bool {
    if case .unwrapping = version.traits.keyEstablishment { true } else { false }
  }

  /// The signed bytes: the content, transactionId and applicationData.
  var signedRange: Range<Int> {
    content.keyOffset..<(content.endOffset + Bytes32.count * (applicationData == nil ? 1 : 2))
  }
}

/// The positions of a token's key and ciphertext in the buffer of signed bytes.
///
/// `data` has a fixed offset, and the key, whose length varies, ends there.
struct EncryptedContent {
  static var dataOffset: Int { VersionTraits.largestKeyMemberSize }
  /// The size of the largest content with the other signed members, as if base64 did not shrink when it is decoded.
  static var maximumSize: Int { dataOffset + TokenFields.maximumTokenSize + 2 * Bytes32.count }

  let version: TokenVersion
  let publicKeyHash: Bytes32
  let keySize: Int
  let dataSize: Int

  var keyOffset: Int { Self.dataOffset - keySize }

  /// The end of `data`.
  var endOffset: Int { Self.dataOffset + dataSize }

  /// The range of the ephemeral key; empty if the key is wrapped.
  var ephemeralPublicKey: Range<Int> {
    switch version.traits.keyEstablishment {
    case .agreement: keyOffset..<Self.dataOffset
    case .unwrapping: Self.dataOffset..<Self.dataOffset
    }
  }

  /// The size of the ciphertext without the tag, and of the plaintext.
  var ciphertextCount: Int { dataSize - ContentCipher.tagSize }
}
