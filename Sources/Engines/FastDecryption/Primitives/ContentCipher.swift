import COpenSSL
import CSecrecy
import CSodium

/// AES-GCM decryption with an IV of 16 zero bytes, no AAD and a tag of 16 bytes (NIST SP 800-38D), in one reused
/// context of libcrypto's provider.
struct ContentCipher: ~Copyable {
  /// Holds the provider, whose functions these are.
  private let cipher: OpaquePointer
  private let functions: CipherFunctions
  /// Nil once the provider has refused to replace a key.
  private var context: UnsafeMutableRawPointer?
  private let keySize: Int

  /// The cipher, by libcrypto's name.
  enum Algorithm: String {
    case aes256 = "AES-256-GCM"
    case aes128 = "AES-128-GCM"

    var keySize: Int {
      switch self {
      case .aes256: 32
      case .aes128: 16
      }
    }
  }

  static var tagSize: Int { 16 }
  private static var ivSize: Int { 16 }
  private static var zeros: InlineArray<32, UInt8> { InlineArray(repeating: 0) }

  /// Nil if libcrypto is out of memory or lacks the cipher.
  init?(_ algorithm: Algorithm) {
    guard let cipher = EVP_CIPHER_fetch(nil, algorithm.rawValue, nil) else { return nil }
    guard let functions = CipherFunctions(of: cipher, named: algorithm.rawValue),
      let context = functions.newContext()
    else {
      EVP_CIPHER_free(cipher)
      return nil
    }
    guard assay_set_iv_size(functions.setParameters, context, Self.ivSize) == 1 else {
      functions.freeContext(context)
      EVP_CIPHER_free(cipher)
      return nil
    }
    (self.cipher, self.functions, self.context) = (cipher, functions, context)
    keySize = algorithm.keySize
  }

  deinit {
    if let context { functions.freeContext(context) }
    EVP_CIPHER_free(cipher)
  }

  /// Decrypts `count` bytes of ciphertext, followed by the tag, into the `count` bytes of `output`.
  ///
  /// - Parameter keepsKey: whether to keep the key schedule until `forgetKey`, instead of overwriting it now.
  /// - Returns: false if the tag is wrong; `output` then holds zeros.
  mutating func open(
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
    guard let context else { return false }
    var written = 0
    return begin(context, with: key, tag: sealed + count)
      && functions.update(context, output, &written, count, sealed, count) == 1
      && written == count && finish(at: output + count)
  }

  private func begin(
    _ context: UnsafeMutableRawPointer, with key: UnsafePointer<UInt8>, tag: UnsafePointer<UInt8>
  ) -> Bool {
    let iv = Self.zeros
    return iv.span.withUnsafeBufferPointer {
      assay_begin_opening(functions.begin, context, key, keySize, $0.baseAddress, Self.ivSize, tag, Self.tagSize) == 1
    }
  }

  /// Ends a message; false if its tag is wrong. Scripts/check-secrecy allows this function to branch on that.
  @inline(never)
  private func finish(at end: UnsafeMutablePointer<UInt8>) -> Bool {
    var rest = 0
    // In GCM no bytes are left to write; the check would notice a provider that does.
    return functions.finish(context, end, &rest, 0) == 1 && rest == 0
  }

  /// Replaces the key with zeros: freeing the context instead would cost an allocation per token.
  mutating func forgetKey() {
    guard let context else { return }
    let zeros = Self.zeros
    let isForgotten = zeros.span.withUnsafeBufferPointer {
      functions.begin(context, $0.baseAddress, keySize, $0.baseAddress, Self.ivSize, nil) == 1
    }
    guard !isForgotten else { return }
    // Only a provider that has stopped refuses a key. It then decrypts nothing any more.
    functions.freeContext(context)
    self.context = nil
  }
}
