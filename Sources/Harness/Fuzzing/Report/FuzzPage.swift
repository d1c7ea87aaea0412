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
    .pieces([
      .element("h1", .text("Fuzzing \(state.target.rawValue)")),
      .element(
        "p", class: "soft",
        .text(
          "\(state.driver.rawValue), \(state.jobs) \(state.jobs == 1 ? "process" : "processes"), seed \(state.seed), \(FuzzState.time(state.totalSeconds))"
        )),
    ])
  }

  private var verdict: HTML {
    let count = findings.count
    let text = count == 0 ? "No findings." : "\(count) \(count == 1 ? "finding" : "findings")."
    return .element("p", class: "verdict \(count == 0 ? "good" : "bad")", .text(text))
  }

  private var figures: HTML {
    let statistics = state.statistics
    return .pieces(
      [
        HTML.figures([
          ("\(statistics[.executions])", "executions", .plain), (state.rate.fixed(0), "per second", .plain),
          (state.ratePerCore.fixed(0), "per core second", .plain), ("\(state.corpus)", "samples kept", .plain),
          ("\(state.features)", "features", .plain),
          (FuzzText.percent(statistics.share(reaching: .signature)), "reach stage 8", .plain),
          (FuzzText.percent(statistics.share(reaching: .payload)), "reach stage 13", .plain),
          ("\(statistics[.rewritings])", "rewritten", .plain),
        ])
      ] + state.warnings.map { .element("p", class: "verdict warning", .text("\($0).")) })
  }

  private var curves: HTML {
    .pieces([
      .element("h2", "Growth"),
      FuzzCurve(title: "features", points: state.points.map { ($0.seconds, Double($0.features)) }).markup,
      FuzzCurve(title: "samples kept", points: state.points.map { ($0.seconds, Double($0.corpus)) }).markup,
      FuzzCurve(title: "executions", points: state.points.map { ($0.seconds, Double($0.executions)) }).markup,
      FuzzCurve(
        title: "samples that reach stage 8, in percent", points: state.points.map { ($0.seconds, 100 * $0.signature) }
      ).markup,
      FuzzCurve(
        title: "samples that reach stage 13, in percent", points: state.points.map { ($0.seconds, 100 * $0.payload) }
      ).markup,
    ])
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
            .text("\(finding.kind): \(finding.first) / \(finding.second)"),
            [
              HTML.pairs([
                ("folder", HTML.code("findings/\(finding.id)")),
                ("mutations", .text(finding.mutations.joined(separator: ", "))),
                ("replayed", .text("\(finding.replays) of 3 times")),
                ("bytes", .text("\(finding.bytes)")),
              ])
            ])
        })
  }
}

/// A curve without script: one column of the picture for each of a number of spans of time.
struct FuzzCurve {
  let title: String
  /// Seconds and values.
  let points: [(seconds: Double, value: Double)]

  private static let columns = 60

  var markup: HTML {
    guard let end = points.last?.seconds, let most = points.map(\.value).max(), end > 0, most > 0 else {
      return .element("p", class: "soft", .text("\(title): nothing yet"))
    }
    var bars: [HTML] = []
    for column in 0..<Self.columns {
      let bound = end * Double(column + 1) / Double(Self.columns)
      let value = points.last { $0.seconds <= bound }?.value ?? 0
      let height = max(1, 100 * value / most)
      bars.append(
        .element(
          "i",
          [
            .init(
              "style", "flex:1;align-self:flex-end;min-width:1px;background:var(--plain);height:\(height.fixed(1))%")
          ], []))
    }
    let label = "\(title): up to \(most.fixed(most < 100 ? 1 : 0)) after \(FuzzState.time(end))"
    return .pieces([
      .element("h3", .text(label)),
      .element(
        "div",
        [
          .init("role", "img"), .init("aria-label", label),
          .init("style", "display:flex;gap:1px;height:6rem;border-bottom:1px solid var(--line)"),
        ], bars),
    ])
  }
}
