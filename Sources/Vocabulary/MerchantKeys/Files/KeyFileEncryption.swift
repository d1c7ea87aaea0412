import COpenSSL

/// A library context of its own for the encryption of key files: with the legacy provider where it is installed, since
/// RC2 and DES are common in old .p12 files. The rest of the process never sees those.
enum KeyFileEncryption {
  /// Never freed, and only read once made; nil when libcrypto has no memory.
  nonisolated(unsafe) static let context: OpaquePointer? = {
    guard let context = OSSL_LIB_CTX_new() else { return nil }
    guard OSSL_PROVIDER_load(context, "default") != nil else {
      OSSL_LIB_CTX_free(context)
      return nil
    }
    _ = OSSL_PROVIDER_load(context, "legacy")
    ERR_clear_error()
    return context
  }()

  /// Why libcrypto could not decrypt: what it queued last. The queue is empty afterwards.
  static func failure(hasPassword: Bool) -> KeyError {
    var isUnsupported = false
    while true {
      let error = ERR_get_error()
      if error == 0 { break }
      if assay_ERR_is_unsupported(error) == 1 { isUnsupported = true }
    }
    if isUnsupported { return KeyError(.unsupportedEncryption) }
    return KeyError(hasPassword ? .wrongPassword : .passwordNeeded)
  }
}

extension MerchantSecret {
  /// Reads EncryptedPrivateKeyInfo (PKCS #8, RFC 5958) by PBES2 or, where libcrypto has it, PBES1 (RFC 8018); it has to be
  /// all of `der`.
  ///
  /// - Throws: `passwordNeeded`, `wrongPassword`, `unsupportedEncryption`, `excessiveKeyDerivation` when deriving the key
  ///   would take more than 10,000,000 iterations or 32 MiB, and the codes for private keys.
  public init(encryptedPKCS8 der: [UInt8], password: Password?) throws(KeyError) {
    var budget = KeyDerivationBudget()
    try self.init(encryptedPKCS8: der, password: password, &budget)
  }

  /// The same within what is left of the budget of a file.
  init(encryptedPKCS8 der: [UInt8], password: Password?, _ budget: inout KeyDerivationBudget) throws(KeyError) {
    defer { ERR_clear_error() }
    guard let encrypted = LibcryptoCoding.decoded(der, d2i_X509_SIG, free: X509_SIG_free) else {
      throw KeyError(.malformedKey)
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
