import CExternals
import Corpus
import HostIO
import Reports

/// A run by either driver: begins where an earlier session stopped, and shows and writes down how it stands and what was
/// found, whatever drives it.
package class FuzzRun {
  let plan: FuzzPlan
  let folder: RunFolder
  let settings: FuzzSettings
  let engines: FuzzEngines
  let seeds: CorpusFolder
  let display: FuzzDisplay
  var state: FuzzState
  /// When this session's time began.
  var start = MonotonicClock.nanoseconds
  private var saved = MonotonicClock.nanoseconds

  /// - Parameter seeds: the corpus that a run starts from, if it is there.
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

  /// Runs until the time is over, or somebody interrupts; everything is written down in either case.
  package final func run() throws(CommandError) -> ExitCode {
    assay_note_interrupts()
    try prepare()
    for id in try folder.findings() where state.findings[id] == nil { state.findings[id] = 1 }
    try display.begin(state, folder: folder.path)
    try drive()
    try display.finish(state, folder: folder.path)
    if assay_interrupted() != 0 { return .interrupted }
    return state.findings.isEmpty ? .success : .finding
  }

  /// What is needed before the run is said to have begun.
  func prepare() throws(CommandError) {}

  /// Fuzzes until `isOver`, or until there is a finding and the plan stops at one; then saves.
  func drive() throws(CommandError) {}

  /// Whether the time is over, or somebody interrupted.
  final var isOver: Bool {
    state.seconds = MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds)
    return state.seconds >= plan.duration || assay_interrupted() != 0
  }

  /// Whether there is a finding, and the plan stops at one.
  final var hasFoundEnough: Bool { plan.stopsAtFinding && !state.findings.isEmpty }

  /// Whether it is time to save again.
  final func isSavingDue() -> Bool {
    let now = MonotonicClock.nanoseconds
    guard MonotonicClock.seconds(from: saved, to: now) >= 5 else { return false }
    saved = now
    return true
  }

  /// - Parameters:
  ///   - addsPoint: whether the curves get a point even if the last one is less than ten seconds old.
  ///   - durable: whether it must survive a loss of power, for which a slow disk holds up whoever waits.
  final func save(addsPoint: Bool, durable: Bool) throws(CommandError) {
    if addsPoint || state.totalSeconds - (state.points.last?.seconds ?? 0) >= 10 { state.addPoint() }
    try folder.write(Array(state.table.utf8), to: "stats.csv", durable: durable)
    try folder.write(state.document, to: "stats.json", durable: durable)
    let page = FuzzPage(state: state, findings: try FuzzFindingList.read(folder))
    try folder.write(Array(page.document.utf8), to: "report.html", durable: durable)
  }

  /// Writes a new finding down, and tells of it.
  final func file(_ record: WorkerMessage.FindingRecord, id: String) throws(CommandError) {
    try FuzzFindingFolder(run: folder, engines: engines, target: state.target).write(record, seed: state.seed)
    try display.found(record, id: id, state, folder: folder.path)
  }
}
