import HostIO
import PaymentToken
import Reports
import StrictJSON

/// The output of a run: a redrawn block on a terminal, one line per minute in a pipe, one event per line as JSON.
package final class FuzzDisplay {
  private let json: Bool
  let quiet: Bool
  private let terminal = Console.errorIsTerminal
  private var shown = MonotonicClock.nanoseconds
  private var linesDrawn = 0

  package init(json: Bool, quiet: Bool) {
    self.json = json
    self.quiet = quiet
  }

  func begin(_ state: FuzzState, folder: String) throws(CommandError) {
    if json {
      try event("started", state, ["dir": folder, "seed": state.seed])
    } else if !quiet {
      Console.remark(
        "fuzzing \(state.target.rawValue) with \(state.jobs) \(state.jobs == 1 ? "process" : "processes"), "
          + "seed \(state.seed), in \(Text.harmless(folder))")
    }
  }

  /// Shows the status if it is due.
  func update(_ state: FuzzState) throws(CommandError) {
    let now = MonotonicClock.nanoseconds
    let interval = terminal && !json ? 0.5 : 60
    guard MonotonicClock.seconds(from: shown, to: now) >= interval else { return }
    shown = now
    if json {
      try event("status", state)
    } else if !quiet {
      if terminal { draw(FuzzText.block(state)) } else { Console.remark(FuzzText.line(state)) }
    }
  }

  func found(
    _ record: FuzzFinding<[UInt8]>, _ state: FuzzState, folder: String
  ) throws(CommandError) {
    let id = record.violation.findingID
    if json {
      try event(
        "finding", state,
        [
          "id": id, "kind": record.violation.kind.rawValue, "first": record.violation.first,
          "second": record.violation.second, "mutations": record.mutations, "replays": record.replays,
          "unreproducible": record.mayBeMachineFault, "waived": state.waiver(for: id) != nil,
        ])
    } else if !quiet {
      clear()
      Console.remark(
        "\(FuzzState.time(state.totalSeconds)) found "
          + Text.harmless(record.violation.identity)
          + ", \(Text.harmless("\(folder)/\(FuzzFindingFolder.path(of: record))"))")
    }
  }

  func finish(_ state: FuzzState, folder: String) throws(CommandError) {
    clear()
    if json { return try event("finished", state, ["session": state.session]) }
    try Console.answer(report: FuzzText.summary(state, folder: folder))
  }

  private func event(_ name: String, _ state: FuzzState, _ members: JSON = [:]) throws(CommandError) {
    let event: JSON = [
      "schema": "assay.fuzz/1", "event": name, "elapsed_s": JSON.tenths(state.totalSeconds),
      "executions": state.statistics[.executions], "executions_per_second": JSON.tenths(state.rate),
      "corpus": state.corpus, "features": state.features, "findings": state.findings.count,
      "share_stage_8": JSON.decimal(state.statistics.share(reaching: .signature), digits: 4),
      "share_stage_13": JSON.decimal(state.statistics.share(reaching: .payload), digits: 4),
    ]
    try Console.answer(event.with(members).text + "\n")
  }

  /// `clear` counts lines, so none may be wider than the terminal.
  private func draw(_ lines: @autoclosure () -> [String]) {
    clear()
    let text = Console.fitted(to: STDERR_FILENO) { lines().joined(separator: "\n") + "\n" }
    Console.draw(text)
    linesDrawn = text.count { $0 == "\n" }
  }

  private func clear() {
    guard linesDrawn > 0 else { return }
    Console.draw("\u{1B}[\(linesDrawn)A\u{1B}[J")
    linesDrawn = 0
  }
}
