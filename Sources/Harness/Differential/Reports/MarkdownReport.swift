import Corpus
import Reports

extension DiffReport {
  private static let findingLimit = 50

  /// The results as Markdown, for a comment or a job summary.
  package var markdown: String {
    var lines = ["## assay diff: \(Markdown.plain(DiffSummary.sentence(report)))", ""]
    for sentences in DiffSummary.verdicts(report) {
      lines += ["**" + Markdown.plain(sentences[0]) + "**"] + sentences.dropFirst().map(Markdown.plain) + [""]
    }
    lines += Markdown.table(Score.header, report.scores.map { $0.cells.map(Markdown.plain) })
    for score in report.scores {
      for remark in DiffSummary.remarks(score) { lines += ["", Markdown.plain("\(score.title) \(remark)")] }
    }
    for remark in DiffSummary.waiverRemarks(report) { lines += ["", Markdown.plain(remark)] }
    let severe = report.failing
    guard !severe.isEmpty else { return lines.joined(separator: "\n") + "\n" }
    lines += ["", "### Findings", ""]
    lines += Markdown.table(
      ["contender", "severity", "finding", "test", "expected", "answered", "what an attacker gains"],
      severe.prefix(Self.findingLimit).map { finding in
        [
          Markdown.plain(report.scores[finding.contender].title), finding.severity.rawValue,
          finding.isForgery ? "accepted a forgery" : finding.kind.title,
          Markdown.plain("\(finding.test.title) of \(finding.test.source)"),
          Markdown.plain(finding.test.expected?.outcome ?? "–"), Markdown.plain(finding.answer),
          finding.kind == .accepted
            ? Markdown.plain(DiffSummary.effects(of: finding, notes).first ?? "–") : "–",
        ]
      })
    let more = severe.count - Self.findingLimit
    if more > 0 { lines += ["", "… and \(more) more."] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// GitHub workflow commands for annotations. GitHub shows at most ten of each kind.
  package var annotations: String {
    let findings = report.failing.prefix(Self.annotationLimit).map { finding in
      GitHubActions.annotation(
        "error", title: "\(report.scores[finding.contender].title): \(finding.kind.title)",
        "\(finding.test.title) of \(finding.test.source): expected "
          + "\(finding.test.expected?.outcome ?? "nothing"), answered \(finding.answer)")
    }
    let level = DiffSummary.exitCode(report) == .success ? "notice" : "error"
    return findings.joined() + GitHubActions.annotation(level, title: "assay diff", DiffSummary.sentence(report))
  }

  private static let annotationLimit = 10
}
