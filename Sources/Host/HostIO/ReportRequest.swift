import Reports

/// A requested report and its destination.
package enum ReportRequest: Equatable {
  case html(String)
  case junit(String)
  case markdown(String)
  case github
  /// A form that only some commands have, and its destination.
  case form(String, String)

  /// Checks before a long run that the report can be written.
  ///
  /// - Throws: `CommandError` that names it.
  package func checkFolder() throws(CommandError) {
    switch self {
    case .html(let path), .junit(let path), .markdown(let path): try FileWriter.checkFolder(of: path)
    case .github: break
    case .form(_, let path): try FileWriter.checkFolder(of: path)
    }
  }
}

extension ReportRequest {
  /// Writes results in the requested form to the requested destination.
  ///
  /// - Parameters:
  ///   - page: the results as one HTML file.
  ///   - form: the results in a form of the command itself, by its name.
  package func write(
    _ report: some ReportForms, page: () throws(CommandError) -> String,
    form: (_ name: String) -> String = { _ in "" }
  ) throws(CommandError) {
    switch self {
    case .html(let path): try Self.write(try page(), to: path)
    case .junit(let path): try Self.write(report.junit, to: path)
    case .markdown(let path): try Self.write(report.markdown, to: path)
    case .github:
      Console.draw(report.annotations)
      guard let path = Environment.value("GITHUB_STEP_SUMMARY") else { return }
      try FileWriter.append(Array(report.markdown.utf8), to: path)
    case .form(let name, let path): try Self.write(form(name), to: path)
    }
  }

  private static func write(_ text: String, to path: String) throws(CommandError) {
    try FileWriter.write(Array(text.utf8), to: path, visibility: .everyone, replacing: true)
  }
}
