import Benchmarking

/// A benchmark report for people: results, then ratios, then what they depend on.
enum BenchmarkText {
  static func text(_ report: BenchmarkReport, environment: [JSON.Member]) -> String {
    var lines = Text.table(
      header: ["name", "tokens/s", "p50 µs", "p99 µs", "allocations ours", "libcrypto's"],
      rows: report.results.map { result in
        [
          result.name, result.operationsPerSecond.fixed(0), (result.p50 / 1_000).fixed(1),
          (result.p99 / 1_000).fixed(1), count(result.allocations?.ownCalls), count(result.allocations?.libcryptoCalls),
        ]
      })
    if !report.ratios.isEmpty {
      lines += [""]
      lines += Text.table(
        header: ["ratio", "", "95% interval"],
        rows: report.ratios.map { ratio in
          [
            ratio.definition.name, ratio.interval.ratio.fixed(3),
            "\(ratio.interval.low.fixed(3)) to \(ratio.interval.high.fixed(3))",
          ]
        })
    }
    lines += [""]
    lines += Text.pairs(
      environment.map { (name: $0.name, value: plain($0.value)) } + [
        (name: "rounds", value: "\(report.rounds)\(report.cpu.map { " on CPU \($0)" } ?? ", not pinned")")
      ])
    return lines.joined(separator: "\n") + "\n"
  }

  private static func count(_ value: Double?) -> String {
    guard let value else { return "-" }
    return value == value.rounded() ? value.fixed(0) : value.fixed(3)
  }

  private static func plain(_ value: JSON) -> String {
    switch value {
    case .string(let text): text
    case .null: "-"
    case .object(let members): members.map { "\($0.name) \(plain($0.value))" }.joined(separator: ", ")
    default: value.text
    }
  }
}
