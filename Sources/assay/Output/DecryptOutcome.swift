import HostIO
import PaymentToken

/// How a decryption ended.
enum DecryptOutcome {
  /// - archival: whether it was verified as of its own signing time.
  case accepted(DecryptedToken, archival: Bool)
  /// Opened under the unsigned policy, and signed by nobody.
  case unsigned(UnsignedToken)
  case rejected(TokenFault)

  var exitCode: ExitCode {
    switch self {
    case .accepted, .unsigned: .success
    case .rejected: .finding
    }
  }

  /// Where the answer itself cannot say it, and even --quiet does not silence it: such a token may have been paid with long ago.
  static func remarkArchival() {
    Console.remark("archived: verified as of its own signing time, which says nothing of today. It is no new payment.")
  }
}
