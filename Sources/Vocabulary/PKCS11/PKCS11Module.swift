package import CPKCS11

/// The shared library of a PKCS #11 device's vendor (OASIS PKCS #11 v2.40), loaded and initialised. Make one per
/// library and process.
public final class PKCS11Module: Sendable {
  /// The module's functions. The list never changes, and any thread may call them.
  package nonisolated(unsafe) let functions: UnsafePointer<CK_FUNCTION_LIST>
  /// Whether this object initialised the module, rather than another part of the process.
  private let isInitializedHere: Bool

  /// Loads the shared library at `path`, and has it use the locks of the operating system.
  ///
  /// - Throws: ``PKCS11Error/unloadable(path:)``, ``PKCS11Error/failed(function:code:)``.
  public init(path: String) throws(PKCS11Error) {
    guard let functions = assay_pkcs11_open(path) else { throw .unloadable(path: path) }
    self.functions = functions
    var arguments = CK_C_INITIALIZE_ARGS()
    arguments.flags = CKF_OS_LOCKING_OK
    let code = functions.pointee.C_Initialize(&arguments)
    isInitializedHere = code == CKR_OK
    if code != CKR_CRYPTOKI_ALREADY_INITIALIZED { try check(code, "C_Initialize") }
  }

  deinit {
    if isInitializedHere { _ = functions.pointee.C_Finalize(nil) }
  }

  /// The slot of the PKCS #11 token with this label.
  func slot(label: String) throws(PKCS11Error) -> CK_SLOT_ID {
    var count: CK_ULONG = 0
    try check(functions.pointee.C_GetSlotList(1, nil, &count), "C_GetSlotList")
    var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
    try check(functions.pointee.C_GetSlotList(1, &slots, &count), "C_GetSlotList")
    var found: [CK_SLOT_ID] = []
    var unreadable: PKCS11Error?
    for slot in slots.prefix(Int(count)) {
      // A slot whose PKCS #11 token was just removed, or is not recognized, does not hide the others.
      do { if try self.label(of: slot) == label { found.append(slot) } } catch { unreadable = error }
    }
    guard found.count == 1 else { throw found.isEmpty ? unreadable ?? .noSuchToken : .noSuchToken }
    return found[0]
  }

  private func label(of slot: CK_SLOT_ID) throws(PKCS11Error) -> String {
    var info = CK_TOKEN_INFO()
    try check(functions.pointee.C_GetTokenInfo(slot, &info), "C_GetTokenInfo")
    return withUnsafeBytes(of: info.label) { bytes in
      let end = bytes.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }
}

/// An error of a PKCS #11 module. It never contains a PIN or a part of a key.
@nonexhaustive
public enum PKCS11Error: Error, Hashable, Sendable {
  /// There is no PKCS #11 module of version 2 at that path.
  case unloadable(path: String)
  /// A function of the module returned this CK_RV.
  case failed(function: String, code: UInt)
  /// No PKCS #11 token, or more than one, has the label.
  case noSuchToken
  /// No private key of that algorithm, or more than one, has the label and identifier.
  case noSuchKey
  /// The public key is not on the device, or is neither an uncompressed point of a 256-bit curve nor RSA with the
  /// exponent 65537.
  case noPublicKey
  /// The device returns, without an error, a shared secret that is empty or longer than 32 bytes.
  case unexpectedSecret
}

/// Throws `failed` unless `code` is CKR_OK.
func check(_ code: UInt, _ function: String) throws(PKCS11Error) {
  guard code == 0 else { throw .failed(function: function, code: code) }
}
