import COpenSSL
import CSecrecy
import CSodium

/// AES-GCM decryption with an IV of 16 zero bytes, no AAD and a tag of 16 bytes (NIST SP 800-38D), in one reused
/// context.
struct ContentCipher: ~Copyable {
  private let cipher: OpaquePointer
  private let context: OpaquePointer

  /// The cipher, by libcrypto's name.
  enum Algorithm: String {
    case aes256 = "AES-256-GCM"
    case aes128 = "AES-128-GCM"
  }

  static var tagSize: Int { 16 }
  private static var ivSize: Int32 { 16 }
  private static var zeros: InlineArray<32, UInt8> { InlineArray(repeating: 0) }

  /// Nil if libcrypto is out of memory or lacks the cipher.
  init?(_ algorithm: Algorithm) {
    guard let cipher = EVP_CIPHER_fetch(nil, algorithm.rawValue, nil) else { return nil }
    guard let context = EVP_CIPHER_CTX_new() else {
      EVP_CIPHER_free(cipher)
      return nil
    }
    guard EVP_DecryptInit_ex(context, cipher, nil, nil, nil) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Self.ivSize, nil) == 1
    else {
      EVP_CIPHER_CTX_free(context)
      EVP_CIPHER_free(cipher)
      return nil
    }
    (self.cipher, self.context) = (cipher, context)
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
    EVP_CIPHER_free(cipher)
  }

  /// Decrypts `count` bytes of ciphertext, followed by the tag, into the `count` bytes of `output`.
  ///
  /// - Parameter keepsKey: whether to keep the key schedule until `forgetKey`, instead of overwriting it now.
  /// - Returns: false if the tag is wrong; `output` then holds zeros.
  func open(
    _ sealed: UnsafePointer<UInt8>, count: Int, key: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>,
    keepsKey: Bool = false
  ) -> Bool {
    let isGenuine = decrypt(sealed, count: count, key: key, into: output)
    if isGenuine {
      // The plaintext is authentic, and the payload's reader may branch on it. No branch before this depended on it.
      assay_declassify(output, count)
    } else {
      sodium_memzero(output, count)
      ERR_clear_error()
    }
    if !keepsKey { forgetKey() }
    return isGenuine
  }

  private func decrypt(
    _ sealed: UnsafePointer<UInt8>, count: Int, key: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let iv = Self.zeros
    let isReady = iv.span.withUnsafeBufferPointer {
      assay_EVP_begin_opening(context, key, $0.baseAddress, sealed + count, Self.tagSize) == 1
    }
    var written: Int32 = 0
    var rest: Int32 = 0
    return isReady
      && EVP_DecryptUpdate(context, output, &written, sealed, Int32(count)) == 1
      && EVP_DecryptFinal_ex(context, output + Int(written), &rest) == 1
      && Int(written) + Int(rest) == count
  }

  /// Replaces the key with zeros: freeing the context instead would cost an allocation per token.
  func forgetKey() {
    let zeros = Self.zeros
    let isForgotten = zeros.span.withUnsafeBufferPointer {
      EVP_DecryptInit_ex(context, nil, nil, $0.baseAddress, $0.baseAddress) == 1
    }
    // Without a cipher the context holds no key, and decrypts nothing any more.
    if !isForgotten { EVP_CIPHER_CTX_reset(context) }
  }
}
