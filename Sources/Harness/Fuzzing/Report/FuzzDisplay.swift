import HostIO
import PaymentToken
import Reports
import StrictJSON

/// What a person sees of a run: a redrawn block on a terminal, a line a minute in a pipe, an event a line as JSON.
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
      try event(
        "started", state,
        [.init("dir", .string(folder)), .init("seed", .integer(state.seed))])
    } else if !quiet {
      Console.remark(
        "fuzzing \(state.target.rawValue) with \(state.jobs) \(state.jobs == 1 ? "process" : "processes"), "
          + "seed \(state.seed), in \(Text.harmless(folder))")
    }
  }

  /// When it is time to.
  func update(_ state: FuzzState) throws(CommandError) {
    let now = MonotonicClock.nanoseconds
    let interval = terminal && !json ? 0.5 : 60
    guard MonotonicClock.seconds(from: shown, to: now) >= interval else { return }
    shown = now
    if json {
      try event("status", state, [])
    } else if !quiet {
      if terminal { draw(FuzzText.block(state)) } else { Console.remark(FuzzText.line(state)) }
    }
  }

  func found(
    _ record: WorkerMessage.FindingRecord, id: String, _ state: FuzzState, folder: String
  ) throws(CommandError) {
    if json {
      try event(
        "finding", state,
        [
          .init("id", .string(id)), .init("kind", .string(record.kind)), .init("first", .string(record.first)),
          .init("second", .string(record.second)),
          .init("mutations", .array(record.mutations.map { .string($0) })),
          .init("replays", .integer(Int64(record.replays))),
        ])
    } else if !quiet {
      clear()
      Console.remark(
        "\(FuzzState.time(state.totalSeconds)) found \(record.kind): "
          + Text.harmless("\(record.first) / \(record.second)") + ", \(Text.harmless("\(folder)/findings/\(id)"))")
    }
  }

  func finish(_ state: FuzzState, folder: String) throws(CommandError) {
    clear()
    if json { return try event("finished", state, []) }
    try Console.answer(FuzzText.summary(state, folder: folder))
  }

  private func event(_ name: String, _ state: FuzzState, _ members: [JSON.Member]) throws(CommandError) {
    try Console.answer(
      JSON.object(
        [
          .init("schema", .string("assay.fuzz/1")), .init("event", .string(name)),
          .init("elapsed_s", .tenths(state.totalSeconds)),
          .init("executions", .integer(Int64(state.statistics[.executions]))),
          .init("executions_per_second", .tenths(state.rate)), .init("corpus", .integer(Int64(state.corpus))),
          .init("features", .integer(Int64(state.features))),
          .init("findings", .integer(Int64(state.findings.count))),
          .init("share_stage_8", .decimal(state.statistics.share(reaching: .signature), digits: 4)),
          .init("share_stage_13", .decimal(state.statistics.share(reaching: .payload), digits: 4)),
        ] + members
      ).text + "\n")
  }

  private func draw(_ lines: [String]) {
    clear()
    Console.draw(lines.joined(separator: "\n") + "\n")
    linesDrawn = lines.count
  }

  private func clear() {
    guard linesDrawn > 0 else { return }
    Console.draw("\u{1B}[\(linesDrawn)A\u{1B}[J")
    linesDrawn = 0
  }
}
