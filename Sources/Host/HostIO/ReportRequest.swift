import Reports

/// A report that was asked for, and where it goes.
package enum ReportRequest: Equatable {
  case html(String)
  case junit(String)
  case markdown(String)
  case github

  /// Before a long run: whether there is a folder that the report can be written to.
  ///
  /// - Throws: `CommandError` that names it.
  package func checkFolder() throws(CommandError) {
    switch self {
    case .html(let path), .junit(let path), .markdown(let path): try FileWriter.checkFolder(of: path)
    case .github: break
    }
  }
}

extension FileWriter {
  /// Writes a report where it was asked for.
  package static func writeReport(_ text: String, to path: String) throws(CommandError) {
    try write(Array(text.utf8), to: path, visibility: .everyone, replacing: true)
  }
}

extension GitHubActions {
  /// Writes annotations to standard error, and the summary where the job has one.
  package static func tell(annotations: String, summary: String) throws(CommandError) {
    Console.draw(annotations)
    guard let path = Environment.value("GITHUB_STEP_SUMMARY") else { return }
    try FileWriter.append(Array(summary.utf8), to: path)
  }
}
