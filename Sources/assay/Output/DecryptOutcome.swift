import PaymentToken

/// How a decryption ended.
enum DecryptOutcome {
  /// - archival: whether it was verified as of its own signing time.
  case accepted(DecryptedToken, archival: Bool)
  case rejected(TokenFault)

  var exitCode: ExitCode {
    switch self {
    case .accepted: .success
    case .rejected: .finding
    }
  }
}
