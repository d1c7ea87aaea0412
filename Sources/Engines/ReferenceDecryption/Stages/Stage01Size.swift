import PaymentToken

extension ReferenceDecryptor {
  /// 1.1: bytes in a token.
  static let largestToken = 65_536

  /// Stage 1.
  ///
  /// - Throws: `tokenTooLarge`.
  static func checkSize(ofToken count: Int, trace: inout Trace) throws(TokenFault) {
    trace.begin(.size)
    trace.note(.tokenSize(found: count, limit: largestToken))
    guard count <= largestToken else { throw TokenFault(.tokenTooLarge) }
  }
}
