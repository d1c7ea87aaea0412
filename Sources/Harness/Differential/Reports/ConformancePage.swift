import Corpus
import PaymentToken
import Reports

extension DiffReport {
  /// The contenders that the report is about: the external programs, or the engines if there are none; and engines with
  /// findings, which fail the run.
  private var subjects: [(index: Int, score: Score)] {
    let all = Array(report.scores.enumerated()).map { (index: $0.offset, score: $0.element) }
    guard all.contains(where: { !$0.score.isEngine }) else { return all }
    return all.filter { !$0.score.isEngine || $0.score.tally.findings > 0 }
  }

  /// The conformance report as an HTML page, accepted forgeries first.
  ///
  /// - Parameter time: of the run.
  package func page(at time: UnixTime) -> String {
    let subjects = subjects
    let title = "Conformance of " + subjects.map { $0.score.title }.joined(separator: ", ")
    var body: [HTML] = [
      .element("h1", .text(title)),
      .element("p", class: "soft", .text("Decryptors of Apple Pay payment tokens, tested against known answers.")),
    ]
    if let interruption = DiffSummary.interruption(report) {
      body.append(.verdict(.warning, "The run was \(interruption)."))
    }
    for subject in subjects {
      if subjects.count > 1 { body.append(.element("h1", .text(subject.score.title))) }
      body +=
        ConformanceSection(
          score: subject.score, findings: report.findings.filter { $0.contender == subject.index }, notes: notes,
          report: report, replay: replay
        ).body
    }
    body += conditions(time)
    return HTML.page(title: title, body: body)
  }

  private func conditions(_ time: UnixTime) -> [HTML] {
    var pairs: [(name: String, value: HTML)] = [
      ("tests", .text("\(report.plannedCount): " + origins.joined(separator: ", "))),
      ("strictness", .text(Self.meaning(report.strictness))),
      (
        "fails at",
        .text("\(report.failurePolicy.level.rawValue) and worse: \(Text.counted(report.failing.count, "finding"))")
      ),
      ("run at", .text(time.rfc3339)),
      ("took", .text("\(report.duration.fixed(1)) s")),
    ]
    pairs += DiffSummary.waiverRemarks(report).map { ("waivers", .text($0)) }
    for score in report.scores {
      pairs.append((score.isEngine ? "engine" : "external", .text(score.title)))
      if let command = score.command { pairs.append(("command", .code(command))) }
      if let supports = score.identity?.supports {
        pairs.append(("supports", .text(supports.isEmpty ? "nothing" : supports.joined(separator: ", "))))
      }
    }
    return [.element("h2", "How this was run"), .pairs(pairs)]
  }

  private static func meaning(_ strictness: Strictness) -> String {
    switch strictness {
    case .accept: "accept: accepted or rejected"
    case .plaintext: "plaintext: accepted or rejected, and the plaintext of what is accepted"
    case .code: "code: accepted or rejected, the plaintext of what is accepted, the code of what is rejected"
    }
  }
}
