import Corpus
import HostIO
import Reports

/// The results as Markdown, for a comment or a job's summary, and as annotations of GitHub Actions.
package struct MarkdownReport {
  let report: RunReport
  let notes: [String: VectorNote]

  private static let findingLimit = 50

  package init(report: RunReport, notes: [String: VectorNote]) {
    self.report = report
    self.notes = notes
  }

  package var text: String {
    var lines = ["## assay diff: \(Markdown.plain(DiffSummary.sentence(report)))", ""]
    lines += Markdown.table(
      ["contender", "held", "findings", "unsupported", "accepted forgeries"],
      report.scores.map { score in
        [
          Markdown.plain(score.title), String(score.tally.held), String(score.tally.findings),
          String(score.tally.unsupported), String(score.tally.kinds[.acceptedForgery] ?? 0),
        ]
      })
    for score in report.scores {
      for remark in DiffSummary.remarks(score) { lines += ["", Markdown.plain("\(score.title) \(remark)")] }
    }
    guard !report.findings.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", "### Findings", ""]
    lines += Markdown.table(
      ["contender", "finding", "test", "expected", "answered", "what an attacker gains"],
      report.findings.prefix(Self.findingLimit).map { finding in
        [
          Markdown.plain(report.scores[finding.contender].title), finding.kind.title,
          Markdown.plain("\(finding.trial.title) of \(finding.trial.source)"),
          Markdown.plain(finding.trial.expected?.outcome ?? "–"), Markdown.plain(finding.decision.description),
          finding.kind == .acceptedForgery
            ? Markdown.plain(DiffSummary.effects(of: finding.trial, notes).first ?? "–") : "–",
        ]
      })
    let more = report.findings.count - Self.findingLimit
    if more > 0 { lines += ["", "… and \(more) more."] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Workflow commands, which GitHub shows as annotations; ten are shown of each kind.
  var annotations: String {
    var lines = report.findings.prefix(Self.annotationLimit).map { finding in
      let title = GitHubActions.property("\(report.scores[finding.contender].title): \(finding.kind.title)")
      return "::error title=\(title)::"
        + GitHubActions.data(
          "\(finding.trial.title) of \(finding.trial.source): expected "
            + "\(finding.trial.expected?.outcome ?? "nothing"), answered \(finding.decision)")
    }
    let level = DiffSummary.exitCode(report) == .success ? "notice" : "error"
    lines.append("::\(level) title=assay diff::\(GitHubActions.data(DiffSummary.sentence(report)))")
    return lines.map { "\($0)\n" }.joined()
  }

  /// Writes the annotations to standard error, and the table to the job's summary where there is one.
  package func tellGitHub() throws(CommandError) {
    try GitHubActions.tell(annotations: annotations, summary: text)
  }

  private static let annotationLimit = 10
}
