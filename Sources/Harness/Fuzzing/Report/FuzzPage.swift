import PaymentToken
import Reports

/// The HTML report of a run: figures, curves, stages, mutations, findings.
package struct FuzzPage {
  let state: FuzzState
  /// All findings, including unreproducible ones.
  let findings: [FuzzFindingSummary]
  let sessions: [SessionHistory.Row]

  /// - Parameter sessions: all sessions of the run, this one included.
  package init(state: FuzzState, findings: [FuzzFindingSummary], sessions: [SessionHistory.Row] = []) {
    self.state = state
    self.findings = findings
    self.sessions = sessions
  }

  package var document: String {
    HTML.page(
      title: "assay fuzz: \(state.target.rawValue)",
      body: [heading, verdict, figures, list, SessionHistory.html(sessions), curves, stages, rejections, mutations])
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

  private var curves: HTML {
    .pieces([
      .element("h2", "Growth"),
      .element("p", class: "soft", "Over the time of the run, in hours, minutes and seconds."),
      .element(
        "div", class: "plots", curve("Features", fromZero: true) { Double($0.features) },
        curve("Samples kept", fromZero: true) { Double($0.corpus) },
        curve("Samples given to the engines", fromZero: true) { Double($0.executions) },
        curve("Percent of samples that reach stage 8", fromZero: false) { 100 * $0.signature },
        curve("Percent of samples that reach stage 13", fromZero: false) { 100 * $0.payload }),
    ])
  }

  /// A curve over the time of the run, with up to 60 points besides its start and its end.
  ///
  /// - Parameter fromZero: whether the value is zero at the start of the run. A share has no value there: it is drawn
  ///   as in the first interval.
  private func curve(_ title: String, fromZero: Bool, _ value: (FuzzState.Point) -> Double) -> HTML {
    guard let first = state.points.first, let last = state.points.last, last.seconds > 0,
      state.points.contains(where: { value($0) > 0 })
    else {
      return .element("p", class: "soft", .text("\(title): nothing yet"))
    }
    let step = max(1, (state.points.count + 59) / 60)
    let chosen = state.points.enumerated().filter { ($0.offset + 1) % step == 0 }.map(\.element)
    var points: [(x: Double, y: Double)] = [(0, fromZero ? 0 : value(first))]
    points += (chosen + [last]).map { ($0.seconds, value($0)) }
    let most = points.map(\.y).max() ?? 0
    return .curve(title, points: points, names: Self.marks(upTo: last.seconds)) { $0.fixed(most < 4 ? 1 : 0) }
  }

  /// Round times from the start to the end of a run, five at most.
  private static func marks(upTo end: Double) -> [(x: Double, text: String)] {
    let steps: [Double] = [1, 5, 10, 30, 60, 300, 600, 1_800, 3_600, 7_200, 21_600, 86_400]
    let step = steps.first { end / $0 <= 4 } ?? (end / 4).rounded(.up)
    return stride(from: 0, through: end, by: step).map { ($0, FuzzState.time($0)) }
  }

  private var stages: HTML {
    let total = max(1, state.statistics[.executions])
    let bars = zip(VerificationStage.allCases, state.statistics.stages).map { stage, count in
      let share = FuzzText.percent(Double(count) / Double(total))
      return (label: Self.title(stage.rawValue), value: Double(count), text: "\(count), \(share)")
    }
    return .pieces([
      .element("h2", "Where samples end"),
      .element("p", class: "soft", "The stage that rejects a sample; at the last, also what is accepted."),
      .barPlot(bars, label: "samples by the stage at which they end"),
    ])
  }

  /// The number and the name of a stage, `8 signature`.
  static func title(_ stage: Int) -> String {
    guard let name = VerificationStage(rawValue: stage).map({ "\($0)" }) else { return "\(stage)" }
    return "\(stage) " + name.map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
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
  private var waived: [FuzzFindingSummary] { findings.filter { !$0.isUnreproducible && state.waivers[$0.id] != nil } }
  private var open: [FuzzFindingSummary] { findings.filter { !$0.isUnreproducible && state.waivers[$0.id] == nil } }

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
