import Benchmarking
import HostIO
import StrictJSON
import Testing
import Workloads

/// Reports of measurements, made from values without timing.
struct ReportTests {
  private static let comparison = {
    var report = ComparisonReport(
      base: "old <build>", head: "new", method: "by hand",
      rows: [
        ComparisonRow(name: "a", verdict: .regressed, change: 0.25, interval: 0.2...0.3, probability: 0.001),
        ComparisonRow(name: "b", verdict: .missing),
      ], peakMemory: (base: 1_000_000, head: 2_500_000))
    report.instructions = [InstructionChange(name: "a", before: 100, after: 101, limit: 0.005)]
    return report
  }()

  @Test func `regressed and missing benchmarks and more instructions are findings in every form`() {
    let report = Self.comparison
    #expect(report.exitCode == .finding)
    #expect(
      report.findings == [
        "a regressed: +25.0% of its time.", "b is missing.",
        "a takes +1.00% of its instructions; +0.50% is allowed.",
      ])
    let page = report.page
    #expect(page.contains("3 findings."))
    #expect(page.contains("old &lt;build&gt;"))
    #expect(ComparisonText.text(report).contains("peak memory  1.0 MB before, 2.5 MB after"))
    #expect(ComparisonText.json(report).text.contains(#""findings":["a regressed"#))
  }

  @Test func `a gated measurement reports whether the thresholds are met`() {
    let saved = BenchmarkReport(cpu: nil, rounds: 1, results: [], ratios: [], warnings: [])
    #expect(MeasurementReport(saved, findings: nil).sentence == "0 benchmarks were measured")
    #expect(MeasurementReport(saved, findings: []).sentence == "all thresholds hold")
    let report = MeasurementReport(saved, findings: ["a < b"])
    #expect(report.sentence == "1 threshold does not hold")
    #expect(report.junit.contains(#"<testcase classname="threshold" name="a &lt; b">"#))
    #expect(report.annotations.contains("::error title=assay bench::a < b\n"))
  }

  @Test(arguments: [0, 9, 10, 200]) func `there are no more annotations than GitHub shows`(findings: Int) {
    let saved = BenchmarkReport(cpu: nil, rounds: 1, results: [], ratios: [], warnings: ["slow"])
    let report = MeasurementReport(saved, findings: (0..<findings).map { "finding \($0)." })
    let lines = report.annotations.split(separator: "\n")
    #expect(lines.count == min(10, findings + 2))
    // Each line but the last has one finding; the last says how many are missing.
    let missing = findings + 1 - (lines.count - 1)
    #expect(lines.last?.contains("more in") == (missing > 0))
    if missing > 0 { #expect(lines.last?.contains("; \(missing) more in") == true) }
  }

  @Test func `a gate that could not check everything is no success`() {
    let saved = BenchmarkReport(cpu: nil, rounds: 1, results: [], ratios: [], warnings: [])
    let report = MeasurementReport(saved, findings: [], undecided: ["a was not measured."])
    #expect(!report.isSuccess && report.markdown.contains("a was not measured"))
    #expect(MeasurementReport(saved, findings: []).isSuccess)
  }

  @Test func `a commit that is not known is left out of every form`() {
    func saved(_ commit: JSON) -> BenchmarkReport {
      BenchmarkReport(
        cpu: nil, rounds: 1, results: [], ratios: [],
        environment: [.init("cpu", .string("one")), .init("commit", commit)])
    }
    func forms(_ saved: BenchmarkReport) -> [String] {
      let report = MeasurementReport(saved, findings: nil)
      return [
        BenchmarkText.machine(saved.environment), report.markdown, report.page,
        BenchmarkText.text(saved),
      ]
    }
    let (known, unknown) = (saved(.string("0a0a0a0")), saved(.null))
    #expect(known.environmentText("commit") == "0a0a0a0" && unknown.environmentText("commit") == nil)
    for form in forms(known) { #expect(form.contains("commit")) }
    for form in forms(unknown) { #expect(!form.contains("commit") && form.contains("one")) }
  }

  @Test func `a missing measurement is named`() {
    let error = #expect(throws: CommandError.self) { try BenchmarkReport(named: "/nowhere/monday") }
    #expect(error?.message.contains("/nowhere/monday") == true)
  }
}
