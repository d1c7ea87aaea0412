package import CPKCS11

/// The library a maker of tokens delivers (OASIS PKCS #11 v2.40), loaded and initialised. One a process and library.
public final class PKCS11Module: Sendable {
  /// Never changed by the module, whose functions any thread may call.
  package nonisolated(unsafe) let functions: UnsafePointer<CK_FUNCTION_LIST>
  /// Whether it was initialised here, and not by another part of the process before.
  private let isInitializedHere: Bool

  /// Loads the shared library at `path` and has it lock by the system's means.
  ///
  /// - Throws: `unloadable`, or `failed`.
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

  /// The slot of the token with this label.
  func slot(label: String) throws(PKCS11Error) -> CK_SLOT_ID {
    var count: CK_ULONG = 0
    try check(functions.pointee.C_GetSlotList(1, nil, &count), "C_GetSlotList")
    var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
    try check(functions.pointee.C_GetSlotList(1, &slots, &count), "C_GetSlotList")
    var found: [CK_SLOT_ID] = []
    for slot in slots.prefix(Int(count)) where try self.label(of: slot) == label { found.append(slot) }
    guard found.count == 1 else { throw .noSuchToken }
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

/// Why a PKCS #11 module did not do what it was asked for. Never holds a PIN or anything of a key.
public enum PKCS11Error: Error, Hashable, Sendable {
  /// No module of version 2 at that path.
  case unloadable(path: String)
  /// A function of the module and the CK_RV it answered.
  case failed(function: String, code: UInt)
  /// No token, or more than one, has the label.
  case noSuchToken
  /// No EC private key, or more than one, fits the description.
  case noSuchKey
  /// The public half is not on the token, or is no uncompressed point of a 256-bit curve.
  case noPublicKey
  /// The shared secret the token made is longer than 32 bytes, or empty.
  case unexpectedSecret
}

/// Turns an answer that is not CKR_OK into an error.
func check(_ code: UInt, _ function: String) throws(PKCS11Error) {
  guard code == 0 else { throw .failed(function: function, code: code) }
}
