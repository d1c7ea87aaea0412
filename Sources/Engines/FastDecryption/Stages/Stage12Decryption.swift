import PaymentToken
import TokenScanning

extension Workspace {
  /// Decides stage 12 by the key that lies with the secrets, and leaves the plaintext in its buffer.
  ///
  /// - Parameter keepsKey: whether the cipher need not forget its key, since the next token follows at once.
  mutating func decrypt(_ content: EncryptedContent, keepsKey: Bool = false) throws(TokenFault) {
    let sealed = signed.address(at: EncryptedContent.dataOffset, count: content.dataCount)
    let count = content.ciphertextCount
    let output = plaintext.address(count: count)
    let isOpen =
      switch content.version.traits.cipher {
      case .aes256: cipher.open(sealed, count: count, key: secrets.key, into: output, keepsKey: keepsKey)
      case .aes128: cipher128.open(sealed, count: count, key: secrets.key, into: output, keepsKey: keepsKey)
      }
    guard isOpen else { throw TokenFault(.decryptionFailed) }
  }

  /// Decides stage 13 of the plaintext in its buffer.
  func payload(of content: EncryptedContent) throws(TokenFault) -> PayloadFields {
    try PayloadFields(scanning: plaintext.span.extracting(first: content.ciphertextCount), version: content.version)
  }

  /// Wipes what a token left behind.
  mutating func wipe(plaintextCount: Int) {
    secrets.wipe()
    plaintext.wipe(plaintextCount)
  }
}
