import HostIO
import Reports

extension ComparisonReport: ReportForms {
  package var markdown: String {
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
    lines += [""] + ComparisonText.conditions(self).map { "- \($0.name): \(Markdown.plain($0.value))" }
    return lines.joined(separator: "\n") + "\n"
  }

  package var annotations: String {
    findings.prefix(10).map { GitHubActions.annotation("error", title: "assay bench compare", $0) }.joined()
      + GitHubActions.annotation(
        findings.isEmpty ? "notice" : "error", title: "assay bench compare", sentence)
  }

  package var junit: String {
    func failure(_ type: String?, _ message: String) -> String {
      XML.element("failure", ["type": type, "message": message])
    }
    let times = rows.map { row in
      let skipped = row.verdict == .inconclusive ? XML.element("skipped", ["message": "inconclusive"]) : ""
      let text = row.change.map(ComparisonText.percent) ?? ""
      return (row.name, row.verdict.isFinding ? failure(row.verdict.rawValue, text) : skipped)
    }
    let counts = instructions.map { row in
      (row.name, row.isFinding ? failure("instructions", ComparisonText.percent(row.change)) : "")
    }
    return XML.junit(
      [
        "name": "assay bench compare", "tests": "\(rows.count + instructions.count)",
        "failures": "\(findings.count)",
      ],
      suite("times", times) + suite("instructions", counts)
        + suite("allocations", otherFindings.map { ($0, failure(nil, $0)) }))
  }

  private func suite(_ name: String, _ cases: [(name: String, content: String)]) -> [String] {
    guard !cases.isEmpty else { return [] }
    let failures = cases.count { $0.content.hasPrefix("<failure") }
    let lines = cases.map { XML.element("testcase", ["classname": name, "name": $0.name], $0.content) }
    return [
      XML.element(
        "testsuite", ["name": name, "tests": "\(cases.count)", "failures": "\(failures)"], lines: lines)
    ]
  }
}
