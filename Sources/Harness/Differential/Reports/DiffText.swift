import Corpus
import Reports

extension DiffReport {
  private static let findingLimit = 20

  /// The results as text: first the scores, then the findings.
  package var text: String {
    let lines =
      head + [""] + scoreTable + report.scores.flatMap(remarks) + kindTable + flagTable + detail
    return lines.map { "\($0)\n" }.joined()
  }

  private var head: [String] {
    Text.pairs([
      ("tests", origins.map(Text.harmless).joined(separator: ", ")), ("strictness", report.strictness.rawValue),
      ("time", "\(report.duration.fixed(1)) s"), ("result", DiffSummary.sentence(report)),
    ])
  }

  private var scoreTable: [String] {
    Text.table(
      header: Score.header, rows: report.scores.map { $0.cells.map(Text.harmless) })
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

  /// The flags with findings, the worst first.
  private var flagTable: [String] {
    let failing = report.scores.filter { score in score.flags.values.contains { $0.findings > 0 } }
    let flags = Set(failing.flatMap { score in score.flags.filter { $0.value.findings > 0 }.map(\.key) })
    guard !flags.isEmpty else { return [] }
    let sums = Dictionary(
      uniqueKeysWithValues: flags.map { flag in
        (flag, failing.reduce(0) { $0 + ($1.flags[flag]?.findings ?? 0) })
      })
    let order = flags.sorted { (-(sums[$0] ?? 0), $0) < (-(sums[$1] ?? 0), $1) }
    return ["", "findings of tests, by flag"]
      + Text.table(
        header: ["flag"] + failing.map { Text.harmless($0.title) },
        rows: order.map { flag in
          [Text.harmless(flag)]
            + failing.map { score in
              let tally = score.flags[flag] ?? Tally()
              return "\(tally.findings) of \(tally.findings + tally.passed)"
            }
        })
  }

  private var detail: [String] {
    guard !report.findings.isEmpty else { return [] }
    var lines = [""]
    for finding in report.findings.prefix(Self.findingLimit) { lines += self.lines(finding) }
    let more = report.findings.count - Self.findingLimit
    if more > 0 { lines.append("… and \(more) more findings: see --json or --report.") }
    if let findingsFolder {
      lines.append("Findings are in \(Text.harmless(findingsFolder)), each with the command that replays it.")
    }
    return lines
  }

  private func lines(_ finding: Finding) -> [String] {
    let test = finding.test
    let name = Text.harmless(report.scores[finding.contender].title)
    var lines = ["\(name): \(finding.kind.title)"]
    lines.append("  test      \(Text.harmless(test.title)) of \(Text.harmless(test.source))")
    if !test.comment.isEmpty { lines.append("  about     \(Text.harmless(test.comment))") }
    lines.append("  expected  \(test.expected.map(\.outcome) ?? "nothing: no engine decided")")
    lines.append("  answered  \(Text.harmless(finding.decision.description))")
    if finding.kind == .acceptedForgery, let effect = DiffSummary.effects(of: test, notes).first {
      lines.append("  gains     \(Text.harmless(effect))")
    }
    lines += finding.quotableLastWords.map { "  stderr    \(Text.harmless($0))" }
    return lines
  }
}

extension Score {
  /// The columns of a table of scores.
  static let header = ["contender", "passed", "findings", "unsupported", "accepted forgeries"]

  /// The row in such a table.
  var cells: [String] {
    [title] + [tally.passed, tally.findings, tally.unsupported, tally.kinds[.acceptedForgery] ?? 0].map { String($0) }
  }

  /// The name and version that it reported, else its command.
  var title: String {
    guard let identity else { return command ?? name }
    return identity.version.isEmpty ? identity.name : "\(identity.name) \(identity.version)"
  }
}

extension Finding {
  /// The program's standard error, if it cannot contain a real key or payment.
  var quotableLastWords: [String] { setting.hasTestKeys ? lastWords.map { String($0.prefix(300)) } : [] }
}
