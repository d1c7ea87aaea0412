/// A command line that cannot be understood: exit code 64.
struct UsageError: Error, Hashable {
  /// One sentence that names the offending word.
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
