import Reports

extension ComparisonReport: ReportForms {
  package var command: String { "assay bench compare" }
  package var isSuccess: Bool { exitCode == .success }
  package var duration: Double? { nil }
  package var warnings: [String] { [] }
  package var errors: [(title: String, text: String)] { findings.map { (command, $0) } }

  package var blocks: [MarkdownBlock] {
    [
      .text(sensitivity ?? ""), .list(findings), .table(ComparisonText.header, rows.map(ComparisonText.cells)),
      .table(ComparisonText.instructionHeader, instructions.map(ComparisonText.cells)),
      .list(added.map { "new: \($0)" }), .quote(remarks),
      .list(ComparisonText.conditions(self).map { "\($0.name): \($0.value)" }),
    ]
  }

  package var suites: [JUnitSuite] {
    let times = rows.map { row -> JUnitSuite.Case in
      let outcome: JUnitSuite.Outcome =
        row.verdict.isFinding
        ? .failed(type: row.verdict.rawValue, row.change.map(ComparisonText.percent) ?? "")
        : row.verdict == .inconclusive ? .skipped("inconclusive") : .passed
      return .init(group: "times", name: row.name, outcome)
    }
    let counts = instructions.map { row -> JUnitSuite.Case in
      .init(
        group: "instructions", name: row.name,
        row.isFinding ? .failed(type: "instructions", ComparisonText.percent(row.change)) : .passed)
    }
    let allocations = otherFindings.map { JUnitSuite.Case(group: "allocations", name: $0, .failed($0)) }
    return [
      JUnitSuite("times", times), JUnitSuite("instructions", counts), JUnitSuite("allocations", allocations),
    ].filter { !$0.cases.isEmpty }
  }
}
