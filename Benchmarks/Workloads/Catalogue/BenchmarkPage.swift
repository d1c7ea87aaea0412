import Benchmarking
import Reports

extension MeasurementReport {
  private var results: [BenchmarkResult] { measured.results }

  private static let wholeToken = "decrypt/fast/ec_v1"

  /// The measurement as an HTML page: time by stage, distribution, all results.
  package var page: String {
    let title = "Benchmarks"
    let notes = warnings.map { HTML.element("p", class: "verdict warning", .text($0)) }
    let body: [HTML] =
      [
        .element("h1", .text(title)),
        .element("p", class: "soft", .text(BenchmarkText.machine(measured.environment))), verdict, figures,
      ] + notes + stages + measured.contenders + tables
    return HTML.page(title: title, body: body)
  }

  private func result(_ name: String) -> BenchmarkResult? { results.first { $0.name == name } }

  private var verdict: HTML {
    guard let findings else { return .nothing }
    let list = findings.map { HTML.element("li", .text($0)) }
    return .element(
      "div", class: "verdict \(findings.isEmpty ? "good" : "bad")",
      .pieces([.text("\(sentence).".uppercasedFirst)]), list.isEmpty ? .nothing : .element("ul", [], list))
  }

  private var figures: HTML {
    var figures: [(value: String, label: String, tone: HTML.Tone)] = []
    if let whole = result(Self.wholeToken) {
      figures.append((whole.operationsPerSecond.fixed(0), "tokens per second, one thread", .plain))
      figures.append((BenchmarkText.microseconds(whole.p50) + " µs", "a token, median", .plain))
      if let calls = whole.allocations?.ownCalls {
        let text = calls.fixed(calls == calls.rounded() ? 0 : 3)
        figures.append((text, "own allocations a token", calls > 0 ? .bad : .good))
      }
    }
    for ratio in measured.ratios.prefix(2) {
      figures.append((ratio.interval.ratio.fixed(2), ratio.definition.name, .plain))
    }
    return figures.isEmpty ? .nothing : .figures(figures)
  }

  // MARK: Plots

  private var stages: [HTML] {
    let stages = results.filter { $0.name.hasPrefix("stage/") && $0.name.hasSuffix("/fast") }
    guard stages.count > 1 else { return [] }
    return [
      .element("h2", "Where the time goes"),
      .stackPlot(
        stages.map {
          (
            label: String($0.name.split(separator: "/")[1]), value: OrderStatistics.median($0.roundMedians),
            text: BenchmarkText.microseconds(OrderStatistics.median($0.roundMedians)) + " µs"
          )
        }, label: "stages of the fast engine by their times"),
    ]
  }

  /// The density of each row of the table; open if there are few.
  private var densities: HTML {
    if results.isEmpty { return .nothing }
    let text =
      "The density of the rounds' medians: Gaussian kernels, with Silverman's bandwidth. The line is their median, the "
      + "band its 95% interval. Scales need not begin at zero. Rounds farther from the quartiles than 1.5 times the "
      + "distance between these are not drawn."
    return .details(
      "Densities of the rounds",
      [
        .element("p", class: "soft", .text(text)),
        .element("div", [.init("class", "plots")], results.map(Self.density)),
      ], isOpen: results.count <= Self.mostOpenDensities)
  }

  private static let mostOpenDensities = 6

  /// A plot and how many rounds it leaves out; a sentence where there is no density.
  private static func density(of result: BenchmarkResult) -> HTML {
    let microseconds = result.roundMedians.map { $0 / 1_000 }
    guard let interval = BootstrapInterval(samples: microseconds, seed: 1) else { return .nothing }
    let median = BenchmarkText.microseconds(1_000 * interval.ratio) + " µs"
    guard let density = DensityEstimate(samples: microseconds) else {
      let reason = microseconds.count == 1 ? "there was one round" : "most rounds took the same time"
      return .element("p", .text("\(result.name): \(median). No density is shown: \(reason)."))
    }
    // The estimated curve extends below zero, but a time cannot be negative.
    let shown = density.places.indices.filter { density.places[$0] >= 0 }
    let plot = HTML.densityPlot(
      places: shown.map { density.places[$0] }, densities: shown.map { density.densities[$0] },
      value: .init(
        label: result.name, low: interval.low, value: interval.ratio, high: interval.high, text: median, tone: .plain),
      unit: " µs")
    let outliers = [(density.outliersBelow, "faster"), (density.outliersAbove, "slower")].filter { $0.0 > 0 }
      .map { "\(Text.counted($0.0, "\($0.1) round"))" }
    guard !outliers.isEmpty else { return .element("div", plot) }
    return .element(
      "div", plot, .element("p", class: "soft", .text("Not drawn: \(outliers.joined(separator: ", ")).")))
  }

  // MARK: Tables

  private var tables: [HTML] {
    var body: [HTML] = [
      .element("h2", "All results"),
      .table(header: BenchmarkText.header, rows: results.map(BenchmarkText.cells)),
      densities,
    ]
    if !measured.ratios.isEmpty {
      body += [
        .element("h2", "Ratios of the same rounds"),
        .table(header: BenchmarkText.ratioHeader, rows: measured.ratios.map(BenchmarkText.cells)),
      ]
    }
    return body + [
      .element("h2", "How this was measured"),
      .pairs(BenchmarkText.known(measured.environment).map { ($0.name, .text(BenchmarkText.plain($0.value))) }),
    ]
  }
}

extension String {
  fileprivate var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
}
