import COpenSSL

/// A separate library context for decrypting key files. It loads the legacy provider if installed, because RC2 and DES
/// are common in old .p12 files; the rest of the process does not get these algorithms.
enum KeyFileEncryption {
  /// Never freed, and read-only after initialisation. Nil, which means the process's own context, if it cannot be made.
  nonisolated(unsafe) static let context: OpaquePointer? = {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let context = OSSL_LIB_CTX_new() else { return nil }
    guard OSSL_PROVIDER_load(context, "default") != nil else {
      OSSL_LIB_CTX_free(context)
      return nil
    }
    _ = OSSL_PROVIDER_load(context, "legacy")
    return context
  }()

  /// The reason that libcrypto could not decrypt, by its error queue, which is emptied.
  static func failure(hasPassword: Bool) -> KeyError {
    CallersErrors.failure(hasPassword ? .wrongPassword : .passwordNeeded, unsupported: .unsupportedEncryption)
  }
}

/// The caller's entries of libcrypto's error queue, set aside while a file is read: OpenSSL 3.0 reads the queue from its
/// oldest entry only, and `failure` must not take one of the caller's for the file's.
struct CallersErrors {
  private var entries: [(code: UInt, file: String, line: Int32, function: String, data: String)] = []

  /// Takes all entries out of the queue.
  init() {
    var (file, function, data): (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    var (line, flags): (Int32, Int32) = (0, 0)
    while case let code = ERR_get_error_all(&file, &line, &function, &data, &flags), code != 0 {
      let texts = [file, function, data].map { $0.map { String(cString: $0) } ?? "" }
      entries.append((code, texts[0], line, texts[1], texts[2]))
    }
  }

  /// The reason that libcrypto failed, by its error queue, which is emptied: `memoryUnavailable` if an allocation
  /// failed; `unsupported` if that is given and an algorithm is; otherwise `code`.
  static func failure(_ code: KeyError.Code, unsupported: KeyError.Code? = nil) -> KeyError {
    var code = code
    while case let error = ERR_get_error(), error != 0 {
      if assay_ERR_is_of_memory(error) == 1 {
        ERR_clear_error()
        return KeyError(.memoryUnavailable)
      }
      if let unsupported, assay_ERR_is_unsupported(error) == 1 { code = unsupported }
    }
    return KeyError(code)
  }

  /// Puts them back in place of all others.
  func restore() {
    ERR_clear_error()
    for entry in entries { assay_ERR_raise(entry.code, entry.file, entry.line, entry.function, entry.data) }
  }
}

extension MerchantSecret {
  /// Reads EncryptedPrivateKeyInfo (PKCS #8, RFC 5958) in PBES2 or, if libcrypto supports it, PBES1 (RFC 8018). It must
  /// take up all of `der`.
  ///
  /// - Throws: ``KeyError`` with `passwordNeeded`, `wrongPassword`, `unsupportedEncryption`, `excessiveKeyDerivation`
  ///   if the password hashing takes more than 3,000,000 iterations or 32 MiB, or a code for private keys.
  public init(encryptedPKCS8 der: [UInt8], password: Password?) throws(KeyError) {
    var budget = KeyDerivationBudget()
    try self.init(encryptedPKCS8: der, password: password, &budget)
  }

  /// Reads the structure within the rest of the file's budget.
  init(encryptedPKCS8 der: [UInt8], password: Password?, _ budget: inout KeyDerivationBudget) throws(KeyError) {
    let callersErrors = CallersErrors()
    defer { callersErrors.restore() }
    guard let encrypted = LibcryptoCoding.decoded(der, d2i_X509_SIG, free: X509_SIG_free) else {
      throw CallersErrors.failure(.malformedKey)
    }
    defer { X509_SIG_free(encrypted) }
    var algorithm: UnsafePointer<X509_ALGOR>?
    X509_SIG_get0(encrypted, &algorithm, nil)
    try budget.pay(for: algorithm)
    guard let password else { throw KeyError(.passwordNeeded) }
    let opened = password.withBytes {
      PKCS8_decrypt_ex(encrypted, $0, Int32(password.count), KeyFileEncryption.context, nil)
    }
    guard let opened else { throw KeyFileEncryption.failure(hasPassword: true) }
    defer { PKCS8_PRIV_KEY_INFO_free(opened) }
    var info = try PrivateKeyInfo(info: opened)
    defer { info.wipe() }
    try self.init(info)
  }
}
