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
  /// The shared secret the token made is longer than 32 octets, or empty.
  case unexpectedSecret
}

/// Turns an answer that is not CKR_OK into an error.
func check(_ code: UInt, _ function: String) throws(PKCS11Error) {
  guard code == 0 else { throw .failed(function: function, code: code) }
}
