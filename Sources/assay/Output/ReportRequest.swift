/// A report that was asked for.
enum ReportRequest: Equatable {
  case html(String)
  case junit(String)
  case markdown(String)
  case github

  /// Before a long run: whether there is a folder that the report can be written to.
  ///
  /// - Throws: `CommandError` that names it.
  func checkFolder() throws(CommandError) {
    switch self {
    case .html(let path), .junit(let path), .markdown(let path): try FileWriter.checkFolder(of: path)
    case .github: break
    }
  }

  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count) {
    case ("html", 2): self = .html(parts[1])
    case ("junit", 2): self = .junit(parts[1])
    case ("markdown", 2): self = .markdown(parts[1])
    case ("github", 1): self = .github
    default: throw UsageError("--report is html=FILE, junit=FILE, markdown=FILE or github, not \(text).")
    }
  }

  /// All that a command line asks for.
  static func all(in arguments: ParsedArguments) throws(UsageError) -> [ReportRequest] {
    var reports: [ReportRequest] = []
    for text in arguments.values("--report") { reports.append(try ReportRequest(text)) }
    return reports
  }
}

extension OptionDefinition {
  static let report = OptionDefinition.value(
    "--report", "FORMAT", repeatable: true, "html=FILE, junit=FILE, markdown=FILE or github")
}
