import COpenSSL

/// AES-GCM as Apple uses it (rule 12.1; NIST SP 800-38D).
enum AuthenticatedDecryption {
  /// The size of the authentication tag, in bytes.
  static let tagSize = 16
  /// In bytes. GHASH turns an IV of another size than 12 into the first counter block (SP 800-38D section 7.1).
  private static let ivSize = 16

  /// Decrypts `data`, whose last 16 bytes are the tag. Returns nil and wipes the output when that fails.
  ///
  /// - Parameters:
  ///   - data: at least 17 bytes.
  ///   - key: 32 bytes for AES-256 (EC_v1), 16 for AES-128 (RSA_v1).
  static func open(_ data: [UInt8], key: WipedBytes) -> WipedBytes? {
    // 4.3 has refused shorter data.
    guard data.count > tagSize, let cipher = cipher(keySize: key.count) else { return nil }
    let plaintext = WipedBytes(count: data.count - tagSize)
    let isAuthentic = key.withBytes { key in
      plaintext.withMutableBytes { output in decrypt(data, by: cipher, key: key, into: output) }
    }
    guard isAuthentic else {
      plaintext.wipe()
      return nil
    }
    return plaintext
  }

  private static func cipher(keySize: Int) -> OpaquePointer? {
    switch keySize {
    case 32: EVP_aes_256_gcm()
    case 16: EVP_aes_128_gcm()
    default: nil
    }
  }

  private static func decrypt(
    _ data: [UInt8], by cipher: OpaquePointer, key: UnsafeBufferPointer<UInt8>,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    guard let context = EVP_CIPHER_CTX_new() else { return false }
    defer { EVP_CIPHER_CTX_free(context) }  // clears the key schedule
    let iv = [UInt8](repeating: 0, count: ivSize)
    var tag = Array(data.suffix(tagSize))
    var written: Int32 = 0
    guard EVP_DecryptInit_ex(context, cipher, nil, nil, nil) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(ivSize), nil) == 1,
      EVP_DecryptInit_ex(context, nil, nil, key.baseAddress, iv) == 1,
      EVP_DecryptUpdate(context, output.baseAddress, &written, data, Int32(output.count)) == 1,
      // GCM is a stream mode: it writes what it reads, and nothing at the end.
      Int(written) == output.count,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1
    else { return false }
    // GCM is a stream mode: this call checks the tag and writes nothing.
    var rest = [UInt8](repeating: 0, count: 16)
    return EVP_DecryptFinal_ex(context, &rest, &written) == 1 && written == 0
  }
}
