import HostIO
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

  package var markdown: String {
    var lines = ["## assay bench: \(Markdown.plain(sentence))", ""]
    for finding in findings ?? [] { lines += ["- \(Markdown.plain(finding))"] }
    if findings?.isEmpty == false { lines.append("") }
    lines += Markdown.table(
      BenchmarkText.header, saved.report.results.map { BenchmarkText.cells($0).map(Markdown.plain) })
    if !saved.report.ratios.isEmpty {
      lines += [""]
      lines += Markdown.table(
        BenchmarkText.ratioHeader, saved.report.ratios.map { BenchmarkText.cells($0).map(Markdown.plain) })
    }
    if !saved.report.externals.isEmpty {
      let rows = saved.report.externals.map { ExternalText.cells($0, of: saved.report.results) }
      lines += [""] + Markdown.table(ExternalText.header, rows.map { $0.map(Markdown.plain) })
    }
    lines += [""]
    lines += saved.report.warnings.map { "> \(Markdown.plain($0))" }
    lines += ["", Markdown.plain(BenchmarkText.machine(saved.environment))]
    return lines.joined(separator: "\n") + "\n"
  }

  package var annotations: String {
    let findings = findings ?? []
    return findings.prefix(10).map { GitHubActions.annotation("error", title: "assay bench", $0) }.joined()
      + saved.report.warnings.prefix(5).map { GitHubActions.annotation("warning", title: "assay bench", $0) }.joined()
      + GitHubActions.annotation(findings.isEmpty ? "notice" : "error", title: "assay bench", sentence)
  }

  package var junit: String {
    let (results, findings) = (saved.report.results, findings ?? [])
    let benchmarks = results.map { result in
      XML.element(
        "testcase", ["classname": "benchmark", "name": result.name, "time": (result.p50 / 1e9).fixed(9)])
    }
    let thresholds = findings.map { finding in
      XML.element(
        "testcase", ["classname": "threshold", "name": finding], XML.element("failure", ["message": finding]))
    }
    let failures = "\(findings.count)"
    var suites = [
      XML.element(
        "testsuite", ["name": "benchmarks", "tests": "\(results.count)", "failures": "0"], lines: benchmarks)
    ]
    if !findings.isEmpty {
      suites.append(
        XML.element(
          "testsuite", ["name": "thresholds", "tests": failures, "failures": failures], lines: thresholds))
    }
    return XML.junit(
      ["name": "assay bench", "tests": "\(results.count + findings.count)", "failures": failures], suites)
  }
}
