import Corpus
import Reports

/// The section of a conformance report about one contender.
struct ConformanceSection {
  let score: Score
  /// The findings about this contender.
  let findings: [Finding]
  let notes: [String: VectorNote]

  private static let failureKinds: [Assessment.Kind] = [.crashed, .timedOut, .brokeProtocol, .declined, .error]
  private static let otherKinds: [Assessment.Kind] = [.wrongPlaintext, .refusedSound, .wrongCode]
  /// How many findings are listed under one heading.
  private static let listLimit = 100

  var body: [HTML] { [verdict, figures] + forgeries + failures + others + flagTable + unsupported + remarks }

  private func count(_ kinds: Assessment.Kind...) -> Int { kinds.reduce(0) { $0 + (score.tally.kinds[$1] ?? 0) } }

  private var verdict: HTML {
    let (decided, unsupported, forgeries) = (score.tally.decided, score.tally.unsupported, count(.acceptedForgery))
    if decided == 0 { return .verdict(.warning, "Nothing was compared.") }
    if forgeries > 0 {
      let tokens = "token\(forgeries == 1 ? "" : "s")"
      return .verdict(.bad, "Not safe to use: it accepts \(forgeries) \(tokens) that must be refused.")
    }
    if score.tally.findings > 0 {
      return .verdict(.bad, "\(score.tally.findings) of \(decided) tests failed; no forgery was accepted.")
    }
    if unsupported > 0 {
      let rest = "\(unsupported) are unsupported."
      return .verdict(.good, "Passed all \(decided) tests that it claims to support; \(rest)")
    }
    return .verdict(.good, "Passed all \(decided) tests.")
  }

  private var figures: HTML {
    let failures = Self.failureKinds.reduce(0) { $0 + (score.tally.kinds[$1] ?? 0) }
    let others = Self.otherKinds.reduce(0) { $0 + (score.tally.kinds[$1] ?? 0) }
    return .figures(
      [
        ("\(count(.acceptedForgery))", "forgeries accepted", count(.acceptedForgery) > 0 ? .bad : .good),
        ("\(failures)", "crashes, time-outs, protocol errors", failures > 0 ? .bad : .good),
        ("\(others)", "other findings", others > 0 ? .warning : .good),
        ("\(score.tally.passed)", "passed", score.tally.passed > 0 ? .good : .plain),
        ("\(score.tally.unsupported)", "unsupported", .plain),
      ] + (score.tally.notAsked > 0 ? [("\(score.tally.notAsked)", "skipped after failures", .warning)] : []))
  }

  // MARK: Findings

  private var forgeries: [HTML] {
    let accepted = findings.filter { $0.kind == .acceptedForgery }
    guard !accepted.isEmpty else { return [] }
    var body: [HTML] = [
      .element("h2", "Forgeries it accepts"),
      .element("p", class: "soft", "Grouped by what an attacker gains, the worst first. Each token counts once."),
    ]
    let groups = Dictionary(grouping: accepted) { DiffSummary.worstFlag(of: $0.test, notes)?.effect ?? "" }
    let order = groups.sorted { left, right in
      let (rank, other) = (rank(left.value), rank(right.value))
      return rank == other ? (-left.value.count, left.key) < (-right.value.count, right.key) : rank < other
    }
    for (effect, members) in order {
      let title = effect.isEmpty ? "Effect unknown" : effect
      body.append(
        .details(
          .pieces([.text(title), .text(" "), .element("span", class: "tag bad", .text("\(members.count)"))]),
          list(members), isOpen: members.count <= 3))
    }
    return body
  }

  private func rank(_ members: [Finding]) -> Int {
    members.map { DiffSummary.rank(DiffSummary.worstFlag(of: $0.test, notes)?.bugType ?? "") }.min() ?? 0
  }

  private var failures: [HTML] { section("Crashes, time-outs and broken protocol", Self.failureKinds, tone: "bad") }

  private var others: [HTML] { section("Other findings", Self.otherKinds, tone: "warning") }

  private func section(_ title: String, _ kinds: [Assessment.Kind], tone: String) -> [HTML] {
    let groups = kinds.map { kind in (kind, findings.filter { $0.kind == kind }) }.filter { !$0.1.isEmpty }
    guard !groups.isEmpty else { return [] }
    return [.element("h2", .text(title))]
      + groups.map { kind, members in
        let heading = kind.title.prefix(1).uppercased() + kind.title.dropFirst()
        return .details(
          .pieces([.text(heading + " "), .element("span", class: "tag \(tone)", .text("\(members.count)"))]),
          list(members), isOpen: members.count <= 5)
      }
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
    if !test.flags.isEmpty { pairs.append(("flags", .text(test.flags.joined(separator: ", ")))) }
    if !test.clauses.isEmpty { pairs.append(("rules", .text(test.clauses.joined(separator: ", ")))) }
    pairs.append(("expected", .code(test.expected?.outcome ?? "nothing: no engine decided")))
    pairs.append(("answered", .code(finding.decision.description)))
    pairs.append(("from", .code(test.source)))
    var parts: [HTML] = [.element("h3", .text(test.title)), .pairs(pairs)]
    if !finding.quotableLastWords.isEmpty {
      parts += [.element("p", class: "soft", "The end of its standard error:"), .lines(finding.quotableLastWords)]
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
    return [
      .element("h2", "Score by flag"),
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
  }

  private func name(of flag: String) -> HTML {
    guard let note = notes[flag] else { return .text(flag) }
    return .pieces([.text(flag), .element("div", class: "soft", .text(note.description))])
  }

  private func bar(_ tally: Tally) -> HTML {
    .bar(
      [(tally.passed, .good), (tally.findings, .bad), (tally.unsupported, .plain)],
      label: "\(tally.passed) passed, \(tally.findings) findings, \(tally.unsupported) unsupported")
  }

  private func share(_ tally: Tally) -> Double {
    Double(tally.findings) / Double(max(1, tally.passed + tally.findings))
  }

  private var unsupported: [HTML] {
    guard score.tally.unsupported > 0 else { return [] }
    return [
      .element("h2", "Unsupported"),
      .element(
        "p",
        .text(
          "\(score.tally.unsupported) tests need features that it does not claim to support. They do not affect the result."
        )),
    ]
  }

  private var remarks: [HTML] {
    let remarks = DiffSummary.remarks(score)
    guard !remarks.isEmpty else { return [] }
    return [
      .element("h2", "How it ran"), .element("ul", [], remarks.map { .element("li", .text("It \($0)")) }),
    ]
  }
}
