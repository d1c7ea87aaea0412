package import CPKCS11

/// A PKCS #11 token (not a payment token) with a logged-in user. The login lasts as long as this object.
///
/// A session serves one thread at a time. One is opened for each concurrent thread and reused. If the device ends the
/// login (it was removed or reset), make another `PKCS11Token`: the PIN is not kept, so this one cannot log in again.
///
/// ```swift
/// let device = try PKCS11Token(in: PKCS11Module(path: path), label: "payments", pin: pin)
/// let key = try device.ellipticCurveKey(label: "merchant")
/// let external = try ExternalECKey(publicKey: key.publicKey, agreement: key)
/// ```
public final class PKCS11Token: Sendable {
  private let module: PKCS11Module
  private let slot: CK_SLOT_ID
  /// A session that only keeps the login alive: a login ends with its last session.
  private let login: CK_SESSION_HANDLE
  private let idle = IdleSessions()

  /// Finds the PKCS #11 token and logs the user in.
  ///
  /// - Parameters:
  ///   - module: the vendor's library.
  ///   - label: the label of the PKCS #11 token.
  ///   - pin: the user's PIN. The caller wipes it. Where this process is logged in already, the device does not check
  ///     it.
  /// - Throws: ``PKCS11Error/noSuchToken``, ``PKCS11Error/failed(function:code:)``.
  public init(in module: PKCS11Module, label: String, pin: [UInt8]) throws(PKCS11Error) {
    self.module = module
    slot = try module.slot(label: label)
    let session = try PKCS11Token.open(slot, of: module)
    login = session
    let code = pin.withUnsafeBufferPointer { bytes in
      module.functions.pointee.C_Login(
        session, CKU_USER, UnsafeMutablePointer(mutating: bytes.baseAddress), CK_ULONG(bytes.count))
    }
    guard code == CKR_OK || code == CKR_USER_ALREADY_LOGGED_IN else {
      // `deinit` closes the session.
      throw .failed(function: "C_Login", code: code)
    }
  }

  deinit {
    for session in idle.takeAll() + [login] { _ = module.functions.pointee.C_CloseSession(session) }
  }

  /// Finds the one EC private key with this label and identifier. Nil matches any.
  ///
  /// - Throws: ``PKCS11Error/noSuchKey``, ``PKCS11Error/noPublicKey``, ``PKCS11Error/failed(function:code:)``.
  public func ellipticCurveKey(label: String? = nil, id: [UInt8]? = nil) throws(PKCS11Error) -> PKCS11KeyAgreement {
    try withSession { (functions, session) throws(PKCS11Error) in
      let objects = ObjectSearch(functions: functions, session: session)
      let keys = try objects.find(.privateKey, .ellipticCurve, label: label, id: id)
      guard keys.count == 1 else { throw .noSuchKey }
      let point = try objects.point(of: keys[0])
      return PKCS11KeyAgreement(token: self, handle: keys[0], publicKey: point)
    }
  }

  /// Finds the one RSA private key with this label and identifier. Nil matches any.
  ///
  /// - Throws: ``PKCS11Error/noSuchKey``, ``PKCS11Error/noPublicKey``, ``PKCS11Error/failed(function:code:)`` if the
  ///   device supports neither OAEP with SHA-256 nor raw RSA for it.
  public func rsaKey(label: String? = nil, id: [UInt8]? = nil) throws(PKCS11Error) -> PKCS11KeyTransport {
    let (key, modulus) = try withSession { (functions, session) throws(PKCS11Error) in
      let objects = ObjectSearch(functions: functions, session: session)
      let keys = try objects.find(.privateKey, .rsa, label: label, id: id)
      guard keys.count == 1 else { throw .noSuchKey }
      return (keys[0], try objects.modulus(of: keys[0]))
    }
    let mechanism = try PKCS11KeyTransport.mechanism(for: key, of: self)
    return PKCS11KeyTransport(token: self, handle: key, modulus: modulus, mechanism: mechanism)
  }

  /// What a session is for.
  package enum SessionUse {
    /// Operations that `body` finishes. The session is reused.
    case operations
    /// An operation that `body` leaves unfinished. The session is closed.
    case unfinishedOperation
    /// Creating objects on the device. The session is closed.
    case writing
  }

  /// Calls `body` with a session. If `body` throws, the session is closed and not reused.
  package func withSession<Result>(
    for use: SessionUse = .operations, _ body: (CK_FUNCTION_LIST, CK_SESSION_HANDLE) throws(PKCS11Error) -> Result
  ) throws(PKCS11Error) -> Result {
    let functions = module.functions.pointee
    let known = use == .operations ? idle.take() : nil
    let session = if let known { known } else { try PKCS11Token.open(slot, of: module, writing: use == .writing) }
    do throws(PKCS11Error) {
      let result = try body(functions, session)
      if use == .operations { idle.put(session) } else { _ = functions.C_CloseSession(session) }
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
