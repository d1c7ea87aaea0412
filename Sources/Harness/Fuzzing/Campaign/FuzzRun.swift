import CExternals
import Corpus
import HostIO
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

  /// - Parameter seeds: the corpus that a run starts from, if it exists.
  package init(
    _ plan: FuzzPlan, _ folder: RunFolder, _ settings: FuzzSettings, engines: FuzzEngines, seeds: CorpusFolder,
    display: FuzzDisplay
  ) {
    self.plan = plan
    self.folder = folder
    self.settings = settings
    self.engines = engines
    self.seeds = seeds
    self.display = display
    state = FuzzState(target: settings.target, driver: settings.driver, jobs: plan.jobs, seed: settings.seed)
    state.planned = plan.duration
    if let document = folder.document("stats.json") {
      let table = try? FileReader.corpusFile("\(folder.path)/stats.csv")
      state.restore(document, table: table.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  /// Runs until the time is up or a signal interrupts; saves everything in either case.
  package final func run() throws(CommandError) -> ExitCode {
    assay_note_interrupts()
    try prepare()
    // Saved only now: a run that could not start must not fix the settings of the next one.
    try folder.write(settings.document, to: "settings.json")
    for id in try folder.findings() where state.findings[id] == nil { state.findings[id] = 1 }
    try display.begin(state, folder: folder.path)
    try drive()
    try display.finish(state, folder: folder.path)
    if assay_interrupted() != 0 { return .interrupted }
    return state.findings.isEmpty ? .success : .finding
  }

  /// Prepares what the run needs before it is reported as started.
  func prepare() throws(CommandError) {}

  /// Fuzzes until `isOver` or `hasFoundEnough`, then saves.
  func drive() throws(CommandError) {}

  /// Whether the time is up or a signal interrupted the run. Updates the elapsed seconds.
  final var isOver: Bool {
    state.seconds = MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds)
    return state.seconds >= plan.duration || assay_interrupted() != 0
  }

  /// Whether there is a finding, and the plan stops at one.
  final var hasFoundEnough: Bool { plan.stopsAtFinding && !state.findings.isEmpty }

  /// Whether five seconds have passed since the last save; restarts the interval.
  final func isSavingDue() -> Bool {
    let now = MonotonicClock.nanoseconds
    guard MonotonicClock.seconds(from: saved, to: now) >= 5 else { return false }
    saved = now
    return true
  }

  /// - Parameters:
  ///   - addsPoint: adds a point to the growth curves even if the last one is less than ten seconds old, or less than
  ///     a quarter of a short run.
  ///   - durable: whether to wait until the data survives a loss of power.
  final func save(addsPoint: Bool, durable: Bool) throws(CommandError) {
    let age = state.totalSeconds - (state.points.last?.seconds ?? 0)
    if addsPoint || age >= min(10, state.totalSeconds / 4) { state.addPoint() }
    try folder.write(Array(state.table.utf8), to: "stats.csv", durable: durable)
    try folder.write(state.document, to: "stats.json", durable: durable)
    let page = FuzzPage(state: state, findings: try FuzzFindingList.read(folder))
    try folder.write(Array(page.document.utf8), to: "report.html", durable: durable)
  }

  /// Saves and reports a new finding.
  final func file(_ record: FuzzFinding<[UInt8]>, id: String) throws(CommandError) {
    try FuzzFindingFolder(run: folder, engines: engines, target: state.target, external: plan.external)
      .write(record, seed: state.seed)
    try display.found(record, id: id, state, folder: folder.path)
  }
}
