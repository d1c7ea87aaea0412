import Corpus
import Reports
import TestCases

extension DiffReport {
  private static let findingLimit = 20

  /// The results as text: first the verdicts and the scores, then the findings.
  package var text: String {
    let lines =
      verdicts + head + [""] + scoreTable + report.scores.flatMap(remarks) + DiffSummary.waiverRemarks(report)
      + kindTable + detail
    return lines.map { "\($0)\n" }.joined()
  }

  /// What is wrong with each program, before any figure.
  private var verdicts: [String] {
    let lines = DiffSummary.verdicts(report).flatMap { sentences in
      sentences.enumerated().map { index, sentence in (index == 0 ? "" : "  ") + Text.harmless(sentence) }
    }
    return lines.isEmpty ? [] : lines + [""]
  }

  private var head: [String] {
    Text.pairs([
      ("tests", origins.map(Text.harmless).joined(separator: ", ")), ("strictness", report.strictness.rawValue),
      ("time", "\(report.duration.fixed(1)) s"), ("result", DiffSummary.sentence(report)),
    ])
  }

  private var scoreTable: [String] {
    Text.table(
      header: Score.header, rows: report.scores.map { $0.cells.map(Text.harmless) },
      dropping: ["unsupported", "acceptable", "forgeries refused", "sound accepted"])
  }

  private func remarks(_ score: Score) -> [String] {
    DiffSummary.remarks(score).map { "\(Text.harmless(score.title)) \(Text.harmless($0))" }
  }

  private var kindTable: [String] {
    let failing = report.scores.filter { $0.tally.findings > 0 }
    guard !failing.isEmpty else { return [] }
    let kinds = Assessment.Kind.allCases.filter { kind in failing.contains { $0.tally.kinds[kind] != nil } }
    return [""]
      + Text.table(
        header: ["finding"] + failing.map { Text.harmless($0.title) },
        rows: kinds.map { kind in [kind.title] + failing.map { String($0.tally.kinds[kind] ?? 0) } })
  }

  private var detail: [String] {
    guard !report.findings.isEmpty else { return [] }
    var lines = [""]
    // Findings about programs below the failure policy's level are only counted.
    let severe = report.findings.filter {
      report.scores[$0.contender].isEngine || $0.severity <= report.failurePolicy.level
    }
    for finding in severe.prefix(Self.findingLimit) { lines += self.lines(finding) }
    let more = severe.count - Self.findingLimit
    if more > 0 { lines.append("… and \(more) more: see --json or --report.") }
    let folded = report.findings.count - severe.count
    if folded > 0 {
      lines.append(
        "\(Text.counted(folded, "finding")) below the level \(report.failurePolicy.level.rawValue) "
          + "\(folded == 1 ? "is" : "are") not listed: see --level.")
    }
    if let findingsFolder {
      lines.append("Findings are in \(Text.harmless(findingsFolder)), each with the command that replays it.")
    }
    return lines
  }

  private func lines(_ finding: Finding) -> [String] {
    let test = finding.test
    let name = Text.harmless(report.scores[finding.contender].title)
    var lines = ["\(name): \(finding.isForgery ? "accepted a forgery" : finding.kind.title)"]
    lines.append("  test      \(Text.harmless(test.title)) of \(Text.harmless(test.source))")
    if !test.comment.isEmpty { lines.append("  about     \(Text.harmless(test.comment))") }
    if let standing = finding.standing { lines.append("  standing  \(standing.words)") }
    lines.append("  expected  \(test.expected.map(\.outcome) ?? "nothing: no engine decided")")
    lines.append("  answered  \(Text.harmless(finding.answer))")
    if let reason = finding.reason { lines.append("  reason    \(Text.harmless(reason))") }
    if finding.isForgery, let effect = DiffSummary.effects(of: finding, notes).first {
      lines.append("  gains     \(Text.harmless(effect))")
    }
    lines += finding.quotableStandardError.map { "  stderr    \(Text.harmless($0))" }
    return lines
  }
}

extension Score {
  /// The columns of a table of scores.
  static let header = [
    "contender", "passed", "sound accepted", "forgeries refused", "findings", "acceptable", "unsupported",
  ]

  /// The row in such a table.
  var cells: [String] {
    [title, "\(tally.passed)", validAccepted.words, forgeriesRefused.words]
      + [tally.findings, tally.acceptable, tally.unsupported].map { String($0) }
  }

  /// The name and version that it reported, else its command.
  var title: String {
    guard let identity else { return command ?? name }
    return identity.version.isEmpty ? identity.name : "\(identity.name) \(identity.version)"
  }
}

extension Share {
  /// `412 of 412`; a hyphen for no test.
  var words: String { total == 0 ? "-" : "\(count) of \(total)" }
}

extension Standing {
  /// The standing in words, for people.
  var words: String {
    let by =
      switch maker {
      case .anyone: "anyone can make it"
      case .holder: "the holder of a genuine token can make it"
      case .apple: "Apple alone can make it"
      }
    return "\(severity.rawValue); \(by); \(basis.words)"
  }
}

extension Standing.Basis {
  /// The basis in words, for people.
  var words: String {
    self == .project ? "a choice of assay's rules, which other decryptors may make otherwise" : "by \(word)"
  }
}

extension Finding {
  /// The program's standard error, if it cannot contain a real key or payment.
  var quotableStandardError: [String] { setting.hasTestKeys ? standardErrorTail.map { String($0.prefix(300)) } : [] }
}
