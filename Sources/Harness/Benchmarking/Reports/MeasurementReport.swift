import Reports

/// A measurement as CI reads it.
package struct MeasurementReport {
  package let saved: SavedReport
  /// What does not hold, a sentence each; nil when nothing was gated.
  package let findings: [String]?

  package init(saved: SavedReport, findings: [String]?) {
    self.saved = saved
    self.findings = findings
  }

  /// One sentence.
  package var sentence: String {
    guard let findings else { return "\(saved.report.results.count) benchmarks were measured" }
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
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"assay bench\" tests=\"\(saved.report.results.count + (findings?.count ?? 0))\" "
        + "failures=\"\(findings?.count ?? 0)\">",
      "<testsuite name=\"benchmarks\" tests=\"\(saved.report.results.count)\" failures=\"0\">",
    ]
    for result in saved.report.results {
      let seconds = (result.p50 / 1e9).fixed(9)
      lines.append("<testcase classname=\"benchmark\" name=\"\(XML.escaped(result.name))\" time=\"\(seconds)\"/>")
    }
    lines.append("</testsuite>")
    if let findings, !findings.isEmpty {
      lines.append("<testsuite name=\"thresholds\" tests=\"\(findings.count)\" failures=\"\(findings.count)\">")
      for finding in findings {
        let text = XML.escaped(finding)
        lines.append("<testcase classname=\"threshold\" name=\"\(text)\"><failure message=\"\(text)\"/></testcase>")
      }
      lines.append("</testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }
}
