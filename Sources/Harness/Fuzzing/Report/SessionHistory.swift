import HostIO
import PaymentToken
import Reports
import StrictJSON

/// `history.csv`: a row for each session of a run, so that nights can be compared after months.
///
/// The row of the session that runs is written again and again, with all earlier ones, into a new file that replaces
/// the old one. So a killed session has a row too, and no earlier row is ever lost.
package struct SessionHistory {
  /// What one session did.
  package struct Row: Hashable, Sendable {
    /// When it started, RFC 3339.
    package var date: String
    /// The commit of the program; empty if unknown.
    package var commit = ""
    package var driver: String
    package var target: String
    package var seed: UInt64
    package var seconds: Double
    package var executions: Int
    /// Executions per second of processor time; zero for libFuzzer, which does not tell.
    package var rate: Double
    /// Samples and features at its end.
    package var corpus: Int
    package var features: Int
    /// Shares of its executions that reached stages 8 and 13.
    package var signature: Double
    package var payload: Double
    /// Findings of this session without those that are waived, and the others.
    package var findings: Int
    package var unreproducible: Int
    package var waived: Int
  }

  package static let header =
    "date,commit,driver,target,seed,seconds,executions,executions_per_core_second,corpus,features,"
    + "share_stage_8,share_stage_13,findings,unreproducible,waived"

  /// The rows of earlier sessions.
  package private(set) var rows: [Row] = []
  /// Their lines, and those between them that cannot be read, which stay as they are.
  private var lines: [String] = []
  /// What is wrong with the file: a sentence for each damaged line.
  package private(set) var remarks: [String] = []

  /// Reads a file. A damaged last line, as a loss of power leaves it, is left out.
  package init(_ text: String) {
    let all = text.split(separator: "\n").map { String($0) }
    for (index, line) in all.enumerated() where line != Self.header {
      if let row = Row(line) {
        rows.append(row)
      } else {
        let isLast = index == all.count - 1
        remarks.append(
          "history.csv, line \(index + 1), is damaged and \(isLast ? "removed" : "skipped"): "
            + Text.harmless(String(line.prefix(200))))
        if isLast { continue }
      }
      lines.append(line)
    }
  }

  /// Reads the file of a folder, if there is one.
  ///
  /// - Throws: `CommandError` if it cannot be read, or is a link: it would be replaced by one without its rows.
  package init(of folder: RunFolder) throws(CommandError) {
    let path = "\(folder.path)/history.csv"
    guard FileWriter.exists(path) || FolderWalk.isLink(path) else {
      self.init("")
      return
    }
    self.init(String(streamSafe: try FileReader.corpusFile(path, followsLinks: false)))
  }

  /// The file with another row at its end.
  package func text(adding row: Row) -> String {
    ([Self.header] + lines + [row.line]).joined(separator: "\n") + "\n"
  }
}

extension SessionHistory.Row {
  /// Reads a line; nil if it is not one.
  init?(_ line: String) {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard fields.count == 15, UnixTime(rfc3339: fields[0]) != nil, let seed = UInt64(fields[4]) else { return nil }
    let numbers = fields[5...].map { JSON.number($0) }
    guard let seconds = numbers[0].seconds, let executions = numbers[1].count, let rate = numbers[2].seconds,
      let corpus = numbers[3].count, let features = numbers[4].count, let signature = numbers[5].seconds,
      let payload = numbers[6].seconds, let findings = numbers[7].count, let unreproducible = numbers[8].count,
      let waived = numbers[9].count
    else { return nil }
    self.init(
      date: fields[0], commit: fields[1], driver: fields[2], target: fields[3], seed: seed, seconds: seconds,
      executions: executions, rate: rate, corpus: corpus, features: features, signature: signature, payload: payload,
      findings: findings, unreproducible: unreproducible, waived: waived)
  }

  var line: String {
    let numbers = "\(seconds.fixed(1)),\(executions),\(rate.fixed(1)),\(corpus),\(features)"
    let shares = "\(signature.fixed(4)),\(payload.fixed(4))"
    return "\(date),\(commit),\(driver),\(target),\(seed),\(numbers),\(shares),\(findings),\(unreproducible),\(waived)"
  }

  /// The session of a state.
  init(_ state: FuzzState, _ plan: FuzzPlan) {
    let done = state.sessionStatistics
    let time = done[.microseconds]
    self.init(
      date: plan.started.rfc3339, commit: plan.commit, driver: state.driver.rawValue, target: state.target.rawValue,
      seed: state.seed, seconds: state.seconds, executions: done[.executions],
      rate: time > 0 ? Double(done[.executions]) / Double(time) * 1e6 : 0, corpus: state.corpus,
      features: state.features, signature: done.share(reaching: .signature), payload: done.share(reaching: .payload),
      findings: state.failingFindings.count, unreproducible: state.sessionUnreproducible.count,
      waived: state.sessionFindings.count - state.failingFindings.count)
  }
}

extension SessionHistory {
  /// Curves over all sessions, this one included; nothing for a single one.
  static func html(_ rows: [Row]) -> HTML {
    guard rows.count > 1 else { return .nothing }
    let dates = rows.map { String($0.date.prefix(10)) }
    func curve(_ title: String, digits: Int = 0, _ value: (Row) -> Double) -> HTML {
      let values = rows.map { value($0) }
      guard values.contains(where: { $0 > 0 }) else { return .element("p", class: "soft", .text("\(title): none")) }
      return .element(
        "div", .element("h3", .text(title)),
        .linePlot(
          positions: dates, lines: [(label: "", values: values)], scale: .linear, label: title
        ) { digits == 0 && $0 != $0.rounded() ? "" : $0.fixed(digits) })
    }
    return .pieces([
      .element("h2", "Sessions"),
      .element("p", class: "soft", .text("\(Text.counted(rows.count, "session")), from history.csv.")),
      .element(
        "div", class: "plots", curve("Features at the end of each session") { Double($0.features) },
        curve("Samples kept") { Double($0.corpus) },
        curve("Samples given to the engines in each session") { Double($0.executions) },
        curve("Samples per second of processor time", \.rate),
        curve("Percent of samples that reach stage 13", digits: 1) { 100 * $0.payload },
        curve("Findings") { Double($0.findings) }),
      HTML.details(
        "All sessions",
        [
          .table(
            header: ["start", "commit", "minutes", "samples", "features", "findings", "unreproducible", "waived"],
            rows: rows.reversed().map { row in
              [
                .text(row.date), HTML.code(String(row.commit.prefix(12))), .text((row.seconds / 60).fixed(1)),
                .text("\(row.executions)"), .text("\(row.features)"), .text("\(row.findings)"),
                .text("\(row.unreproducible)"), .text("\(row.waived)"),
              ]
            })
        ]),
    ])
  }
}
