import Reports

/// A measurement as Markdown, annotations and JUnit XML, for CI.
package struct MeasurementReport: ReportForms {
  package let measured: BenchmarkReport
  /// The violated thresholds, one sentence each; nil if none were checked.
  package let findings: [String]?
  /// The thresholds that could not be checked, one sentence each.
  package let undecided: [String]

  package init(_ measured: BenchmarkReport, findings: [String]?, undecided: [String] = []) {
    self.measured = measured
    self.findings = findings
    self.undecided = undecided
  }

  /// The result as one phrase.
  package var sentence: String {
    guard let findings else {
      let count = measured.results.count
      return "\(Text.counted(count, "benchmark")) \(count == 1 ? "was" : "were") measured"
    }
    let open = undecided.isEmpty ? "" : ", \(undecided.count) could not be checked"
    if findings.isEmpty { return undecided.isEmpty ? "all thresholds hold" : "no threshold was violated" + open }
    return "\(findings.count) threshold\(findings.count == 1 ? " does" : "s do") not hold" + open
  }

  package var command: String { "assay bench" }
  package var isSuccess: Bool { (findings?.isEmpty ?? true) && undecided.isEmpty }
  package var duration: Double? { nil }
  package var warnings: [String] { measured.warnings }
  package var errors: [(title: String, text: String)] { ((findings ?? []) + undecided).map { (command, $0) } }

  package var blocks: [MarkdownBlock] {
    [
      .list((findings ?? []) + undecided.map { "not decided: \($0)" }),
      .table(BenchmarkText.header, measured.results.map(BenchmarkText.cells)),
      .table(BenchmarkText.ratioHeader, measured.ratios.map(BenchmarkText.cells)),
      .table(ExternalText.header, measured.externals.map { ExternalText.cells($0, of: measured.results) }),
      .quote(warnings), .text(BenchmarkText.machine(measured.environment)),
    ]
  }

  package var suites: [JUnitSuite] {
    let benchmarks = JUnitSuite(
      "benchmarks",
      measured.results.map { .init(group: "benchmark", name: $0.name, seconds: $0.p50 / 1e9, .passed) })
    guard let findings, !findings.isEmpty else { return [benchmarks] }
    return [
      benchmarks, JUnitSuite("thresholds", findings.map { .init(group: "threshold", name: $0, .failed($0)) }),
    ]
  }
}
