import Reports

/// A measurement as Markdown, annotations and JUnit XML, for CI.
package struct MeasurementReport: ReportForms {
  package let saved: SavedReport
  /// The violated thresholds, one sentence each; nil if none were checked.
  package let findings: [String]?

  package init(saved: SavedReport, findings: [String]?) {
    self.saved = saved
    self.findings = findings
  }

  /// The result as one phrase.
  package var sentence: String {
    guard let findings else {
      let count = saved.report.results.count
      return "\(Text.counted(count, "benchmark")) \(count == 1 ? "was" : "were") measured"
    }
    if findings.isEmpty { return "all thresholds hold" }
    return "\(findings.count) threshold\(findings.count == 1 ? " does" : "s do") not hold"
  }

  package var command: String { "assay bench" }
  package var isSuccess: Bool { findings?.isEmpty ?? true }
  package var duration: Double? { nil }
  package var warnings: [String] { saved.report.warnings }
  package var errors: [(title: String, text: String)] { (findings ?? []).map { (command, $0) } }

  package var blocks: [MarkdownBlock] {
    let report = saved.report
    return [
      .list(findings ?? []), .table(BenchmarkText.header, report.results.map(BenchmarkText.cells)),
      .table(BenchmarkText.ratioHeader, report.ratios.map(BenchmarkText.cells)),
      .table(ExternalText.header, report.externals.map { ExternalText.cells($0, of: report.results) }),
      .quote(warnings), .text(BenchmarkText.machine(saved.environment)),
    ]
  }

  package var suites: [JUnitSuite] {
    let benchmarks = JUnitSuite(
      "benchmarks",
      saved.report.results.map { .init(group: "benchmark", name: $0.name, seconds: $0.p50 / 1e9, .passed) })
    guard let findings, !findings.isEmpty else { return [benchmarks] }
    return [
      benchmarks, JUnitSuite("thresholds", findings.map { .init(group: "threshold", name: $0, .failed($0)) }),
    ]
  }
}
