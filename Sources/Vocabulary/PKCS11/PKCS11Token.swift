package import CPKCS11

/// A token whose user is logged in, for as long as this lives.
///
/// A session serves one thread at a time: as many are opened as threads ask at once, and kept. A login that the token
/// ends by itself (it was pulled, or reset) is not made anew, for the PIN is not kept: make another token.
public final class PKCS11Token: Sendable {
  private let module: PKCS11Module
  private let slot: CK_SLOT_ID
  /// Used for nothing else: a login ends with the last session.
  private let login: CK_SESSION_HANDLE
  private let idle = IdleSessions()

  /// Finds the token and logs the user in.
  ///
  /// - Parameter pin: the user's, which stays the caller's to wipe.
  /// - Throws: `noSuchToken`, or `failed`.
  public init(_ module: PKCS11Module, label: String, pin: [UInt8]) throws(PKCS11Error) {
    self.module = module
    slot = try module.slot(label: label)
    let session = try PKCS11Token.open(slot, of: module)
    login = session
    let code = pin.withUnsafeBufferPointer { bytes in
      module.functions.pointee.C_Login(
        session, CKU_USER, UnsafeMutablePointer(mutating: bytes.baseAddress), CK_ULONG(bytes.count))
    }
    guard code == CKR_OK || code == CKR_USER_ALREADY_LOGGED_IN else {
      _ = module.functions.pointee.C_CloseSession(session)
      throw .failed(function: "C_Login", code: code)
    }
  }

  deinit {
    for session in idle.takeAll() + [login] { _ = module.functions.pointee.C_CloseSession(session) }
  }

  /// The one EC key with this label and this identifier, where they are given.
  ///
  /// - Throws: `noSuchKey`, `noPublicKey`, or `failed`.
  public func key(label: String? = nil, id: [UInt8]? = nil) throws(PKCS11Error) -> PKCS11KeyAgreement {
    try withSession { (functions, session) throws(PKCS11Error) in
      let objects = ObjectSearch(functions: functions, session: session)
      let keys = try objects.find(.privateKey, label: label, id: id)
      guard keys.count == 1 else { throw .noSuchKey }
      let point = try objects.point(of: keys[0], label: label, id: id)
      return PKCS11KeyAgreement(token: self, handle: keys[0], publicKey: point)
    }
  }

  /// Lends a session to `body`. One in which something failed is closed, and not used again.
  ///
  /// - Parameter writing: whether objects of the token are to be made; such a session is not kept.
  package func withSession<Result>(
    writing: Bool = false, _ body: (CK_FUNCTION_LIST, CK_SESSION_HANDLE) throws(PKCS11Error) -> Result
  ) throws(PKCS11Error) -> Result {
    let functions = module.functions.pointee
    let known = writing ? nil : idle.take()
    let session = if let known { known } else { try PKCS11Token.open(slot, of: module, writing: writing) }
    do throws(PKCS11Error) {
      let result = try body(functions, session)
      if writing { _ = functions.C_CloseSession(session) } else { idle.put(session) }
      return result
    } catch {
      _ = functions.C_CloseSession(session)
      throw error
    }
  }

  private static func open(
    _ slot: CK_SLOT_ID, of module: PKCS11Module, writing: Bool = false
  ) throws(PKCS11Error) -> CK_SESSION_HANDLE {
    var session: CK_SESSION_HANDLE = 0
    let flags = CKF_SERIAL_SESSION | (writing ? CKF_RW_SESSION : 0)
    try check(module.functions.pointee.C_OpenSession(slot, flags, nil, nil, &session), "C_OpenSession")
    return session
  }
}
