/// Why a command failed.
package struct CommandError: Error, Hashable {
  package let exitCode: ExitCode
  /// One sentence for standard error; empty if there is nothing to write.
  package let message: String
  /// Whether the arguments are at fault, so that the help of the command says more.
  package let isAboutArguments: Bool

  package init(_ exitCode: ExitCode, _ message: String, isAboutArguments: Bool = false) {
    self.exitCode = exitCode
    self.message = message
    self.isAboutArguments = isAboutArguments
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
