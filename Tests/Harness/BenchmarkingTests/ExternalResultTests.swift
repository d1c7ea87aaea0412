import Benchmarking
import StrictJSON
import Testing
import Workloads

struct ExternalResultTests {
  private func result(_ name: String, _ rounds: [Double]) -> BenchmarkResult {
    BenchmarkResult(
      name: name, unit: "token", iterations: rounds.count, operationsPerSecond: 1e9 / rounds[0], p50: rounds[0],
      p90: rounds[0], p99: rounds[0], p999: rounds[0], maximum: rounds[0], allocations: nil, roundMedians: rounds)
  }

  private func external(_ standing: ExternalResult.Standing, _ remarks: [String] = []) -> ExternalResult {
    ExternalResult(command: "run it", word: "it", standing: standing, remarks: remarks)
  }

  @Test func `the protocol is subtracted round by round`() throws {
    var it = external(.measured)
    (it.roundTrip, it.protocolCost) = ("whole", "cost")
    it.subtractProtocol(in: [result("whole", [1_100, 1_200, 1_300]), result("cost", [100, 200, 300])], seed: 1)
    #expect(it.decryption.map { [$0.ratio, $0.low, $0.high] } == [1_000, 1_000, 1_000])
  }

  @Test func `without one of the two there is nothing to subtract`() {
    var it = external(.measured)
    (it.roundTrip, it.protocolCost) = ("whole", "cost")
    it.subtractProtocol(in: [result("whole", [1_100])], seed: 1)
    #expect(it.decryption == nil)
  }

  @Test func `what limits a program is a warning, a line of the text and a member of the document`() throws {
    let report = BenchmarkReport(cpu: nil, rounds: 3, results: [], ratios: [], warnings: ["noise."])
      .adding([external(.dropped, ["crashed"]), external(.unverified, ["accepts forgeries"]), external(.measured)])
    #expect(report.warnings == ["noise.", "it: dropped: crashed.", "it: unverified: accepts forgeries."])
    let text = BenchmarkText.text(report)
    #expect(text.contains("\nit: dropped: crashed.\nit: unverified: accepts forgeries.\n"))
    let standings = try #require(report.json["externals"]?.elements).map { $0["standing"]?.string }
    #expect(standings == ["dropped", "unverified", "measured"])
  }

  @Test func `the page plots all decryptors, on a logarithmic scale if they differ much`() {
    var it = external(.degraded, ["refuses token 3"])
    it.decryption = BootstrapInterval(samples: [9e5, 1e6, 1.1e6], seed: 1)
    func page(_ nanoseconds: Double) -> String {
      let report = BenchmarkReport(
        cpu: nil, rounds: 3, results: [result("decrypt/fast/ec_v1", [nanoseconds, nanoseconds, nanoseconds])],
        ratios: []
      ).adding([it])
      return MeasurementReport(report, findings: nil).page
    }
    let (near, far) = (page(5e5), page(1e4))
    for page in [near, far] {
      #expect(page.contains("it (degraded): 1000") && page.contains("it: degraded: refuses token 3."))
    }
    #expect(near.contains("fast engine: 2000") && near.contains(#"class="scale">0</text>"#))
    #expect(far.contains("fast engine: 100000") && far.contains(#"class="scale">10000</text>"#))
    #expect(!far.contains(#"class="scale">0</text>"#))
  }

  @Test func `the page has the density of each benchmark's rounds, or says why it has none`() {
    func page(_ results: [BenchmarkResult]) -> String {
      let report = BenchmarkReport(cpu: nil, rounds: 9, results: results, ratios: [])
      return MeasurementReport(report, findings: nil).page
    }
    let text = page([
      result("many", [10, 11, 12, 13, 14, 15, 16, 17, 18, 900, 950, 0.1].map { 1_000 * $0 }), result("one", [2_000]),
      result("equal", [3_000, 3_000, 3_000]), result("wide", [1_000, 9_000, 2_000, 12_000]),
    ])
    #expect(text.ranges(of: #"aria-label="density of"#).count == 2)
    #expect(text.contains(#"aria-label="density of many""#) && text.contains("<details open="))
    // No scale has times below zero.
    #expect(text.contains(#"aria-label="density of wide""#) && !text.contains(#"class="scale">-"#))
    #expect(text.contains("Not drawn: 1 faster round, 2 slower rounds."))
    #expect(text.contains("one: 2.00 µs. No density is shown: there was one round."))
    #expect(text.contains("equal: 3.00 µs. No density is shown: most rounds took the same time."))
    // Many densities are drawn, but the section is closed at first.
    let many = page((0..<20).map { result("many/\($0)", [1, 2, 3, 4]) })
    #expect(many.ranges(of: #"aria-label="density of"#).count == 20 && !many.contains("<details open="))
    #expect(!page([]).contains("<details"))
  }

  @Test func `memory is the largest figure`() {
    #expect(ExternalResult.Memory(atStart: 5, afterWarmUp: 9, atEnd: nil).largest == 9)
  }
}
