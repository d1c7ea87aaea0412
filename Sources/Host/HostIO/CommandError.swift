/// Why a command ended without doing what it was asked for.
package struct CommandError: Error, Hashable {
  package let exitCode: ExitCode
  /// One sentence for standard error; empty when there is nobody to tell.
  package let message: String

  package init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }
}

/// What the program's exit says (sysexits where there is one).
package enum ExitCode: Int32 {
  /// It held.
  case success = 0
  /// A finding: rejected, diverged, slower than it must be.
  case finding = 1
  /// No answer: unreadable file, bad key, an answer that could not be written.
  case noAnswer = 2
  case usage = 64
  /// An error of this program.
  case internalError = 70
  case interrupted = 130
}
