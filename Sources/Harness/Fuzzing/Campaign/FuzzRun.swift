import CExternals
import Corpus
import Differential
import HostIO
import PaymentToken
import Reports

/// What both drivers share: resuming a session, showing the status, saving, and writing findings.
package class FuzzRun {
  let plan: FuzzPlan
  let folder: RunFolder
  let settings: FuzzSettings
  let engines: FuzzEngines
  let seeds: CorpusFolder
  let display: FuzzDisplay
  var state: FuzzState
  /// When this session started.
  var start = MonotonicClock.nanoseconds
  private var saved = MonotonicClock.nanoseconds
  private var history = SessionHistory("")
  /// What is wrong with the statistics of earlier sessions.
  private var remarks: [String] = []
  /// When the row of the history was last written, in seconds of this session; nil before the first time.
  private var historySaved: Double?

  /// - Parameters:
  ///   - seeds: the corpus that a run starts from, if it exists.
  ///   - waivers: findings that may stay.
  package init(
    _ plan: FuzzPlan, _ folder: RunFolder, _ settings: FuzzSettings, engines: FuzzEngines, seeds: CorpusFolder,
    waivers: [Waiver] = [], display: FuzzDisplay
  ) {
    self.plan = plan
    self.folder = folder
    self.settings = settings
    self.engines = engines
    self.seeds = seeds
    self.display = display
    state = FuzzState(target: plan.target, driver: plan.driver, jobs: plan.jobs, seed: settings.seed)
    state.planned = plan.duration
    state.waivers = waivers
    if let document = folder.statistics {
      state.restore(document)
    } else if folder.exists("stats.json") {
      remarks.append("stats.json is damaged: its counters begin again. history.csv has earlier sessions.")
    }
  }

  /// Runs until the time is up or a signal interrupts; saves everything in either case.
  package final func run() throws(CommandError) -> ExitCode {
    assay_note_interrupts()
    history = try SessionHistory(of: folder)
    try prepare()
    // A finding whose folder was removed is not counted, so that its next occurrence is written again.
    state.keepCounts(
      findings: try folder.findings(in: .findings), unreproducible: try folder.findings(in: .unreproducible))
    for remark in remarks { Console.remark(remark) }
    try display.begin(state, folder: folder.path)
    do {
      try drive()
      try display.finish(state, folder: folder.path)
    } catch {
      return try nameFindings(despite: error)
    }
    if isInterrupted { return .interrupted }
    return state.failingFindings.isEmpty ? .success : .finding
  }

  /// Names the findings on standard error after a failure, such as a full disk or a closed output.
  private func nameFindings(despite error: CommandError) throws(CommandError) -> ExitCode {
    if state.failingFindings.isEmpty { throw error }
    if !error.message.isEmpty { Console.remark(error.message) }
    for (id, identity) in state.sessionFindings.sorted(by: { $0.key < $1.key }) {
      let path = FindingsFolder.findings.path(of: id)
      let isSaved = folder.exists("\(path)/finding.json")
      Console.remark("found \(identity), " + (isSaved ? "\(folder.path)/\(path)" : "not saved: \(id)"))
    }
    return .finding
  }

  /// Prepares what the run needs before it is reported as started, and saves the settings. Overrides first do what may
  /// fail: a run that cannot start must not determine the settings of the next one.
  func prepare() throws(CommandError) { try folder.write(settings.document, to: "settings.json") }

  /// Fuzzes until `isOver` or `hasFoundEnough`, then saves.
  func drive() throws(CommandError) {}

  /// Whether the time is up or a signal interrupted the run. Updates the elapsed seconds.
  final var isOver: Bool {
    state.seconds = MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds)
    return state.seconds >= plan.duration || isInterrupted
  }

  final var isInterrupted: Bool { assay_interrupted() != 0 }

  /// Whether this session has a finding, and the plan stops at one.
  final var hasFoundEnough: Bool { plan.stopsAtFinding && !state.failingFindings.isEmpty }

  /// Whether five seconds have passed since the last save; restarts the interval.
  final func isSavingDue() -> Bool {
    let now = MonotonicClock.nanoseconds
    guard MonotonicClock.seconds(from: saved, to: now) >= 5 else { return false }
    saved = now
    return true
  }

  /// - Parameter atEnd: whether the session ends. Then it waits until the data survives a loss of power; before that, a
  ///   slow disk would delay the workers.
  final func save(atEnd: Bool) throws(CommandError) {
    if atEnd || historySaved.map({ state.seconds - $0 >= 10 }) ?? true {
      // Always durable: nothing can compute the history again after a loss of power.
      try folder.write(Array(history.text(adding: SessionHistory.row(state, plan)).utf8), to: "history.csv")
      historySaved = state.seconds
    }
    try folder.write(state.document, to: "stats.json", durable: atEnd)
    let page = FuzzPage(state: state, findings: try FuzzFindingSummary.all(in: folder))
    try folder.write(Array(page.document.utf8), to: "report.html", durable: atEnd)
  }

  /// Counts a finding of this session; saves and reports it if the run had none with its identity.
  final func note(_ record: FuzzFinding<[UInt8]>) throws(CommandError) {
    guard state.count(record.violation, mayBeMachineFault: record.mayBeMachineFault) else { return }
    let files = FuzzFindingFolder(
      run: folder, engines: engines, target: state.target, external: plan.external, program: state.external?.name)
    try files.write(record, seed: state.seed)
    try display.found(record, state, folder: folder.path)
  }
}
