import Reports

/// A requested report and its destination.
package enum ReportRequest: Equatable {
  case html(String)
  case junit(String)
  case markdown(String)
  case github

  /// Checks before a long run that the report can be written.
  ///
  /// - Throws: `CommandError` that names it.
  package func checkFolder() throws(CommandError) {
    switch self {
    case .html(let path), .junit(let path), .markdown(let path): try FileWriter.checkFolder(of: path)
    case .github: break
    }
  }
}

extension ReportRequest {
  /// Writes results in the requested form to the requested destination.
  ///
  /// - Parameter page: the results as one HTML file.
  package func write(
    _ report: some ReportForms, page: () throws(CommandError) -> String
  ) throws(CommandError) {
    switch self {
    case .html(let path): try Self.write(try page(), to: path)
    case .junit(let path): try Self.write(report.junit, to: path)
    case .markdown(let path): try Self.write(report.markdown, to: path)
    case .github:
      Console.draw(report.annotations)
      guard let path = Environment.value("GITHUB_STEP_SUMMARY") else { return }
      try FileWriter.append(Array(report.markdown.utf8), to: path)
    }
  }

  private static func write(_ text: String, to path: String) throws(CommandError) {
    try FileWriter.write(Array(text.utf8), to: path, visibility: .everyone, replacing: true)
  }
}
