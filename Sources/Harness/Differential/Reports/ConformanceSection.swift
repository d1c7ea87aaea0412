import Corpus
import Reports
import TestCases

/// The section of a conformance report about one contender: what is wrong with it, the severe findings with the
/// command that repeats each, then the lenient ones, folded. A browser's search opens what is folded.
struct ConformanceSection {
  let score: Score
  /// The findings about this contender, the worst first.
  let findings: [Finding]
  let notes: [String: VectorNote]
  let report: RunReport
  let replay: ReplayCommand?

  /// How many findings are listed under one heading.
  private static let listLimit = 100

  var body: [HTML] {
    verdict + [figures] + severe + lenient + flagTable + remarks
  }

  /// The colour agrees with the exit code: bad if a finding fails the run, good only if nothing is left to look at.
  private var tone: HTML.Tone {
    if findings.contains(where: report.fails) { return .bad }
    let isUndecided = score.tally.assessed == 0 || score.isSilent || score.notReached > 0
    return isUndecided || findings.contains { $0.severity <= .interoperability } ? .warning : .good
  }

  private var verdict: [HTML] {
    let verdict = ContenderVerdict(score)
    let sentences = verdict.lines("It")
    let first = sentences[0] + (verdict.omission.map { " \($0)" } ?? "")
    let rest = sentences.dropFirst().filter { $0 != verdict.omission }.map { HTML.element("li", .text($0)) }
    let counts = findings.isEmpty ? "" : DiffSummary.counts(of: findings)
    return [.verdict(tone, first)] + (rest.isEmpty ? [] : [.element("ul", [], rest)])
      + (counts.isEmpty ? [] : [.element("p", .text("\(counts)."))])
  }

  private var figures: HTML {
    let crashes = [Assessment.Kind.crashed, .timedOut, .brokeProtocol].reduce(0) { $0 + (score.tally.kinds[$1] ?? 0) }
    let lenient = findings.filter { $0.severity > .interoperability }
    let tone: HTML.Tone = lenient.contains(where: report.fails) ? .bad : lenient.isEmpty ? .good : .warning
    return .figures(
      [
        (
          score.forgeriesRefused.words, "forgeries refused",
          score.forgeriesRefused.count < score.forgeriesRefused.total ? .bad : .good
        ),
        (
          score.validAccepted.words, "sound payments accepted",
          score.validAccepted.count < score.validAccepted.total ? .bad : .good
        ),
        ("\(crashes)", "crashes, time-outs, protocol errors", crashes > 0 ? .bad : .good),
        ("\(lenient.count)", "leniencies", tone),
        ("\(score.tally.acceptable)", "other verdicts that are acceptable", .plain),
        ("\(score.tally.passed)", "passed", score.tally.passed > 0 ? .good : .plain),
        ("\(score.tally.unsupported)", "unsupported", .plain),
      ] + (score.tally.notAsked > 0 ? [("\(score.tally.notAsked)", "not run", .warning)] : [])
        + (score.notReached > 0 ? [("\(score.notReached)", "not reached before the interrupt", .warning)] : []))
  }

  // MARK: Findings

  private var severe: [HTML] {
    [Standing.Severity.critical, .high, .interoperability].flatMap { severity in
      let here = findings.filter { $0.severity == severity }
      guard !here.isEmpty else { return [HTML]() }
      return [.element("h2", .text("\(severity.title) (\(here.count))"))] + groups(here, isOpen: severity == .critical)
    }
  }

  private var lenient: [HTML] {
    let here = findings.filter { $0.severity > .interoperability }
    guard !here.isEmpty else { return [] }
    return [
      .element("h2", .text("Leniencies and other codes (\(here.count))")),
      .element("p", class: "soft", "No payment is at risk. Grouped by what says that the other verdict is right."),
    ]
      + Dictionary(grouping: here) { $0.test.standing?.basis.words ?? "by no known rule" }
      .sorted { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }
      .map { details($0.key, $0.value, tone: "warning", isOpen: false) }
  }

  /// Groups of findings by importance: first those that show a pattern of the verdict, then by who can make the token,
  /// then by the number of findings. The first group of critical findings is open.
  private func groups(_ findings: [Finding], isOpen: Bool) -> [HTML] {
    let patterns = ContenderVerdict(score).patterns
    let groups = Dictionary(grouping: findings, by: title).map { title, findings in
      let isNamed = findings.contains { finding in
        patterns.contains { $0.concerns(finding.test) || $0.implied.contains { $0.concerns(finding.test) } }
      }
      let maker = findings.map(\.makerRank).min() ?? 0
      return (order: (isNamed ? 0 : 1, maker, -findings.count, title), title: title, findings: findings)
    }
    return groups.sorted { $0.order < $1.order }.enumerated()
      .map { details($0.element.title, $0.element.findings, tone: "bad", isOpen: isOpen && $0.offset == 0) }
  }

