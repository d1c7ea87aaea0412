import PaymentToken
import Reports

/// Text about a run.
package enum FuzzText {
  /// The status as one line, for a pipe.
  static func line(_ state: FuzzState) -> String {
    let statistics = state.statistics
    return
      "\(FuzzState.time(state.totalSeconds)) \(statistics[.executions]) executions, \(state.rate.fixed(0))/s, "
      + "corpus \(state.corpus), features \(state.features), last new \(FuzzState.time(state.totalSeconds - state.lastNew)) ago, "
      + "stage 8 \(percent(statistics.share(reaching: .signature))), stage 13 \(percent(statistics.share(reaching: .payload))), "
      + (state.external.map { "\($0.asked) asked of the external, " } ?? "")
      + Text.counted(state.findings.count, "finding") + (state.warnings.first.map { "; \($0)" } ?? "")
  }

  /// The status as lines, for a terminal.
  static func block(_ state: FuzzState) -> [String] {
    let statistics = state.statistics
    var pairs = [
      (
        "uptime",
        FuzzState.time(state.totalSeconds)
          + (state.planned.map { " of \(FuzzState.time(state.earlierSeconds + $0))" } ?? "")
      ),
      ("executions", executions(state)),
      (
        "corpus",
        "\(state.corpus) samples, \(state.features) features, \(edges(state))last new \(FuzzState.time(state.totalSeconds - state.lastNew)) ago"
      ),
      ("findings", findings(state)),
    ]
    if let external = state.external { pairs.append(("external", Text.harmless(external.text))) }
    // libFuzzer has no counters for the rest.
    guard state.driver == .loop else { return Text.pairs(pairs) + warnings(state) }
    pairs += [("accepted", "\(statistics[.accepted])"), ("rewritten", "\(statistics[.rewritings])")]
    var lines = Text.pairs(pairs)
    lines += ["", "decided at stage"] + stages(statistics)
    lines += ["", "yield of mutations"] + best(statistics)
    return lines + warnings(state)
  }

  private static func warnings(_ state: FuzzState) -> [String] { state.warnings.prefix(4).map { "warning: \($0)" } }

  /// The summary at the end of a run and for `fuzz status`.
  static func summary(_ state: FuzzState, folder: String) -> String {
    let lines = block(state) + ["", "report  " + Text.unbroken("\(Text.harmless(folder))/report.html")]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The output of `fuzz status`: the summary, and the command that replays each finding.
  package static func status(_ state: FuzzState, _ findings: [FuzzFindingSummary], folder: String) -> String {
    summary(state, folder: folder)
      + findings.map { finding in
        Text.harmless(finding.violation.identity + note(finding, state)) + "\n"
          + "  " + Text.unbroken("assay fuzz replay " + ShellWord.quoted("\(folder)/\(finding.path)")) + "\n"
      }.joined()
  }

  /// Why a finding does not make the run fail; empty if it does.
  static func note(_ finding: FuzzFindingSummary, _ state: FuzzState) -> String {
    if finding.isUnreproducible { return " (unreproducible)" }
    return state.waiver(for: finding.id).map { " (waived: \($0.reason))" } ?? ""
  }

  private static func executions(_ state: FuzzState) -> String {
    let inAll = "\(state.statistics[.executions]), \(state.rate.fixed(0))/s"
    return state.driver == .loop ? "\(inAll), \(state.ratePerCore.fixed(0)) per CPU second" : inAll
  }

  private static func edges(_ state: FuzzState) -> String { state.edges > 0 ? "\(state.edges) edges, " : "" }

  private static func findings(_ state: FuzzState) -> String {
    let open = state.openFindings
    var kinds: [String: Int] = [:]
    for id in open { kinds[String(id.prefix { $0 != "-" }), default: 0] += 1 }
    var parts = kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let earlier = open.count - state.failingFindings.count
    if state.planned != nil, earlier > 0 { parts[parts.count - 1] += " (\(earlier) only in earlier sessions)" }
    let waived = state.findings.count - open.count
    if waived > 0 { parts.append("\(waived) waived") }
    if !state.unreproducible.isEmpty { parts.append("\(state.unreproducible.count) unreproducible") }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }

  private static func stages(_ statistics: LoopStatistics) -> [String] {
    let total = max(1, statistics[.executions])
    let cells = statistics.stages.enumerated().map { stage, count in
      Text.unbroken(Text.padded("\(stage)", to: 2) + " " + Text.padded(percent(Double(count) / Double(total)), to: 6))
    }
    return stride(from: 0, to: cells.count, by: 5).map { start in
      "  " + cells[start..<min(start + 5, cells.count)].joined(separator: "  ")
    }
  }

  private static func best(_ statistics: LoopStatistics) -> [String] {
    statistics.yields.filter { $0.executions > 0 }.sorted { $0.kept > $1.kept }.prefix(6).map { yield in
      "  " + Text.padded(yield.mutation.name, to: 24) + "\(yield.kept) kept of \(yield.executions)"
    }
  }

  static func percent(_ share: Double) -> String { "\((100 * share).fixed(1))%" }
}
