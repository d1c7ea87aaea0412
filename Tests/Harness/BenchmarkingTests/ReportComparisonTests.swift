import Benchmarking
import StrictJSON
import Testing

struct ReportComparisonTests {
  private func compare(
    _ before: BenchmarkReport, _ after: BenchmarkReport
  ) throws -> (rows: [ComparisonRow], added: [String], allocations: [String]) {
    try after.compared(with: before, anchors: ["anchor"], limits: ComparisonLimits())
  }

  /// A measurement on a machine that takes `speed` times as long for everything.
  private func report(
    _ times: [String: Double], speed: Double = 1, allocations: Double = 0, environment: [JSON.Member] = []
  ) -> BenchmarkReport {
    let all = times.merging(["anchor": 50_000]) { $1 }
    let results = all.sorted { $0.key < $1.key }.map { name, time in
      BenchmarkResult(
        name: name, unit: "token", iterations: 1, operationsPerSecond: 1e9 / time, p50: time * speed, p90: time,
        p99: time, p999: time, maximum: time,
        allocations: AllocationCounts(ownCalls: allocations, ownBytes: 0, libcryptoCalls: 0, libcryptoBytes: 0),
        roundMedians: (0..<20).map { round in
          // Rounds of one measurement differ in speed, and a little beyond that.
          time * speed * (1 + Double(round % 4) / 4) * (1 + Double((round * 7 + name.count) % 5) / 2_000)
        })
    }
    return BenchmarkReport(cpu: nil, rounds: 20, results: results, ratios: [], environment: environment)
  }

  @Test func `a machine at half its speed is no regression`() throws {
    let outcome = try compare(report(["token": 80_000]), report(["token": 80_000], speed: 2))
    #expect(outcome.rows.map(\.verdict) == [.unchanged])
    #expect(outcome.allocations.isEmpty && outcome.added.isEmpty)
  }

  @Test func `a longer time in units of the anchor is a regression`() throws {
    let outcome = try compare(
      report(["faster": 80_000, "slower": 80_000]), report(["faster": 70_000, "slower": 88_000], speed: 2))
    #expect(outcome.rows.map(\.verdict) == [.improved, .regressed])
  }

  @Test func `a benchmark that disappeared is missing, a new one is no finding`() throws {
    let outcome = try compare(report(["old": 1_000]), report(["new": 1_000]))
    #expect(outcome.rows == [ComparisonRow(name: "old", verdict: .missing)])
    #expect(outcome.added == ["new"])
  }

  @Test func `more allocations than before are a finding`() throws {
    let outcome = try compare(report(["token": 1_000]), report(["token": 1_000], allocations: 0.01))
    #expect(outcome.allocations.count == 1)
  }

  @Test func `a comparison without the anchor fails`() {
    let bare = BenchmarkReport(cpu: nil, rounds: 0, results: [], ratios: [])
    #expect(throws: BenchmarkFailure.self) { try compare(bare, report([:])) }
  }

  @Test func `a measurement is read as it was written`() throws {
    let saved = report(
      ["token": 80_000],
      environment: [.init("cpu", .string("one")), .init("os", .string("Linux 6.1 x86_64"))])
    let read = try BenchmarkReport(parsing: Array(saved.json.text.utf8))
    #expect(read.environment == saved.environment)
    #expect(read.results.map(\.name) == saved.results.map(\.name))
    #expect(read.results.map(\.allocations) == saved.results.map(\.allocations))
    #expect(read.results[0].roundMedians.count == 20)
    #expect(try compare(saved, read).rows.map(\.verdict) == [.unchanged])
  }

  @Test func `another release of the system can be compared, another processor cannot`() {
    func saved(_ cpu: String, _ os: String) -> BenchmarkReport {
      report([:], environment: [.init("cpu", .string(cpu)), .init("os", .string(os))])
    }
    let one = saved("one", "Linux 6.1 x86_64")
    func difference(_ cpu: String, _ os: String) -> String? {
      one.incomparability("in a.json", with: saved(cpu, os), "now")
    }
    #expect(difference("one", "Linux 6.2 x86_64") == nil)
    #expect(difference("two", "Linux 6.1 x86_64") == "cpu is one in a.json and two now")
    #expect(difference("one", "Darwin 25 arm64") == "os is Linux x86_64 in a.json and Darwin arm64 now")
  }
}
