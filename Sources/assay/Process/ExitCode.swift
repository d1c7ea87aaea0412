/// What the program's exit says (sysexits where there is one).
enum ExitCode: Int32 {
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
