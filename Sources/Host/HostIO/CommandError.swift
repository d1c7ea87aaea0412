/// Why a command failed.
package struct CommandError: Error, Hashable {
  package let exitCode: ExitCode
  /// One sentence for standard error; empty if there is nothing to write.
  package let message: String

  package init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }
}

/// The exit code of the program (sysexits where one fits).
package enum ExitCode: Int32 {
  /// Success.
  case success = 0
  /// Rejected or regressed, or any other finding.
  case finding = 1
  /// Could not decide: an unreadable file, a bad key, an answer that could not be written.
  case noAnswer = 2
  case usage = 64
  /// An internal error.
  case internalError = 70
  case interrupted = 130
}
