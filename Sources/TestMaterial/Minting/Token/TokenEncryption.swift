import COpenSSL

/// The encryption of tokens (Apple, "Restoring the symmetric key"; NIST SP 800-56A 5.8.1; SP 800-38D).
package enum TokenEncryption {
  /// Derives the AES-256 key from the shared secret and SHA-256 of the merchant identifier.
  package static func symmetricKey(sharedSecret: [UInt8], merchantHash: [UInt8]) -> [UInt8] {
    Hashing.sha256(
      [0, 0, 0, 1] + sharedSecret + [0x0D] + Array("id-aes256-GCM".utf8) + Array("Apple".utf8) + merchantHash)
  }

  /// Encrypts with AES-128-GCM or AES-256-GCM, by the key's length. Returns the ciphertext, then the tag of 16 bytes.
  /// Tokens have an IV of 16 zero bytes and no additional data.
  package static func seal(
    _ plaintext: [UInt8], key: [UInt8], iv: [UInt8] = [UInt8](repeating: 0, count: 16), additional: [UInt8] = []
  ) throws(MintingError) -> [UInt8] {
    guard key.count == 16 || key.count == 32 else { throw .recipe("an AES key of \(key.count) bytes") }
    guard let context = EVP_CIPHER_CTX_new() else { throw .library("EVP_CIPHER_CTX_new") }
    defer { EVP_CIPHER_CTX_free(context) }
    let cipher = key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm()
    try check(EVP_EncryptInit_ex(context, cipher, nil, nil, nil), "EVP_EncryptInit_ex")
    try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_IVLEN, Int32(iv.count), nil), "EVP_CTRL_GCM_SET_IVLEN")
    try check(EVP_EncryptInit_ex(context, nil, nil, key, iv), "EVP_EncryptInit_ex")
    var data = [UInt8](repeating: 0, count: plaintext.count)
    var written: Int32 = 0
    var last: Int32 = 0
    var tag = [UInt8](repeating: 0, count: 16)
    if !additional.isEmpty {
      try check(
        EVP_EncryptUpdate(context, nil, &written, additional, Int32(additional.count)), "EVP_EncryptUpdate")
      written = 0
    }
    if !plaintext.isEmpty {
      try check(
        EVP_EncryptUpdate(context, &data, &written, plaintext, Int32(plaintext.count)), "EVP_EncryptUpdate")
    }
    try check(EVP_EncryptFinal_ex(context, &tag, &last), "EVP_EncryptFinal_ex")
    try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, &tag), "EVP_CTRL_GCM_GET_TAG")
    guard Int(written) == plaintext.count, last == 0 else { throw .library("EVP_EncryptUpdate") }
    return data + tag
  }
}
