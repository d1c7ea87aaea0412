import HostIO
import Reports
import StrictJSON

/// A measurement in the formats of other tools' dashboards.
package enum DashboardReport {
  /// The JSON that the tool customSmallerIsBetter of benchmark-action/github-action-benchmark reads.
  package static func githubBenchmark(_ report: BenchmarkReport) -> String {
    let machine = BenchmarkText.machine(report.environment)
    return JSON.array(
      report.results.map { result -> JSON in
        let rounds = result.roundMedians.sorted()
        let middle =
          OrderStatistics.percentile(75, ofSorted: rounds) - OrderStatistics.percentile(25, ofSorted: rounds)
        return [
          "name": result.name, "unit": "ns", "value": JSON.tenths(result.p50), "range": "± \((middle / 2).fixed(1))",
          "extra": "per \(result.unit)\n\(machine)",
        ]
      }
    ).text + "\n"
  }

  /// The columns of `csvRows`.
  package static let csvHeader =
    "commit,cpu,os,openssl,name,unit,p50_ns,p90_ns,p99_ns,tokens_per_second,allocations_per_token\n"

  /// A row for each benchmark (RFC 4180).
  package static func csvRows(_ report: BenchmarkReport) -> String {
    let machine = ["commit", "cpu", "os", "openssl"].map { report.environmentText($0) ?? "" }
    return report.results.map { result in
      let numbers = [result.p50, result.p90, result.p99, result.operationsPerSecond].map { $0.fixed(1) }
      let allocations = result.allocations.map { $0.ownCalls.fixed(3) } ?? ""
      return (machine + [result.name, result.unit] + numbers + [allocations]).map(CSV.field).joined(separator: ",")
        + "\n"
    }.joined()
  }

  /// The percentiles as HdrHistogram prints them and its plotter reads them, in microseconds: five lines for each
  /// halving of the distance to 100%. Mean and deviation are left out.
  ///
  /// - Returns: nil if the distribution is unknown, as that of a saved result.
  package static func hdr(_ result: BenchmarkResult) -> String? {
    guard let times = result.distribution, times.total > 0 else { return nil }
    var lines = ["       Value     Percentile TotalCount 1/(1-Percentile)", ""]
    var (percent, ticks) = (0.0, 10.0)
    while true {
      let rank = max(1, Int((percent / 100 * Double(times.total)).rounded(.up)))
      guard rank < times.total else { break }
      lines.append(line(times.percentile(percent), percent, rank) + " " + padded((100 / (100 - percent)).fixed(2), 14))
      while 100 - percent <= 500 / ticks { ticks *= 2 }
      percent += 100 / ticks
    }
    lines.append(line(times.maximum, 100, times.total))
    lines.append("#[Max = \((times.maximum / 1_000).fixed(3)), Total count = \(times.total)]")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ nanoseconds: Double, _ percent: Double, _ count: Int) -> String {
    "\(padded((nanoseconds / 1_000).fixed(3), 12)) \((percent / 100).fixed(9))000 \(padded(String(count), 10))"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
