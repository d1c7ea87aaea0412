import Reports
import StrictJSON

/// A benchmark report as text: results, ratios, environment.
package enum BenchmarkText {
  package static func text(_ report: BenchmarkReport) -> String {
    var lines = Text.table(header: header, rows: report.results.map(cells), dropping: dropping)
    let notes = report.results.compactMap { result in result.note.map { "\(result.name): \($0)" } }
    if !notes.isEmpty { lines += [""] + notes }
    if !report.ratios.isEmpty {
      lines += [""]
      lines += Text.table(header: ratioHeader, rows: report.ratios.map(cells))
    }
    lines += ExternalText.lines(report)
    lines += [""]
    lines += Text.pairs(
      known(report.environment).map { (name: $0.name, value: plain($0.value)) } + [
        (name: "rounds", value: "\(report.rounds)\(report.cpu.map { " on CPU \($0)" } ?? ", not pinned")")
      ])
    return lines.joined(separator: "\n") + "\n"
  }

  package static let header = [
    "name", "tokens/s", "p50 µs", "p99 µs", "p99.9 µs", "allocations ours", "libcrypto's",
  ]
  static let dropping = ["libcrypto's", "allocations ours", "p99.9 µs", "p99 µs"]
  package static let ratioHeader = ["ratio", "", "95% interval"]

  package static func cells(_ result: BenchmarkResult) -> [String] {
    [
      result.name, result.operationsPerSecond.fixed(0), microseconds(result.p50),
      microseconds(ofMeasured: result.significantP99), microseconds(ofMeasured: result.significantP999),
      count(result.allocations?.ownCalls), count(result.allocations?.libcryptoCalls),
    ]
  }

  package static func cells(_ ratio: RatioResult) -> [String] {
    [
      ratio.definition.name, ratio.interval.ratio.fixed(3),
      "\(ratio.interval.low.fixed(3)) to \(ratio.interval.high.fixed(3))",
    ]
  }

  /// The machine in one line.
  package static func machine(_ environment: [JSON.Member]) -> String {
    known(environment).filter { ["cpu", "cores", "os", "swift", "openssl", "kernels", "commit"].contains($0.name) }
      .map { "\($0.name) \(plain($0.value))" }.joined(separator: ", ")
  }

  /// The members that have a value: outside of a checkout there is no commit.
  package static func known(_ environment: [JSON.Member]) -> [JSON.Member] {
    environment.filter { if case .null = $0.value { false } else { true } }
  }

  /// Microseconds with a suitable number of digits.
  package static func microseconds(_ nanoseconds: Double) -> String {
    let value = nanoseconds / 1_000
    return value.fixed(value < 1 ? 3 : value < 10 ? 2 : 1)
  }

  /// Microseconds as `microseconds(_:)` writes them; a dash if nothing was measured.
  package static func microseconds(ofMeasured nanoseconds: Double?) -> String {
    nanoseconds.map { microseconds($0) } ?? "-"
  }

  private static func count(_ value: Double?) -> String {
    guard let value else { return "-" }
    return value == value.rounded() ? value.fixed(0) : value.fixed(3)
  }

  package static func plain(_ value: JSON) -> String {
    switch value {
    case .string(let text): text
    case .null: "-"
    case .object(let members): members.map { "\($0.name) \(plain($0.value))" }.joined(separator: ", ")
    default: value.text
    }
  }
}
