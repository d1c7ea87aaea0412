import Reports

extension DiffReport {
  /// The results as JUnit XML: one suite per contender, one case per test.
  package var junit: String {
    let failures = report.scores.reduce(0) { $0 + $1.tally.findings }
    return XML.junit(
      [
        "name": "assay diff", "tests": "\(report.scores.reduce(0) { $0 + $1.records.count })",
        "failures": "\(failures)", "time": report.duration.fixed(3),
      ], report.scores.map(suite))
  }

  private func suite(_ score: Score) -> String {
    XML.element(
      "testsuite",
      [
        "name": score.title, "tests": "\(score.records.count)", "failures": "\(score.tally.findings)", "errors": "0",
        "skipped": "\(score.tally.unsupported + score.tally.notAsked)",
      ], lines: score.records.map(line))
  }

  private func line(_ record: Score.Record) -> String {
    let content: String? =
      switch record.assessment {
      case .passed, .acceptable: nil
      case .notAsked: XML.element("skipped", ["message": "skipped after failures"])
      case .unsupported: XML.element("skipped", ["message": (["unsupported"] + record.lacking).joined(separator: " ")])
      case .finding(let kind):
        XML.element(
          "failure", ["type": kind.rawValue, "message": kind.title],
          XML.escaped(record.decision?.description ?? ""))
      }
    return XML.element("testcase", ["classname": record.source, "name": record.title], content)
  }
}
