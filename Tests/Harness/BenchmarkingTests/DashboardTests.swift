import Benchmarking
import StrictJSON
import Testing

/// Reports for the dashboards of other tools.
struct DashboardTests {
  /// A saved measurement.
  private func document(_ commit: String?, cpu: String, token: Double) -> String {
    func result(_ name: String, _ time: Double) -> BenchmarkResult {
      BenchmarkResult(
        name: name, unit: "token", iterations: 1, operationsPerSecond: 1, p50: time, p90: time, p99: time, p999: time,
        maximum: time, allocations: nil, roundMedians: [time, time * 1.1, time])
    }
    let report = BenchmarkReport(
      cpu: nil, rounds: 3, results: [result("anchor", 50_000), result("token", token)], ratios: [],
      environment: JSON.members(["cpu": cpu, "os": "Linux 6.1 x86_64", "commit": commit]))
    return report.json.text
  }

  @Test func `a table has a row for each benchmark and quotes what it must, and a dashboard gets what it reads`() throws
  {
    let text = document("ab", cpu: "a \"fast\", one", token: 80_000)
    let saved = try BenchmarkReport(parsing: Array(text.utf8))
    let rows = DashboardReport.csv(saved).split(separator: "\n").map(String.init)
    let quoted = #"ab,"a ""fast"", one",Linux 6.1 x86_64,,"#
    let times = "token,80000.0,80000.0,80000.0,1.0,"
    #expect(rows.last == quoted + "token," + times && rows.count == 3)
    #expect(rows[0].split(separator: ",").count == 11)
    let bytes = Array(DashboardReport.githubBenchmark(saved).utf8)
    let document = try JSON(reading: bytes.span)
    let entry = try #require(document.elements?.last)
    #expect(entry.members?.map(\.name) == ["name", "unit", "value", "range", "extra"])
    #expect(entry["name"]?.string == "token" && entry["value"]?.number == 80_000)
  }

  @Test func `a comma or quotation mark with marks on it is quoted as well`() throws {
    let text = document("ab", cpu: "a,\u{301} b\"\u{301}", token: 80_000)
    let rows = DashboardReport.csv(try BenchmarkReport(parsing: Array(text.utf8))).utf8.split(separator: 0x0A)
    #expect(rows.count == 3 && rows[1].starts(with: Array("ab,\"a,\u{301} b\"\"\u{301}\",".utf8)))
  }
}
