import HostIO
import Reports

extension ComparisonReport {
  /// Writes the comparison in a form that CI reads.
  package func tell(_ request: ReportRequest) throws(CommandError) {
    switch request {
    case .html(let path): try FileWriter.writeReport(page, to: path)
    case .junit(let path): try FileWriter.writeReport(junit, to: path)
    case .markdown(let path): try FileWriter.writeReport(markdown, to: path)
    case .github: try GitHubActions.tell(annotations: annotations, summary: markdown)
    }
  }

  private var markdown: String {
    var lines = ["## assay bench compare: \(Markdown.plain(sentence))", ""]
    lines += findings.map { "- \(Markdown.plain($0))" }
    if !findings.isEmpty { lines.append("") }
    if !rows.isEmpty {
      lines += Markdown.table(
        ComparisonText.header, rows.map { ComparisonText.cells($0).map(Markdown.plain) })
      lines.append("")
    }
    if !instructions.isEmpty {
      lines += Markdown.table(
        ComparisonText.instructionHeader, instructions.map { ComparisonText.cells($0).map(Markdown.plain) })
      lines.append("")
    }
    lines += added.map { "- new: \(Markdown.plain($0))" }
    lines += remarks.map { "> \(Markdown.plain($0))" }
    lines += [""] + ComparisonText.circumstances(self).map { "- \($0.name): \(Markdown.plain($0.value))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private var annotations: String {
    findings.prefix(10).map { GitHubActions.annotation("error", title: "assay bench compare", $0) }.joined()
      + GitHubActions.annotation(
        findings.isEmpty ? "notice" : "error", title: "assay bench compare", sentence)
  }

  private var junit: String {
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"assay bench compare\" tests=\"\(rows.count + instructions.count)\" "
        + "failures=\"\(findings.count)\">",
    ]
    lines += suite(
      "times",
      rows.map { row in
        let skipped = row.verdict == .inconclusive ? "<skipped message=\"inconclusive\"/>" : ""
        let text = row.change.map(ComparisonText.percent) ?? ""
        return (
          row.name, row.verdict.isFinding ? "<failure type=\"\(row.verdict.rawValue)\" message=\"\(text)\"/>" : skipped
        )
      })
    lines += suite(
      "instructions",
      instructions.map { row in
        (
          row.name,
          row.isFinding ? "<failure type=\"instructions\" message=\"\(ComparisonText.percent(row.change))\"/>" : ""
        )
      })
    lines += suite(
      "allocations", otherFindings.map { ($0, "<failure message=\"\(XML.escaped($0))\"/>") })
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private func suite(_ name: String, _ cases: [(name: String, content: String)]) -> [String] {
    guard !cases.isEmpty else { return [] }
    let failures = cases.count { $0.content.hasPrefix("<failure") }
    return ["<testsuite name=\"\(name)\" tests=\"\(cases.count)\" failures=\"\(failures)\">"]
      + cases.map {
        "<testcase classname=\"\(name)\" name=\"\(XML.escaped($0.name))\">\($0.content)</testcase>"
      } + ["</testsuite>"]
  }
}
