import COpenSSL
import CSodium

/// RSAES-OAEP as Apple uses it (rules 11.4 and 11.5; RFC 8017 section 7.1.2).
enum KeyUnwrapping {
  /// The octets of an AES-128 key.
  static let keySize = 16

  /// The key that was wrapped, or one of random octets when nothing of that size was.
  ///
  /// - Parameters:
  ///   - wrappedKey: of any length and content.
  ///   - privateKey: an EVP_PKEY with this modulus.
  ///   - modulus: big-endian, without leading zeros.
  static func key(from wrappedKey: [UInt8], privateKey: OpaquePointer, modulus: [UInt8]) -> WipedBytes {
    let random = WipedBytes(count: keySize)
    random.withMutableBytes { octets in
      guard let start = octets.baseAddress else { return }
      randombytes_buf(start, octets.count)
    }
    let isInRange = wrappedKey.count == modulus.count && wrappedKey.lexicographicallyPrecedes(modulus)
    // Any number below the modulus will do: the work is what counts.
    let ciphertext = isInRange ? wrappedKey : [UInt8](repeating: 0, count: modulus.count - 1) + [2]
    let message = decrypt(ciphertext, with: privateKey)
    guard isInRange, let message, message.count == keySize else { return random }
    return message
  }

  /// The message in an OAEP ciphertext; nil when there is none, for whatever reason.
  private static func decrypt(_ ciphertext: [UInt8], with privateKey: OpaquePointer) -> WipedBytes? {
    guard let context = EVP_PKEY_CTX_new(privateKey, nil) else { return nil }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_decrypt_init(context) == 1,
      EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
      EVP_PKEY_CTX_set_rsa_oaep_md(context, EVP_sha256()) == 1,
      EVP_PKEY_CTX_set_rsa_mgf1_md(context, EVP_sha256()) == 1
    else { return nil }
    let output = WipedBytes(count: ciphertext.count)
    defer { output.wipe() }
    var count = output.count
    let result = output.withMutableBytes { output in
      EVP_PKEY_decrypt(context, output.baseAddress, &count, ciphertext, ciphertext.count)
    }
    guard result == 1, count <= output.count else { return nil }
    let message = WipedBytes(count: count)
    for index in 0..<count { message[index] = output[index] }
    return message
  }
}
