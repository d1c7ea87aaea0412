import PaymentToken

extension TokenFault {
  /// Whether the same token may pass later: then the server is at fault, not the token.
  var isTemporary: Bool { !code.isVerdict }

  /// One line for the log. A fault never holds anything of the token.
  var logLine: String { "token refused: \(self): \(code.advice)" }
}
