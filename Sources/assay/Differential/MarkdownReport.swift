import Benchmarking
import Corpus
import Differential

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The results as Markdown, for a comment or a job's summary, and as annotations of GitHub Actions.
struct MarkdownReport {
  let report: RunReport
  let notes: [String: VectorNote]

  private static let findingLimit = 50

  var text: String {
    var lines = ["## assay diff: \(Self.plain(DiffSummary.sentence(report)))", ""]
    lines += Self.table(
      ["contender", "held", "findings", "unsupported", "accepted forgeries"],
      report.scores.map { score in
        [
          Self.plain(score.title), String(score.tally.held), String(score.tally.findings),
          String(score.tally.unsupported), String(score.tally.kinds[.acceptedForgery] ?? 0),
        ]
      })
    for score in report.scores {
      for remark in DiffSummary.remarks(score) { lines += ["", Self.plain("\(score.title) \(remark)")] }
    }
    guard !report.findings.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", "### Findings", ""]
    lines += Self.table(
      ["contender", "finding", "test", "expected", "answered", "what an attacker gains"],
      report.findings.prefix(Self.findingLimit).map { finding in
        [
          Self.plain(report.scores[finding.contender].title), finding.kind.title,
          Self.plain("\(finding.trial.title) of \(finding.trial.source)"),
          Self.plain(finding.trial.expected?.description ?? "–"), Self.plain(finding.decision.description),
          finding.kind == .acceptedForgery
            ? Self.plain(DiffSummary.effects(of: finding.trial, notes).first ?? "–") : "–",
        ]
      })
    let more = report.findings.count - Self.findingLimit
    if more > 0 { lines += ["", "… and \(more) more."] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Workflow commands, which GitHub shows as annotations; ten are shown of each kind.
  var annotations: String {
    var lines = report.findings.prefix(Self.annotationLimit).map { finding in
      let title = Self.property("\(report.scores[finding.contender].title): \(finding.kind.title)")
      return "::error title=\(title)::"
        + Self.data(
          "\(finding.trial.title) of \(finding.trial.source): expected "
            + "\(finding.trial.expected?.description ?? "nothing"), answered \(finding.decision)")
    }
    let level = DiffSummary.exitCode(report) == .success ? "notice" : "error"
    lines.append("::\(level) title=assay diff::\(Self.data(DiffSummary.sentence(report)))")
    return lines.map { "\($0)\n" }.joined()
  }

  /// Writes the annotations to standard error, and the table to the job's summary where there is one.
  func tellGitHub() throws(CommandError) {
    Console.draw(annotations)
    guard let path = getenv("GITHUB_STEP_SUMMARY").map({ String(cString: $0) }), !path.isEmpty else { return }
    try FileWriter.append(Array(text.utf8), to: path)
  }

  private static let annotationLimit = 10

  private static func table(_ header: [String], _ rows: [[String]]) -> [String] {
    ([header, header.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// Nothing in foreign text may become markup.
  private static func plain(_ text: String) -> String {
    var result = ""
    for character in Text.harmless(text) {
      switch character {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\\", "`", "*", "_", "[", "]", "|", "#", "!", "~": result += "\\\(character)"
      case "@": result += "@\u{200B}"
      default: result.append(character)
      }
    }
    return result
  }

  private static func data(_ text: String) -> String {
    Text.harmless(text).split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
  }

  private static func property(_ text: String) -> String {
    data(text).map { $0 == ":" ? "%3A" : $0 == "," ? "%2C" : String($0) }.joined()
  }
}
