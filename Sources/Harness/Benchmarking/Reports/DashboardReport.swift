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

  private static let csvHeader =
    "commit,cpu,os,openssl,name,unit,p50_ns,p90_ns,p99_ns,tokens_per_second,allocations_per_token\n"

  /// A table with a header and a row for each benchmark (RFC 4180).
  package static func csv(_ report: BenchmarkReport) -> String {
    let machine = ["commit", "cpu", "os", "openssl"].map { report.environmentText($0) ?? "" }
    return csvHeader
      + report.results.map { result in
        let numbers = [result.p50, result.p90, result.p99, result.operationsPerSecond].map { $0.fixed(1) }
        let allocations = result.allocations.map { $0.ownCalls.fixed(3) } ?? ""
        return (machine + [result.name, result.unit] + numbers + [allocations]).map(CSV.field).joined(separator: ",")
          + "\n"
      }.joined()
  }
}
