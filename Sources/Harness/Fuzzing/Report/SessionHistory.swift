import HostIO
import PaymentToken
import Reports
import StrictJSON

/// `history.csv`: a row for each session of a run, so that nightly sessions can be compared after months.
///
/// The running session saves its row about every ten seconds: a new file with all rows replaces the old one. So a
/// killed session has a row too, and no earlier row is ever lost.
package struct SessionHistory {
  /// What one session did: the cells of its line, by `columns`.
  package struct Row: Hashable, Sendable {
    fileprivate let cells: [String]
  }

  /// The start (RFC 3339), the commit of the program if known, and options of the session; then numbers. The rate is
  /// zero for libFuzzer, which does not report it. Corpus and features are those of the run at the end of the session,
  /// all other numbers those of the session alone.
  private static let columns =
    ["date", "commit", "driver", "target", "seed", "seconds", "executions", "executions_per_core_second", "corpus"]
    + ["features", "share_stage_8", "share_stage_13", "findings", "unreproducible", "waived"]

  package static let header = columns.joined(separator: ",")

  /// The rows of earlier sessions.
  package private(set) var rows: [Row] = []
  /// The lines of these rows, and the damaged lines between them, which stay as they are.
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
  /// - Throws: `CommandError` if it cannot be read or is a link. The next save would replace it and lose its rows.
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
  /// Reads a line; nil if it is not a row.
  init?(_ line: String) {
    cells = line.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    guard cells.count == SessionHistory.columns.count, UnixTime(rfc3339: cells[0]) != nil, UInt64(cells[4]) != nil
    else { return nil }
    let shares: Set = ["seconds", "executions_per_core_second", "share_stage_8", "share_stage_13"]
    for (column, cell) in zip(SessionHistory.columns, cells).dropFirst(5) {
      let number = JSON.number(cell)
      guard shares.contains(column) ? number.seconds != nil : number.count != nil else { return nil }
    }
  }

  var line: String { cells.joined(separator: ",") }

  /// The session of a state.
  init(_ state: FuzzState, _ plan: FuzzPlan) {
    let done = state.sessionStatistics
    let time = done[.microseconds]
    let rate = time > 0 ? Double(done[.executions]) / Double(time) * 1e6 : 0
    let waived = state.sessionFindings.count - state.failingFindings.count
    let shares = [VerificationStage.signature, .payload].map { done.share(reaching: $0).fixed(4) }
    cells =
      [plan.started.rfc3339, plan.commit, state.driver.rawValue, state.target.rawValue, "\(state.seed)"]
      + [state.seconds.fixed(1), "\(done[.executions])", rate.fixed(1), "\(state.corpus)", "\(state.features)"]
      + shares + ["\(state.failingFindings.count)", "\(state.sessionUnreproducible.count)", "\(waived)"]
  }
}
