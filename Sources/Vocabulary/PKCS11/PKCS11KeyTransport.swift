import COpenSSL
package import CPKCS11
import CSodium
public import PaymentToken
import Synchronization

/// Unwraps keys of RSA_v1 with a private key on a PKCS #11 device: C_Decrypt with CKM_RSA_PKCS_OAEP, SHA-256 and MGF1
/// with SHA-256 (OASIS PKCS #11 v2.40). The private key never leaves the device.
///
/// Some devices, such as SoftHSM 2.6, support OAEP only with SHA-1. Such a device computes raw RSA (CKM_RSA_X_509), and
/// libcrypto decodes OAEP.
public final class PKCS11KeyTransport: KeyTransport {
  /// What the device computes.
  @nonexhaustive
  public enum Mechanism: String, Hashable, Sendable {
    /// OAEP with SHA-256. On some devices the time may reveal why it fails.
    case oaep
    /// Raw RSA.
    case raw
  }

  /// The modulus, big-endian without leading zeros. The public exponent is 65537.
  public let modulus: [UInt8]
  /// What the device computes.
  public let mechanism: Mechanism
  private let token: PKCS11Token
  /// The handle of the private key.
  package let handle: CK_OBJECT_HANDLE
  private let failure = Mutex<PKCS11Error?>(nil)

  /// The size of an AES-128 key, in bytes.
  private static let keySize = 16

  init(token: PKCS11Token, handle: CK_OBJECT_HANDLE, modulus: [UInt8], mechanism: Mechanism) {
    self.token = token
    self.handle = handle
    self.modulus = modulus
    self.mechanism = mechanism
  }

  /// The error of the last failed call; nil if none has failed.
  public var lastFailure: PKCS11Error? { failure.withLock { $0 } }

  /// Unwraps a key on the device; see `KeyTransport.unwrapKey(_:into:)`.
  ///
  /// - Throws: `KeyUnavailable`; ``lastFailure`` then holds the cause.
  public func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool {
    precondition(key.count == Self.keySize, "the key has 16 bytes")
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: modulus.count)
    room.initialize(repeating: 0)
    defer {
      sodium_memzero(room.baseAddress, room.count)
      room.deallocate()
    }
    let count: Int?
    do throws(PKCS11Error) {
      count = try wrapped.withUnsafeBufferPointer { wrapped throws(PKCS11Error) in
        try token.withSession { (functions, session) throws(PKCS11Error) in
          try decrypt(wrapped, functions, session, into: room)
        }
      }
    } catch {
      failure.withLock { $0 = error }
      throw KeyUnavailable()
    }
    switch mechanism {
    case .oaep:
      for index in 0..<Self.keySize { key[index] = room[index] }
      return count == Self.keySize
    case .raw:
      guard let count else { return false }
      return Self.decode(room, count: count, into: &key)
    }
  }

  /// Removes the padding of OAEP (RFC 8017 section 7.1.2 step 3). No branch and no address may depend on the bytes.
  ///
  /// - Parameters:
  ///   - encoded: room as long as the modulus, with `count` bytes at its start. Leading zeros, which some devices omit,
  ///     are restored here.
  ///   - key: 16 bytes.
  /// - Returns: whether the padding is valid and the message fills `key`.
  package static func decode(
    _ encoded: UnsafeMutableBufferPointer<UInt8>, count: Int, into key: inout MutableSpan<UInt8>
  ) -> Bool {
    guard count <= encoded.count else { return false }
    let missing = encoded.count - count
    for index in encoded.indices.reversed() { encoded[index] = index < missing ? 0 : encoded[index - missing] }
    let size = Int32(encoded.count)
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    let count = key.withUnsafeMutableBufferPointer { key in
      RSA_padding_check_PKCS1_OAEP_mgf1(
        key.baseAddress, Int32(key.count), encoded.baseAddress, size, size, nil, 0, EVP_sha256(), EVP_sha256())
    }
    return count == Int32(key.count)
  }

  /// Decrypts into `room`, which has the size of the modulus.
  ///
  /// - Returns: the number of bytes; nil when the device finds the padding invalid.
  private func decrypt(
    _ wrapped: UnsafeBufferPointer<UInt8>, _ functions: CK_FUNCTION_LIST, _ session: CK_SESSION_HANDLE,
    into room: UnsafeMutableBufferPointer<UInt8>
  ) throws(PKCS11Error) -> Int? {
    try check(Self.begin(mechanism, handle, functions, session), "C_DecryptInit")
    var count = CK_ULONG(room.count)
    let input = UnsafeMutablePointer(mutating: wrapped.baseAddress)
    let code = functions.C_Decrypt(session, input, CK_ULONG(wrapped.count), room.baseAddress, &count)
    if Self.isAboutTheData(code) { return nil }
    try check(code, "C_Decrypt")
    return Int(count)
  }

  /// Whether a code of `C_Decrypt` is an answer about the ciphertext (PKCS #11 3.1, section 5.1.6). Devices disagree on
  /// which one says that the padding is invalid. A code for any failure, such as CKR_FUNCTION_FAILED, is no answer: a
  /// sound token must not be refused because a device is at fault.
  package static func isAboutTheData(_ code: CK_ULONG) -> Bool {
    [CKR_ENCRYPTED_DATA_INVALID, CKR_ENCRYPTED_DATA_LEN_RANGE, CKR_DATA_INVALID, CKR_DATA_LEN_RANGE].contains(code)
  }

  /// The mechanism that the device supports for this key, OAEP first.
  static func mechanism(for key: CK_OBJECT_HANDLE, of token: PKCS11Token) throws(PKCS11Error) -> Mechanism {
    let isSupported = try token.withSession(for: .unfinishedOperation) { (functions, session) throws(PKCS11Error) in
      let code = begin(.oaep, key, functions, session)
      guard [CKR_ARGUMENTS_BAD, CKR_MECHANISM_INVALID, CKR_MECHANISM_PARAM_INVALID].contains(code) else {
        try check(code, "C_DecryptInit")
        return true
      }
      return false
    }
    if isSupported { return .oaep }
    try token.withSession(for: .unfinishedOperation) { (functions, session) throws(PKCS11Error) in
      try check(begin(.raw, key, functions, session), "C_DecryptInit")
    }
    return .raw
  }

  private static func begin(
    _ mechanism: Mechanism, _ key: CK_OBJECT_HANDLE, _ functions: CK_FUNCTION_LIST, _ session: CK_SESSION_HANDLE
  ) -> CK_ULONG {
    switch mechanism {
    case .raw:
      var mechanism = CK_MECHANISM(mechanism: CKM_RSA_X_509, pParameter: nil, ulParameterLen: 0)
      return functions.C_DecryptInit(session, &mechanism, key)
    case .oaep:
      let parameters = CK_RSA_PKCS_OAEP_PARAMS(
        hashAlg: CKM_SHA256, mgf: CKG_MGF1_SHA256, source: CKZ_DATA_SPECIFIED, pSourceData: nil, ulSourceDataLen: 0)
      return withUnsafeBytes(of: parameters) { bytes in
        var mechanism = CK_MECHANISM(
          mechanism: CKM_RSA_PKCS_OAEP, pParameter: UnsafeMutableRawPointer(mutating: bytes.baseAddress),
          ulParameterLen: CK_ULONG(bytes.count))
        return functions.C_DecryptInit(session, &mechanism, key)
      }
    }
  }
}
