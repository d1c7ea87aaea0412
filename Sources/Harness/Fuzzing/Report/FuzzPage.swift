import PaymentToken
import Reports

/// The HTML report of a run: figures, curves, stages, mutations, findings.
package struct FuzzPage {
  let state: FuzzState
  let findings: [FuzzFindingSummary]

  package init(state: FuzzState, findings: [FuzzFindingSummary]) {
    self.state = state
    self.findings = findings
  }

  package var document: String {
    HTMLPage(
      title: "assay fuzz: \(state.target.rawValue)",
      body: [heading, verdict, list, figures, curves, stages, rejections, mutations]
    ).document
  }

  private var heading: HTML {
    let processes = "\(state.jobs) \(state.jobs == 1 ? "process" : "processes")"
    return .pieces([
      .element("h1", .text("Fuzzing \(state.target.rawValue)")),
      .element(
        "p", class: "soft",
        .text("\(state.driver.rawValue), \(processes), seed \(state.seed), \(FuzzState.time(state.totalSeconds))")),
    ])
  }

  private var verdict: HTML {
    let count = findings.count
    let text = count == 0 ? "No findings." : "\(count) \(count == 1 ? "finding" : "findings")."
    return .verdict(count == 0 ? .good : .bad, text)
  }

  private var figures: HTML {
    let statistics = state.statistics
    return .pieces(
      [
        HTML.figures([
          ("\(statistics[.executions])", "executions", .plain), (state.rate.fixed(0), "per second", .plain),
          (state.ratePerCore.fixed(0), "per core second", .plain),
          (state.unchangedChainRatePerCore.fixed(0), "per core second, unchanged chain", .plain),
          ("\(state.corpus)", "samples kept", .plain),
          ("\(state.features)", "features", .plain),
          (FuzzText.percent(statistics.share(reaching: .signature)), "reach stage 8", .plain),
          (FuzzText.percent(statistics.share(reaching: .payload)), "reach stage 13", .plain),
          ("\(statistics[.rewritings])", "rewritten", .plain),
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
      ways.isEmpty ? .nothing : HTML.details(.text("Less severe than the level: \(ways.count) ways"), [table]),
    ]
  }

  private var curves: HTML {
    .pieces([
      .element("h2", "Growth"), curve("features") { Double($0.features) }, curve("samples kept") { Double($0.corpus) },
      curve("executions") { Double($0.executions) },
      curve("samples that reach stage 8, in percent") { 100 * $0.signature },
      curve("samples that reach stage 13, in percent") { 100 * $0.payload },
    ])
  }

  /// A curve over the time of the run, with up to 60 points.
  private func curve(_ title: String, _ value: (FuzzState.Point) -> Double) -> HTML {
    guard let end = state.points.last?.seconds, let most = state.points.map(value).max(), end > 0, most > 0 else {
      return .element("p", class: "soft", .text("\(title): nothing yet"))
    }
    let times = (1...60).map { end * Double($0) / 60 }
    let values = times.map { time in state.points.last { $0.seconds <= time }.map(value) }
    return .linePlot(
      positions: times.map(FuzzState.time), lines: [HTML.Line(label: title, values: values)], scale: .linear,
      label: title, format: { $0.fixed(most < 100 ? 1 : 0) })
  }

  private var stages: HTML {
    let total = max(1, state.statistics[.executions])
    return .pieces([
      .element("h2", "Where samples end"),
      HTML.table(
        header: ["stage", "samples", "share"],
        rows: state.statistics.stages.enumerated().map { stage, count in
          [
            .text("\(stage)"), .text("\(count)"), .text(FuzzText.percent(Double(count) / Double(total))),
          ]
        }),
    ])
  }

  private var rejections: HTML {
    HTML.details(
      "Rejections by code",
      [
        HTML.table(
          header: ["code", "samples"],
          rows: state.statistics.rejections.map { [HTML.code($0.code.rawValue), .text("\($0.count)")] })
      ])
  }

  private var mutations: HTML {
    let yields = state.statistics.yields.filter { $0.executions > 0 }.sorted { $0.kept > $1.kept }
    return .pieces([
      .element("h2", "Mutations"),
      HTML.table(
        header: ["mutation", "executions", "kept", "most end in stage"],
        rows: yields.map { yield in
          let most = yield.stages.indices.max { yield.stages[$0] < yield.stages[$1] } ?? 0
          return [
            .pieces([
              HTML.code(yield.mutation.name), .element("br", [], []),
              .element("span", class: "soft", .text(yield.mutation.hunts)),
            ]),
            .text("\(yield.executions)"), .text("\(yield.kept)"),
            .text("\(most) (\(FuzzText.percent(Double(yield.stages[most]) / Double(yield.executions))))"),
          ]
        }),
    ])
  }

  private var list: HTML {
    .pieces(
      [
        .element("h2", "Findings"),
        findings.isEmpty ? .element("p", "None.") : .nothing,
      ]
        + findings.map { finding in
          HTML.details(
            .text(finding.violation.identity),
            [
              HTML.pairs([
                ("severity", .text(finding.severity?.rawValue ?? "of the engines themselves")),
                ("folder", HTML.code("findings/\(finding.id)")),
                ("mutations", .text(finding.mutations.joined(separator: ", "))),
                ("replayed", .text("\(finding.replays) of 3 times")),
                ("bytes", .text("\(finding.bytes)")),
              ])
            ])
        })
  }
}
