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

  @Test func `the percentiles of a measurement are lines that a plotter of HdrHistogram reads`() throws {
    let benchmark = Benchmark(name: "nothing") { _ in }
    let report = try Measurement(settings: MeasurementSettings(seconds: 0.05, seed: 1)).run([benchmark])
    let result = try #require(report.results.first)
    let text = try #require(DashboardReport.hdr(result))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first?.split(separator: " ") == ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"])
    let rows = lines.dropFirst().filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(rows.dropLast().allSatisfy { $0.count == 4 } && rows.last?.count == 3 && rows.count > 3)
    #expect(rows.map { $0[1] } == rows.map { $0[1] }.sorted() && rows.map { $0[0] } == rows.map { $0[0] }.sorted())
    #expect(rows.last?[1] == 1 && rows.last?[2] == result.sampleCount.map(Double.init))
    let median = try #require(rows.first { $0[1] == 0.5 })
    #expect(abs(median[0] - result.p50 / 1_000) < 0.001 && median[3] == 2)
    #expect(lines.last?.hasPrefix("#[Max") == true && lines.last?.contains("Total count = ") == true)
    // A saved result has no distribution.
    #expect(DashboardReport.hdr(BenchmarkResult(saved: result)) == nil)
  }

  @Test func `a table has a row for each benchmark and quotes what it must, and a dashboard gets what it reads`() throws
  {
    let text = document("ab", cpu: "a \"fast\", one", token: 80_000)
    let saved = try BenchmarkReport(parsing: Array(text.utf8))
    let rows = DashboardReport.csvRows(saved).split(separator: "\n").map(String.init)
    let quoted = #"ab,"a ""fast"", one",Linux 6.1 x86_64,,"#
    let times = "token,80000.0,80000.0,80000.0,1.0,"
    #expect(rows.last == quoted + "token," + times && rows.count == 2)
    #expect(DashboardReport.csvHeader.split(separator: ",").count == 11)
    let bytes = Array(DashboardReport.githubBenchmark(saved).utf8)
    let document = try JSON(reading: bytes.span)
    let entry = try #require(document.elements?.last)
    #expect(entry.members?.map(\.name) == ["name", "unit", "value", "range", "extra"])
    #expect(entry["name"]?.string == "token" && entry["value"]?.number == 80_000)
  }

  @Test func `a comma or quotation mark with marks on it is quoted as well`() throws {
    let text = document("ab", cpu: "a,\u{301} b\"\u{301}", token: 80_000)
    let rows = DashboardReport.csvRows(try BenchmarkReport(parsing: Array(text.utf8)))
    #expect(Array(rows.utf8).starts(with: Array("ab,\"a,\u{301} b\"\"\u{301}\",".utf8)))
  }
}

extension BenchmarkResult {
  /// The same result without what is not saved.
  fileprivate init(saved other: BenchmarkResult) {
    self.init(
      name: other.name, unit: other.unit, iterations: other.iterations, operationsPerSecond: other.operationsPerSecond,
      p50: other.p50, p90: other.p90, p99: other.p99, p999: other.p999, maximum: other.maximum, allocations: nil,
      roundMedians: other.roundMedians)
  }
}