  private func title(_ finding: Finding) -> String {
    let kind = finding.isForgery ? "accepted a forgery" : finding.kind.title
    let words = DiffSummary.effects(of: finding, notes).first.map { "\(kind): \($0)" } ?? kind
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private func details(_ title: String, _ findings: [Finding], tone: String, isOpen: Bool) -> HTML {
    .details(
      .pieces([.text(title + " "), .element("span", class: "tag \(tone)", .text("\(findings.count)"))]),
      list(findings), isOpen: isOpen)
  }

  private func list(_ findings: [Finding]) -> [HTML] {
    var body = findings.prefix(Self.listLimit).map(item)
    let more = findings.count - Self.listLimit
    if more > 0 { body.append(.element("p", class: "soft", .text("… and \(more) more."))) }
    return body
  }

  private func item(_ finding: Finding) -> HTML {
    let test = finding.test
    var pairs: [(name: String, value: HTML)] = []
    if !test.comment.isEmpty { pairs.append(("about", .text(test.comment))) }
    if let standing = finding.standing { pairs.append(("standing", .text(standing.words))) }
    if !test.flags.isEmpty { pairs.append(("flags", .text(test.flags.joined(separator: ", ")))) }
    if !test.clauses.isEmpty { pairs.append(("rules", .text(test.clauses.joined(separator: ", ")))) }
    pairs.append(("expected", .code(test.expected?.outcome ?? "nothing: no engine decided")))
    pairs.append(("answered", .code(finding.answer)))
    if let reason = finding.reason { pairs.append(("its reason", .text(reason))) }
    if let waiver = report.waiver(for: finding) { pairs.append(("waived", .text(waiver.reason))) }
    if let command = replay?.text(of: finding) {
      pairs.append(("repeat it", .code(command)))
    } else {
      pairs.append(("from", .code(test.source)))
    }
    var parts: [HTML] = [.element("h3", .text(test.title)), .pairs(pairs)]
    if !finding.quotableStandardError.isEmpty {
      parts += [.element("p", class: "soft", "From its standard error:"), .lines(finding.quotableStandardError)]
    }
    return .element("section", [], parts)
  }

  // MARK: Scores

  private var flagTable: [HTML] {
    guard !score.flags.isEmpty else { return [] }
    let flags = score.flags.sorted { left, right in
      let (failed, other) = (share(left.value), share(right.value))
      return failed == other ? left.key < right.key : failed > other
    }
    let table: [HTML] = [
      .element("p", class: "soft", "A flag is a class of bugs. A test counts for each of its flags. The worst first."),
      .table(
        header: ["flag", "passed", "findings", "unsupported"],
        rows: flags.map { flag, tally in
          [
            .pieces([name(of: flag), bar(tally)]), .text("\(tally.passed)"), .text("\(tally.findings)"),
            .text("\(tally.unsupported)"),
          ]
        }),
    ]
    // If every class is right, the table adds nothing to the figures above.
    guard flags.contains(where: { $0.value.findings > 0 }) else { return [.details("Score by flag", table)] }
    return [.element("h2", "Score by flag")] + table
  }

  private func name(of flag: String) -> HTML {
    guard let note = notes[flag] else { return .text(flag) }
    return .pieces([.text(flag), .element("div", class: "soft", .text(note.description))])
  }

  private func bar(_ tally: Tally) -> HTML {
    .bar(
      [(tally.passed, .good), (tally.findings, .bad), (tally.unsupported, .plain)],
      label: "\(tally.passed) passed, \(Text.counted(tally.findings, "finding")), \(tally.unsupported) unsupported")
  }

  private func share(_ tally: Tally) -> Double {
    Double(tally.findings) / Double(max(1, tally.passed + tally.findings))
  }

  private var remarks: [HTML] {
    let remarks = DiffSummary.remarks(score)
    guard !remarks.isEmpty else { return [] }
    return [
      .element("h2", "How it ran"), .element("ul", [], remarks.map { .element("li", .text("It \($0)")) }),
    ]
  }
}

extension Standing.Severity {
  /// The heading of the findings of this severity.
  fileprivate var title: String {
    switch self {
    case .critical: "Critical: payments that nobody authorised, or with other contents"
    case .high: "High: a protection is missing"
    case .interoperability: "Interoperability: sound payments are lost"
    case .strictness, .choice: "Leniencies"
    }
  }
}
