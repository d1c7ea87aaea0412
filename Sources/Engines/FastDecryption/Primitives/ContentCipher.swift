import COpenSSL
import CSecrecy
import CSodium

/// AES-GCM decryption with an IV of 16 zero bytes, no AAD and a tag of 16 bytes (NIST SP 800-38D), in one reused
/// context: of libcrypto's provider, or of EVP where the provider's functions cannot be called directly.
package struct ContentCipher: ~Copyable {
  private enum Context {
    case provider(CipherFunctions, UnsafeMutableRawPointer)
    case evp(OpaquePointer)
    /// The provider has refused to replace a key: the cipher decrypts nothing from then on.
    case none
  }

  /// Retains the provider.
  private let cipher: OpaquePointer
  private var context: Context
  private let keySize: Int

  /// The cipher, by libcrypto's name.
  package enum Algorithm: String {
    case aes256 = "AES-256-GCM"
    case aes128 = "AES-128-GCM"

    package var keySize: Int {
      switch self {
      case .aes256: 32
      case .aes128: 16
      }
    }
  }

  package static var tagSize: Int { 16 }
  private static var ivSize: Int { 16 }

  /// Whether libcrypto's provider has stopped, so that no token is decrypted any more.
  package var hasStopped: Bool { if case .none = context { true } else { false } }

  private static var zeros: InlineArray<32, UInt8> { InlineArray(repeating: 0) }

  /// Nil if libcrypto is out of memory or lacks the cipher.
  ///
  /// - Parameter usesEVP: whether EVP is used even where the provider's functions can be called directly.
  package init?(_ algorithm: Algorithm, usesEVP: Bool = false) {
    guard let cipher = EVP_CIPHER_fetch(nil, algorithm.rawValue, nil) else { return nil }
    let functions = usesEVP ? nil : CipherFunctions(of: cipher, named: algorithm.rawValue)
    guard let context = functions.map(Self.context) ?? Self.context(of: cipher) else {
      EVP_CIPHER_free(cipher)
      return nil
    }
    (self.cipher, self.context) = (cipher, context)
    keySize = algorithm.keySize
  }

  private static func context(_ functions: CipherFunctions) -> Context? {
    guard let context = functions.newContext() else { return nil }
    guard assay_set_iv_size(functions.setParameters, context, ivSize) == 1 else {
      functions.freeContext(context)
      return nil
    }
    return .provider(functions, context)
  }

  private static func context(of cipher: OpaquePointer) -> Context? {
    guard let context = EVP_CIPHER_CTX_new() else { return nil }
    guard EVP_DecryptInit_ex(context, cipher, nil, nil, nil) == 1,
      EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(ivSize), nil) == 1
    else {
      EVP_CIPHER_CTX_free(context)
      return nil
    }
    return .evp(context)
  }

  private static func free(_ context: Context) {
    switch context {
    case .provider(let functions, let context): functions.freeContext(context)
    case .evp(let context): EVP_CIPHER_CTX_free(context)
    case .none: return
    }
  }

  deinit {
    Self.free(context)
    EVP_CIPHER_free(cipher)
  }

  /// Decrypts `count` bytes of ciphertext, followed by the tag, into the `count` bytes of `output`.
  ///
  /// - Parameter keepsKey: whether to keep the key schedule until `forgetKey`, instead of overwriting it now.
  /// - Returns: false if the tag is wrong or libcrypto fails; `output` then holds zeros.
  package mutating func open(
    _ sealed: UnsafePointer<UInt8>, count: Int, key: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>,
    keepsKey: Bool = false
  ) -> Bool {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    let isGenuine = decrypt(sealed, count: count, key: key, into: output)
    if isGenuine {
      // The plaintext is authentic, and the payload's reader may branch on it. No branch before this depended on it.
      assay_declassify(output, count)
    } else {
      sodium_memzero(output, count)
    }
    if !keepsKey { forgetKey() }
    return isGenuine
  }

  private func decrypt(
    _ sealed: UnsafePointer<UInt8>, count: Int, key: UnsafePointer<UInt8>, into output: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    let tag = sealed + count
    switch context {
    case .provider(let functions, let context):
      let iv = Self.zeros
      let hasBegun = iv.span.withUnsafeBufferPointer {
        assay_begin_opening(functions.begin, context, key, keySize, $0.baseAddress, Self.ivSize, tag, Self.tagSize) == 1
      }
      var written = 0
      return hasBegun && functions.update(context, output, &written, count, sealed, count) == 1 && written == count
        && finish(at: output + count)
    case .evp(let context):
      var written: Int32 = 0
      return setKey(key, context)
        && EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), UnsafeMutablePointer(mutating: tag)) == 1
        && EVP_DecryptUpdate(context, output, &written, sealed, Int32(count)) == 1 && written == count
        && finish(at: output + count)
    case .none: return false
    }
  }

  private func setKey(_ key: UnsafePointer<UInt8>?, _ context: OpaquePointer) -> Bool {
    let iv = Self.zeros
    return iv.span.withUnsafeBufferPointer { EVP_DecryptInit_ex(context, nil, nil, key, $0.baseAddress) == 1 }
  }

  /// Ends a message; false if its tag is wrong. Scripts/check-secrecy allows this function to branch on that.
  @inline(never)
  private func finish(at end: UnsafeMutablePointer<UInt8>) -> Bool {
    // In GCM no bytes are left to write. If a provider writes some, the check of `rest` fails.
    switch context {
    case .provider(let functions, let context):
      var rest = 0
      return functions.finish(context, end, &rest, 0) == 1 && rest == 0
    case .evp(let context):
      var rest: Int32 = 0
      return EVP_DecryptFinal_ex(context, end, &rest) == 1 && rest == 0
    case .none: return false
    }
  }

  /// Replaces the key with zeros: freeing the context instead would cost an allocation per token.
  package mutating func forgetKey() {
    let zeros = Self.zeros
    let isForgotten = zeros.span.withUnsafeBufferPointer {
      switch context {
      case .provider(let functions, let context):
        functions.begin(context, $0.baseAddress, keySize, $0.baseAddress, Self.ivSize, nil) == 1
      case .evp(let context): setKey($0.baseAddress, context)
      case .none: true
      }
    }
    guard !isForgotten else { return }
    // Only a provider that has stopped refuses a key.
    Self.free(context)
    context = .none
  }
}
