import Corpus
import HostIO
import Reports

/// One suite per contender, one case per test; in Markdown the scores and the findings that fail the run.
extension DiffReport: ReportForms {
  package var command: String { "assay diff" }
  package var sentence: String { DiffSummary.sentence(report) }
  package var isSuccess: Bool { DiffSummary.exitCode(report) == .success }
  package var duration: Double? { report.duration }
  package var warnings: [String] { [] }

  package var errors: [(title: String, text: String)] {
    report.failing.map { finding in
      (
        "\(report.scores[finding.contender].title): \(finding.kind.title)",
        "\(finding.test.title) of \(finding.test.source): expected "
          + "\(finding.test.expected?.outcome ?? "nothing"), answered \(finding.answer)"
      )
    }
  }

  private static let findingLimit = 50

  package var blocks: [MarkdownBlock] {
    let remarks =
      report.scores.flatMap { score in DiffSummary.remarks(score).map { "\(score.title) \($0)" } }
      + DiffSummary.waiverRemarks(report)
    let scores =
      DiffSummary.verdicts(report).map { MarkdownBlock.verdict($0) }
      + [.table(Score.header, report.scores.map(\.cells))] + remarks.map { .text($0) }
    let severe = report.failing
    guard !severe.isEmpty else { return scores }
    let more = severe.count - Self.findingLimit
    return scores + [
      .heading("Findings"),
      .table(
        ["contender", "severity", "finding", "test", "expected", "answered", "what an attacker gains"],
        severe.prefix(Self.findingLimit).map(row)),
    ] + (more > 0 ? [.text("… and \(more) more.")] : [])
  }

  private func row(_ finding: Finding) -> [String] {
    [
      report.scores[finding.contender].title, finding.severity.rawValue,
      finding.isForgery ? "accepted a forgery" : finding.kind.title,
      "\(finding.test.title) of \(finding.test.source)", finding.test.expected?.outcome ?? "–", finding.answer,
      finding.kind == .accepted ? DiffSummary.effects(of: finding, notes).first ?? "–" : "–",
    ]
  }

  package var suites: [JUnitSuite] {
    report.scores.map { score in
      JUnitSuite(
        score.title,
        score.records.map { .init(group: $0.test.source, name: $0.test.title, outcome(of: $0)) } + missing(from: score))
    }
  }

  /// A case that is an error, if tests of the contender were not reached or none was decided.
  private func missing(from score: Score) -> [JUnitSuite.Case] {
    if score.notReached > 0, let interruption = DiffSummary.interruption(report) {
      return [.init(group: command, name: "\(Text.counted(score.notReached, "test")) not run", .error(interruption))]
    }
    guard report.undecided.contains(where: { $0.name == score.name }) else { return [] }
    return [.init(group: command, name: "every test", .error("nothing was compared"))]
  }

  private func outcome(of record: Score.Record) -> JUnitSuite.Outcome {
    switch record.assessment {
    case .passed, .acceptable: .passed
    case .notAsked: .skipped("not run")
    case .unsupported: .skipped((["unsupported"] + record.lacking).joined(separator: " "))
    case .finding(let kind):
      if let excuse = record.finding.flatMap(excuse) {
        .noted("\(kind.title), \(excuse)")
      } else {
        .failed(type: kind.rawValue, kind.title, detail: record.decision.description)
      }
    }
  }

  /// Why a finding does not fail the run; nil if it does.
  private func excuse(_ finding: Finding) -> String? {
    guard !report.fails(finding) else { return nil }
    return report.waiver(for: finding).map { "waived: \($0.reason)" }
      ?? "below the level \(report.failurePolicy.level.rawValue)"
  }
}
