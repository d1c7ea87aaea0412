import PaymentToken

extension ReferenceDecryptor {
  /// Stage 12. The caller wipes the plaintext.
  ///
  /// - Throws: `decryptionFailed`.
  static func decryptData(_ data: [UInt8], key: WipedBytes, trace: inout Trace) throws(TokenFault) -> WipedBytes {
    trace.begin(.decryption)
    guard let plaintext = AuthenticatedDecryption.open(data, key: key) else { throw TokenFault(.decryptionFailed) }
    return plaintext
  }
}
