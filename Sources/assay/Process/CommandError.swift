/// Why a command ended without doing what it was asked for.
struct CommandError: Error, Hashable {
  let exitCode: ExitCode
  /// One sentence for standard error; empty when there is nobody to tell.
  let message: String

  init(_ exitCode: ExitCode, _ message: String) {
    self.exitCode = exitCode
    self.message = message
  }
}
