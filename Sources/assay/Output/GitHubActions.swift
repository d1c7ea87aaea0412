#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What GitHub Actions shows of a job: annotations by workflow commands, and a summary.
enum GitHubActions {
  /// Writes annotations to standard error, and the summary where the job has one.
  static func tell(annotations: String, summary: String) throws(CommandError) {
    Console.draw(annotations)
    guard let path = getenv("GITHUB_STEP_SUMMARY").map({ String(cString: $0) }), !path.isEmpty else { return }
    try FileWriter.append(Array(summary.utf8), to: path)
  }

  /// One annotation.
  ///
  /// - Parameter level: `error`, `warning` or `notice`.
  static func annotation(_ level: String, title: String, _ text: String) -> String {
    "::\(level) title=\(property(title))::\(data(text))\n"
  }

  /// Text as the message of a workflow command.
  static func data(_ text: String) -> String {
    Text.harmless(text).split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
  }

  /// Text as a property of one.
  static func property(_ text: String) -> String {
    data(text).map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
  }
}
