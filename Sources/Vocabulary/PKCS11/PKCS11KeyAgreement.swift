package import CPKCS11
import CSodium
public import PaymentToken
import Synchronization

/// Computes shared secrets with a private key on a PKCS #11 device: C_DeriveKey with CKM_ECDH1_DERIVE and no KDF (OASIS
/// PKCS #11 v2.40). The private key never leaves the device.
public final class PKCS11KeyAgreement: KeyAgreement {
  /// The public key on P-256, 04 ‖ x ‖ y, 65 bytes.
  public let publicKey: [UInt8]
  private let token: PKCS11Token
  /// The handle of the private key.
  package let handle: CK_OBJECT_HANDLE
  private let failure = Mutex<PKCS11Error?>(nil)

  /// The size of Z, in bytes.
  private static let secretSize = 32

  init(token: PKCS11Token, handle: CK_OBJECT_HANDLE, publicKey: [UInt8]) {
    self.token = token
    self.handle = handle
    self.publicKey = publicKey
  }

  /// The error of the last failed derivation; nil if none has failed.
  public var lastFailure: PKCS11Error? { failure.withLock { $0 } }

  /// Computes Z with the key on the device; see `KeyAgreement.deriveSecret(with:into:)`.
  ///
  /// - Throws: `KeyUnavailable`; ``lastFailure`` then holds the cause.
  public func deriveSecret(with peer: Span<UInt8>, into secret: inout MutableSpan<UInt8>) throws(KeyUnavailable) {
    precondition(secret.count == Self.secretSize, "Z has 32 bytes")
    do throws(PKCS11Error) {
      try secret.withUnsafeMutableBytes { room throws(PKCS11Error) in
        try peer.withUnsafeBytes { point throws(PKCS11Error) in try derive(with: point, into: room) }
      }
    } catch {
      failure.withLock { $0 = error }
      throw KeyUnavailable()
    }
  }

  private func derive(
    with peer: UnsafeRawBufferPointer, into secret: UnsafeMutableRawBufferPointer
  ) throws(PKCS11Error) {
    try token.withSession { (functions, session) throws(PKCS11Error) in
      let object = try Self.derive(functions, session, handle, peer)
      defer { _ = functions.C_DestroyObject(session, object) }
      try Self.read(functions, session, object, into: secret)
    }
  }

  /// Derives Z as an object of the session, which the caller destroys.
  private static func derive(
    _ functions: CK_FUNCTION_LIST, _ session: CK_SESSION_HANDLE, _ key: CK_OBJECT_HANDLE,
    _ peer: UnsafeRawBufferPointer
  ) throws(PKCS11Error) -> CK_OBJECT_HANDLE {
    let point = UnsafeMutableRawPointer(mutating: peer.baseAddress)?.assumingMemoryBound(to: CK_BYTE.self)
    let parameters = CK_ECDH1_DERIVE_PARAMS(
      kdf: CKD_NULL, ulSharedDataLen: 0, pSharedData: nil, ulPublicDataLen: CK_ULONG(peer.count), pPublicData: point)
    var template = AttributeTemplate()
    template.add(CKA_CLASS, number: CKO_SECRET_KEY)
    template.add(CKA_KEY_TYPE, number: CKK_GENERIC_SECRET)
    template.add(CKA_TOKEN, flag: false)
    template.add(CKA_SENSITIVE, flag: false)
    template.add(CKA_EXTRACTABLE, flag: true)
    template.add(CKA_VALUE_LEN, number: CK_ULONG(secretSize))
    var object: CK_OBJECT_HANDLE = 0
    let code = withUnsafeBytes(of: parameters) { bytes in
      var mechanism = CK_MECHANISM(
        mechanism: CKM_ECDH1_DERIVE, pParameter: UnsafeMutableRawPointer(mutating: bytes.baseAddress),
        ulParameterLen: CK_ULONG(bytes.count))
      return template.withAttributes { functions.C_DeriveKey(session, &mechanism, key, $0, $1, &object) }
    }
    try check(code, "C_DeriveKey")
    return object
  }

  /// Reads Z, and restores the leading zeros that some devices omit.
  private static func read(
    _ functions: CK_FUNCTION_LIST, _ session: CK_SESSION_HANDLE, _ object: CK_OBJECT_HANDLE,
    into secret: UnsafeMutableRawBufferPointer
  ) throws(PKCS11Error) {
    var attribute = CK_ATTRIBUTE(type: CKA_VALUE, pValue: secret.baseAddress, ulValueLen: CK_ULONG(secret.count))
    try check(functions.C_GetAttributeValue(session, object, &attribute, 1), "C_GetAttributeValue")
    guard let start = secret.baseAddress, (1...CK_ULONG(secretSize)).contains(attribute.ulValueLen) else {
      throw .unexpectedSecret
    }
    let missing = secretSize - Int(attribute.ulValueLen)
    guard missing > 0 else { return }
    (start + missing).copyMemory(from: start, byteCount: secretSize - missing)
    sodium_memzero(start, missing)
  }
}
