import MerchantKeys
import PaymentToken
import TokenScanning

extension Workspace {
  /// Decides stage 12 with `secrets.key`, and writes the plaintext to `plaintext`.
  ///
  /// - Parameter keepsKey: whether the cipher may keep its key schedule, because the next token of a batch replaces it.
  mutating func decrypt(_ content: EncryptedContent, keepsKey: Bool = false) throws(TokenFault) {
    let sealed = signed.address(at: EncryptedContent.dataOffset, count: content.dataSize)
    let count = content.ciphertextCount
    let output = plaintext.address(count: count)
    let isOpen =
      switch content.version.traits.cipher {
      case .aes256: cipher.open(sealed, count: count, key: secrets.key, into: output, keepsKey: keepsKey)
      case .aes128: cipher128.open(sealed, count: count, key: secrets.key, into: output, keepsKey: keepsKey)
      }
    if isOpen { return }
    if cipher.hasStopped || cipher128.hasStopped { throw TokenFault(.keyUnavailable) }
    // OAEP fetches SHA-256 from libcrypto for each token. If that fails, the key is the random fallback and the tag is
    // wrong: then libcrypto is at fault, not the token.
    throw Cryptography.refusal(.decryptionFailed)
  }

  /// Decides stage 13 for the plaintext.
  func payload(of content: EncryptedContent) throws(TokenFault) -> PayloadFields {
    try PayloadFields(scanning: plaintext.span.extracting(first: content.ciphertextCount), version: content.version)
  }

  /// Wipes the secrets and the plaintext of a token.
  mutating func wipe(plaintextCount: Int) {
    secrets.wipe()
    plaintext.wipe(plaintextCount)
  }
}
