import COpenSSL
import CSodium
import PaymentToken

/// RSAES-OAEP as Apple uses it (rules 11.4 and 11.5; RFC 8017 section 7.1.2).
enum KeyUnwrapping {
  /// The size of an AES-128 key, in bytes.
  static let keySize = 16

  /// Unwraps the key. Where that fails it returns a random key instead, so that stage 12 rejects the token and nobody
  /// learns which step failed.
  ///
  /// - Parameters:
  ///   - wrappedKey: of any length and content.
  ///   - privateKey: an EVP_PKEY with this modulus.
  ///   - modulus: big-endian, without leading zeros.
  static func key(from wrappedKey: [UInt8], privateKey: OpaquePointer, modulus: [UInt8]) -> WipedBytes {
    let random = randomKey()
    defer { random.wipe() }
    let isInRange = canBeCiphertext(wrappedKey, modulus: modulus)
    // If the wrapped key is out of range, a substitute below the modulus is decrypted instead.
    let ciphertext = isInRange ? wrappedKey : [UInt8](repeating: 0, count: modulus.count - 1) + [2]
    let encoded = WipedBytes(count: modulus.count)
    defer { encoded.wipe() }
    let isDecrypted = decrypt(ciphertext, with: privateKey, into: encoded)

    let decoded = OAEPEncoding.open(encoded, messageSize: keySize)
    defer { decoded.message.wipe() }
    // `validity` is 0 anyway for the zeros that a failed operation leaves, and almost certainly for the substitute.
    let mask = isInRange && isDecrypted ? decoded.validity : 0
    let key = WipedBytes(count: keySize)
    for index in 0..<keySize { key[index] = (decoded.message[index] & mask) | (random[index] & ~mask) }
    return key
  }

  /// Unwraps the key with an external key, or returns a random key.
  ///
  /// - Parameters:
  ///   - wrappedKey: of any length and content.
  ///   - modulus: big-endian, without leading zeros.
  /// - Throws: `KeyUnavailable`.
  static func key(
    from wrappedKey: [UInt8], modulus: [UInt8], by external: any KeyTransport
  ) throws(KeyUnavailable) -> WipedBytes {
    let random = randomKey()
    guard canBeCiphertext(wrappedKey, modulus: modulus) else { return random }
    defer { random.wipe() }
    let key = WipedBytes(count: keySize)
    let isUnwrapped = try key.withMutableBytes { (bytes) throws(KeyUnavailable) in
      var room = bytes.mutableSpan
      return try external.unwrapKey(wrappedKey.span, into: &room)
    }
    // Selects the answer or the random key with a mask.
    let answered: UInt8 = isUnwrapped ? 0xFF : 0
    for index in 0..<keySize { key[index] = random[index] ^ ((random[index] ^ key[index]) & answered) }
    return key
  }

  /// Whether it is as long as the modulus and below it. Both are public.
  private static func canBeCiphertext(_ wrappedKey: [UInt8], modulus: [UInt8]) -> Bool {
    wrappedKey.count == modulus.count && wrappedKey.lexicographicallyPrecedes(modulus)
  }

  private static func randomKey() -> WipedBytes {
    let random = WipedBytes(count: keySize)
    random.withMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      randombytes_buf(start, bytes.count)
    }
    return random
  }

  /// RSADP (RFC 8017 section 5.1.2), blinded.
  private static func decrypt(
    _ ciphertext: [UInt8], with privateKey: OpaquePointer, into encoded: WipedBytes
  ) -> Bool {
    guard let context = EVP_PKEY_CTX_new(privateKey, nil) else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    guard EVP_PKEY_decrypt_init(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1 else {
      return false
    }
    var count = encoded.count
    let result = encoded.withMutableBytes { output in
      EVP_PKEY_decrypt(context, output.baseAddress, &count, ciphertext, ciphertext.count)
    }
    return result == 1 && count == encoded.count
  }
}
