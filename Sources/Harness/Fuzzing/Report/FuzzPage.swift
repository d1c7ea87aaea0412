import PaymentToken
import Reports

/// The HTML report of a run: figures, findings, mutations.
package struct FuzzPage {
  let state: FuzzState
  /// All findings, including unreproducible ones.
  let findings: [FuzzFindingSummary]

  package init(state: FuzzState, findings: [FuzzFindingSummary]) {
    self.state = state
    self.findings = findings
  }

  package var document: String {
    HTML.page(
      title: "assay fuzz: \(state.target.rawValue)",
      body: [heading, verdict, figures, list, mutations])
  }

  private var heading: HTML {
    let processes = Text.counted(state.jobs, "process", "processes")
    return .pieces([
      .element("h1", .text("Fuzzing \(state.target.rawValue)")),
      .element(
        "p", class: "soft",
        .text("\(state.driver.rawValue), \(processes), seed \(state.seed), \(FuzzState.time(state.totalSeconds))")),
    ])
  }

  private var verdict: HTML {
    let count = open.count
    let text = count == 0 ? "No findings." : "\(Text.counted(count, "finding"))."
    return .verdict(count == 0 ? .good : .bad, text)
  }

  private var figures: HTML {
    let statistics = state.statistics
    return .pieces(
      [
        HTML.figures([
          ("\(statistics[.executions])", "samples given to the engines", .plain),
          (state.rate.fixed(0), "samples per second", .plain),
          (state.ratePerCore.fixed(0), "samples per second of processor time", .plain),
          ("\(state.corpus)", "samples kept, because each did something new", .plain),
          ("\(state.features)", "features: different things that samples did", .plain),
          (FuzzText.percent(statistics.share(reaching: .signature)), "of samples reach the signature, stage 8", .plain),
          (FuzzText.percent(statistics.share(reaching: .payload)), "of samples reach the payload, stage 13", .plain),
          ("\(statistics[.rewritings])", "times a sample was tried again, written differently", .plain),
        ])
      ] + external + state.warnings.map { .verdict(.warning, "\($0).") })
  }

  /// What the external program was asked, and the ways in which it is more lenient.
  private var external: [HTML] {
    guard let external = state.external else { return [] }
    let ways = external.leniencies.sorted { $0.value > $1.value }
    let table = HTML.table(
      header: ["the engines' verdict and the program's", "samples"],
      rows: ways.map { [.text($0.key), .text("\($0.value)")] })
    return [
      .element("p", .text(external.text)),
      ways.isEmpty
        ? .nothing : HTML.details(.text("Less severe than the level: \(Text.counted(ways.count, "way"))"), [table]),
    ]
  }

  /// The number and the name of a stage, `8 signature`.
  static func title(_ stage: Int) -> String {
    guard let name = VerificationStage(rawValue: stage).map({ "\($0)" }) else { return "\(stage)" }
    return "\(stage) " + name.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
  }

  private var mutations: HTML {
    let yields = state.statistics.yields.filter { $0.executions > 0 }.sorted { $0.kept > $1.kept }
    return .pieces([
      .element("h2", "Mutations"),
      HTML.table(
        header: ["mutation", "executions", "kept", "most end at stage"],
        rows: yields.map { yield in
          let most = yield.stages.indices.max { yield.stages[$0] < yield.stages[$1] } ?? 0
          return [
            .pieces([
              HTML.code(yield.mutation.name), .element("br", [], []),
              .element("span", class: "soft", .text(yield.mutation.hunts)),
            ]),
            .text("\(yield.executions)"), .text("\(yield.kept)"),
            .text("\(Self.title(most)), \(FuzzText.percent(Double(yield.stages[most]) / Double(yield.executions)))"),
          ]
        }),
    ])
  }

  private var unreproducible: [FuzzFindingSummary] { findings.filter(\.isUnreproducible) }
  private var waived: [FuzzFindingSummary] {
    findings.filter { !$0.isUnreproducible && state.waiver(for: $0.id) != nil }
  }
  private var open: [FuzzFindingSummary] { findings.filter { !$0.isUnreproducible && state.waiver(for: $0.id) == nil } }

  private var list: HTML {
    .pieces(
      [list("Findings", open)]
        + (waived.isEmpty ? [] : [list("Waived", waived)])
        + (unreproducible.isEmpty
          ? []
          : [
            list("Unreproducible", unreproducible),
            .element("p", class: "soft", "Seen once and in no replay: the machine may be the cause."),
          ]))
  }

  private func list(_ title: String, _ findings: [FuzzFindingSummary]) -> HTML {
    .pieces(
      [
        .element("h2", .text(title)),
        findings.isEmpty ? .element("p", "None.") : .nothing,
      ]
        + findings.map { finding in
          HTML.details(
            .text(finding.violation.identity + FuzzText.note(finding, state)),
            [
              HTML.pairs([
                ("severity", .text(finding.severity?.rawValue ?? "of the engines themselves")),
                ("folder", HTML.code(finding.path)),
                ("mutations", .text(finding.mutations.joined(separator: ", "))),
                ("replayed", .text("\(finding.replays) of 3 times")),
                ("bytes", .text("\(finding.bytes)")),
              ])
            ])
        })
  }
}
