import Corpus
import Reports

extension DiffReport {
  private static let findingLimit = 50

  /// The results as Markdown, for a comment or a job summary.
  package var markdown: String {
    var lines = ["## assay diff: \(Markdown.plain(DiffSummary.sentence(report)))", ""]
    lines += Markdown.table(Score.header, report.scores.map { $0.cells.map(Markdown.plain) })
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
          Markdown.plain("\(finding.test.title) of \(finding.test.source)"),
          Markdown.plain(finding.test.expected?.outcome ?? "–"), Markdown.plain(finding.decision.description),
          finding.kind == .acceptedForgery
            ? Markdown.plain(DiffSummary.effects(of: finding.test, notes).first ?? "–") : "–",
        ]
      })
    let more = report.findings.count - Self.findingLimit
    if more > 0 { lines += ["", "… and \(more) more."] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// GitHub workflow commands for annotations. GitHub shows at most ten of each kind.
  package var annotations: String {
    let findings = report.findings.prefix(Self.annotationLimit).map { finding in
      GitHubActions.annotation(
        "error", title: "\(report.scores[finding.contender].title): \(finding.kind.title)",
        "\(finding.test.title) of \(finding.test.source): expected "
          + "\(finding.test.expected?.outcome ?? "nothing"), answered \(finding.decision)")
    }
    let level = DiffSummary.exitCode(report) == .success ? "notice" : "error"
    return findings.joined() + GitHubActions.annotation(level, title: "assay diff", DiffSummary.sentence(report))
  }

  private static let annotationLimit = 10
}
