import HostIO
import PaymentToken
import Reports

/// `history.csv`: a row for each session of a run, so that nightly sessions can be compared after months.
///
/// The running session saves its row about every ten seconds: a new file with all rows replaces the old one. So a
/// killed session has a row too, and no earlier row is ever lost.
package struct SessionHistory {
  /// The start (RFC 3339), the commit of the program if known, and options of the session; then numbers. The rate is
  /// zero for libFuzzer, which does not report it. Corpus and features are those of the run at the end of the session,
  /// all other numbers those of the session alone.
  package static let header =
    "date,commit,driver,target,seed,seconds,executions,executions_per_core_second,corpus,features,share_stage_8,"
    + "share_stage_13,findings,unreproducible,waived"

  /// The rows of earlier sessions.
  private let lines: [String]

  /// Reads a file.
  package init(_ text: String) {
    lines = text.split(separator: "\n").map { String($0) }.filter { $0 != Self.header }
  }

  /// Reads the file of a folder, if there is one.
  ///
  /// - Throws: `CommandError` if it cannot be read or is a link. The next save would replace it and lose its rows.
  init(of folder: RunFolder) throws(CommandError) {
    let path = "\(folder.path)/history.csv"
    guard FileWriter.exists(path) || FolderWalk.isLink(path) else {
      self.init("")
      return
    }
    self.init(String(streamSafe: try FileReader.corpusFile(path, followsLinks: false)))
  }

  /// The file with another row at its end.
  package func text(adding row: String) -> String { ([Self.header] + lines + [row]).joined(separator: "\n") + "\n" }

  /// The row of a session.
  static func row(_ state: FuzzState, _ plan: FuzzPlan) -> String {
    let done = state.sessionStatistics
    let time = done[.microseconds]
    let rate = time > 0 ? Double(done[.executions]) / Double(time) * 1e6 : 0
    let waived = state.sessionFindings.count - state.failingFindings.count
    let shares = [VerificationStage.signature, .payload].map { done.share(reaching: $0).fixed(4) }
    let cells =
      [plan.started.rfc3339, plan.commit, state.driver.rawValue, state.target.rawValue, "\(state.seed)"]
      + [state.seconds.fixed(1), "\(done[.executions])", rate.fixed(1), "\(state.corpus)", "\(state.features)"]
      + shares + ["\(state.failingFindings.count)", "\(state.sessionUnreproducible.count)", "\(waived)"]
    return cells.joined(separator: ",")
  }
}
