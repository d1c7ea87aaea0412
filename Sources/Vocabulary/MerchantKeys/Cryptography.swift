import COpenSSL
package import PaymentToken

/// Checks that libcrypto provides the algorithms that engines need. OPENSSL_CONF, the providers that the application
/// has loaded and its default properties determine which are available (crypto(7), config(5)).
///
/// Without AES-GCM or random numbers no token can be decided. The check runs when keys are loaded and when engines are
/// created: a call that fails in the middle of a verification would look like a damaged key or a wrong signature. The
/// process's own configuration of libcrypto applies, so that an application that requires FIPS gets it here too.
package enum Cryptography {
  /// Why nothing can be decided: the first missing algorithm, by libcrypto's name, or that it is missing since libcrypto
  /// could not allocate; nil if none is missing.
  package static var failure: EngineError? {
    let callersErrors = CallersErrors()
    defer { callersErrors.restore() }
    guard let missing = needed.first(where: { !$0.isGiven() }) else { return nil }
    let isOfMemory = CallersErrors.failure(.cryptographyUnavailable).code == .memoryUnavailable
    return isOfMemory ? .memoryUnavailable : .cryptographyUnavailable(algorithm: missing.name)
  }

  /// libcrypto's generator of random numbers, which the system seeds.
  package static let randomNumbers = "CTR-DRBG"

  /// The fault to report when libcrypto did not verify or decrypt a token. It is a verdict on the token only if
  /// libcrypto still has its algorithms: since the engine was created, a provider may have stopped, or the application
  /// may have unloaded it. A provider that was unloaded and loaded again in between goes unnoticed. The error queue
  /// cannot tell the cases apart: without a provider `d2i_PUBKEY` leaves the same "decode error" as for a point that
  /// is not on the curve, and a failed verification leaves no error.
  ///
  /// - Returns: the fault with this code, or `keyUnavailable`, which says nothing about the token.
  package static func refusal(_ code: TokenFault.Code) -> TokenFault {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return TokenFault(needed.allSatisfy { $0.isGiven() } ? code : .keyUnavailable)
  }

  /// - Throws: ``KeyError`` with `cryptographyUnavailable` or `memoryUnavailable`.
  static func check() throws(KeyError) {
    guard let failure else { return }
    throw KeyError(failure == .memoryUnavailable ? .memoryUnavailable : .cryptographyUnavailable)
  }

  private static var needed: [(name: String, isGiven: () -> Bool)] {
    [
      ("SHA2-256", { isFetched(EVP_MD_fetch(nil, "SHA2-256", nil), EVP_MD_free) }),
      ("SHA2-384", { isFetched(EVP_MD_fetch(nil, "SHA2-384", nil), EVP_MD_free) }),
      ("AES-256-GCM", { takesKeys("AES-256-GCM") }),
      ("AES-128-GCM", { takesKeys("AES-128-GCM") }),
      ("EC", { isFetched(EVP_KEYMGMT_fetch(nil, "EC", nil), EVP_KEYMGMT_free) }),
      ("ECDSA", { isFetched(EVP_SIGNATURE_fetch(nil, "ECDSA", nil), EVP_SIGNATURE_free) }),
      ("RSA", { isFetched(EVP_KEYMGMT_fetch(nil, "RSA", nil), EVP_KEYMGMT_free) }),
      ("RSA signatures", { isFetched(EVP_SIGNATURE_fetch(nil, "RSA", nil), EVP_SIGNATURE_free) }),
      ("RSA decryption", { isFetched(EVP_ASYM_CIPHER_fetch(nil, "RSA", nil), EVP_ASYM_CIPHER_free) }),
      // Random numbers blind private keys. They are checked last, since libcrypto makes them by other algorithms.
      (
        randomNumbers,
        { withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { RAND_priv_bytes($0.baseAddress, 1) == 1 } }
      ),
    ]
  }

  /// Whether a cipher can be given a key. A provider that has stopped, as a FIPS provider does after an error, gives
  /// its ciphers but refuses keys (fips_module(7)).
  private static func takesKeys(_ name: String) -> Bool {
    guard let cipher = EVP_CIPHER_fetch(nil, name, nil) else { return false }
    defer { EVP_CIPHER_free(cipher) }
    guard let context = EVP_CIPHER_CTX_new() else { return false }
    defer { EVP_CIPHER_CTX_free(context) }
    let zeros = [UInt8](repeating: 0, count: 32)
    return EVP_DecryptInit_ex(context, cipher, nil, zeros, zeros) == 1
  }

  private static func isFetched(_ algorithm: OpaquePointer?, _ free: (OpaquePointer?) -> Void) -> Bool {
    free(algorithm)
    return algorithm != nil
  }
}
