import Reports

extension DiffReport {
  /// The results as JUnit's XML: a suite a contender, a case a test.
  package var junit: String {
    let tally = report.scores.map(\.tally)
    let failures = tally.reduce(0) { $0 + $1.findings }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites name=\"assay diff\" tests=\"\(report.scores.reduce(0) { $0 + $1.records.count })\" "
        + "failures=\"\(failures)\" time=\"\(report.duration.fixed(3))\">",
    ]
    for score in report.scores {
      lines.append(
        "<testsuite name=\"\(XML.escaped(score.title))\" tests=\"\(score.records.count)\" "
          + "failures=\"\(score.tally.findings)\" errors=\"0\" skipped=\"\(score.tally.unsupported + score.tally.notAsked)\">"
      )
      for record in score.records { lines.append(line(record)) }
      lines.append("</testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private func line(_ record: Score.Record) -> String {
    let start = "<testcase classname=\"\(XML.escaped(record.source))\" name=\"\(XML.escaped(record.title))\""
    switch record.judgement {
    case .held: return start + "/>"
    case .notAsked: return start + "><skipped message=\"not asked any more\"/></testcase>"
    case .unsupported: return start + "><skipped message=\"unsupported\"/></testcase>"
    case .finding(let kind):
      return start + "><failure type=\"\(kind.rawValue)\" message=\"\(XML.escaped(kind.title))\">"
        + XML.escaped(record.decision?.description ?? "") + "</failure></testcase>"
    }
  }
}
