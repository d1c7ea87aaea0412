import PaymentToken

extension ReferenceDecryptor {
  /// 1.1: the maximum size of a token, in bytes.
  static let maximumTokenSize = 16_384

  /// Stage 1.
  ///
  /// - Throws: `tokenTooLarge`.
  static func checkSize(ofToken count: Int, trace: inout Trace) throws(TokenFault) {
    trace.begin(.size)
    trace.note(.tokenSize(found: count, limit: maximumTokenSize))
    guard count <= maximumTokenSize else { throw TokenFault(.tokenTooLarge) }
  }
}
