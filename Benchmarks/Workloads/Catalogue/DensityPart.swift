import Benchmarking
import Reports

/// The density of a benchmark's rounds.
package enum DensityPart {
  /// A plot and how many rounds it leaves out; a sentence where there is no density.
  package static func html(_ result: BenchmarkResult) -> HTML {
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
}
