import HostIO
import NamedCases
import Reports
import TestCases

/// A run of the built-in loop.
///
/// This process forks one worker per job and waits for their messages. Each worker gets a snapshot of the corpus,
/// fuzzes for twenty seconds, reports the samples it keeps and its findings, and exits; the next worker starts from the
/// merged corpus. A worker that crashes or hangs is replaced, and the input it was executing becomes a finding.
///
/// The corpus is executed first. A session does not end before that, nor before the worker that executed the last part
/// of it has mutated samples for at least a second. Otherwise a session that is short for its corpus would add nothing.
package final class FuzzCampaign: FuzzRun {
  private var corpus = LoopCorpus()
  private var workers: [FuzzWorker] = []
  /// Samples that no worker has executed yet.
  private var intake: [IntakeSample] = []
  /// The names of the samples that this session kept. The session knows only the features of these.
  private var kept: Set<String> = []
  /// Whether samples were kept since the last sync to disk.
  private var hasUnsynced = false
  /// Files of the corpus that add no feature to those of the samples in `kept`.
  private var redundant: [String] = []
  private var sync: SyncSession?
  /// The number of the last random stream. Its upper half is the session, so that no two sessions share a stream.
  private lazy var stream = UInt64(settings.sessions) << 32
  /// The identities of the findings that this session reported.
  private var reported: Set<String> = []
  private lazy var oracle = plan.external.map {
    ExternalOracle($0, engines: engines, processes: plan.jobs, earlier: state.external)
  }
  /// How long a worker runs before it is replaced by one that knows the merged corpus.
  private static let workerSeconds = 20.0
  /// How many initial samples one worker executes at most.
  private static let intakeSize = 400

  override func prepare() throws(CommandError) {
    if let oracle {
      try oracle.start()
      state.external = oracle.statistics
      intake = try FuzzSeeds.coreSuite(of: seeds, defaults: engines.sampleSigner.defaultContext)
        .map { IntakeSample(bytes: $0) }
    }
    let resumed = try folder.corpus()
    intake += resumed
    intake += try FuzzSeeds.all(for: plan.target, from: seeds, engines: engines).map { IntakeSample(bytes: $0) }
    if let plan = plan.sync {
      let names = resumed.compactMap { if case .corpus(let name) = $0.origin { name } else { nil } }
      sync = try SyncSession(plan, folder, runID: settings.runID, resumed: Set(names))
    }
    try super.prepare()
    try sync?.claim()
    start = MonotonicClock.nanoseconds
  }

  override func drive() throws(CommandError) {
    defer { oracle?.end() }
    // Create the named cases once in this process: each forked worker inherits them.
    _ = CaseRecipe.all
    for share in Self.shares(of: intake.count, jobs: plan.jobs) {
      guard let worker = FuzzWorker() else { throw CommandError(.internalError, "no shared memory is available.") }
      workers.append(worker)
      try launch(worker, samples: share)
    }
    while !isFinished {
      try turn()
      if hasFoundEnough { break }
    }
    for worker in workers {
      worker.process.stop()
      try takeRest(of: worker)
    }
    state.seconds = MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds)
    prune()
    try save(atEnd: true)
    try sync?.finish(kept: kept, state)
  }

  /// Whether the time is up and the corpus has been executed, or a signal interrupted the run.
  private var isFinished: Bool {
    isOver && (isInterrupted || intake.isEmpty && !workers.contains { $0.hasIntake })
  }

  /// How many initial samples each of the first workers executes: equal shares, of which some may be larger by one, and
  /// at most `intakeSize`.
  package static func shares(of count: Int, jobs: Int) -> [Int] {
    (0..<jobs).map { min(intakeSize, (count + jobs - 1 - $0) / jobs) }
  }

  private func launch(_ worker: FuzzWorker, samples: Int = intakeSize) throws(CommandError) {
    stream += 1
    let part = intake.prefix(samples)
    intake.removeFirst(part.count)
    let left = max(1, plan.duration - state.seconds)
    // The time after the initial samples. Workers that execute some end early, so that the next ones start from the
    // merged corpus.
    let seconds = min(left, part.isEmpty ? Self.workerSeconds : intake.isEmpty ? 2 : 0)
    let task = FuzzWorker.Task(
      intake: part[...], seconds: seconds, stream: stream, reported: reported,
      sendsSamples: oracle != nil)
    try worker.start(task, corpus: corpus, engines: engines, seed: state.seed, without: plan.without)
  }

  /// Waits up to 100 ms and handles the workers' messages.
  private func turn() throws(CommandError) {
    var descriptors = workers.flatMap(\.process.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    descriptors += oracle?.pollDescriptors ?? []
    poll(&descriptors, nfds_t(descriptors.count), 100)
    state.seconds = MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds)
    for worker in workers {
      try listen(to: worker)
      try watch(worker)
    }
    try consult()
    if let sync, !isOver { intake += try sync.turn(kept: kept, state) }
    if isSavingDue() {
      prune()
      try save(atEnd: false)
    }
    try display.update(state)
  }

  private func listen(to worker: FuzzWorker) throws(CommandError) {
    for message in worker.messages() {
      switch message {
      case .kept(let record):
        if !record.fingerprint.isEmpty { engines.sampleSigner.trust(record.fingerprint) }
        let sample = TestInput(file: record.sample, defaults: engines.sampleSigner.defaultContext)
        guard corpus.absorb(sample, record) else {
          // Another worker has just kept samples with the same features.
          redundant.append(SampleName.of(record.sample))
          continue
        }
        kept.insert(try folder.keep(record.sample))
        hasUnsynced = true
        state.lastNew = state.totalSeconds
      case .statistics(let statistics): state.statistics.add(statistics)
      case .finding(let record):
        if record.violation.kind == .memory { try replay(record) } else { try take(record) }
      case .examined(let examined): oracle?.ask(examined)
      case .taken(let index, let result): try note(worker.task.intake.dropFirst(index).first, result)
      case .found, .imported, .exchanged: break
      }
      state.corpus = corpus.entries.count
      state.features = corpus.featureCount
      state.edges = corpus.coverage.edgeCount
    }
  }

  private func note(_ sample: IntakeSample?, _ result: TakenResult) throws(CommandError) {
    if case .machine(let name)? = sample?.origin {
      try sync?.noteExecuted(name)
      return
    }
    if case .corpus(let name)? = sample?.origin, result == .covered { redundant.append(name) }
    state.corpusSeconds = state.seconds
  }

  /// Syncs kept samples to disk, then removes files of the corpus that add no feature. If the process is killed at any
  /// time, the folder still has a sample with each feature.
  private func prune() {
    if hasUnsynced { folder.sync() }
    hasUnsynced = false
    if !settings.usesCoverage || CoverageCounters.count > 0 { folder.prune(redundant.filter { !kept.contains($0) }) }
    redundant = []
  }

  private func consult() throws(CommandError) {
    guard let oracle else { return }
    for finding in try oracle.turn(reported: reported) {
      try take(finding.map { $0.file(defaults: engines.sampleSigner.defaultContext) })
    }
    for worker in workers { worker.slot.wantsMore = oracle.wantsMore }
    state.external = oracle.statistics
  }

  /// Replaces a worker that ended or exceeded its time limit.
  private func watch(_ worker: FuzzWorker) throws(CommandError) {
    if worker.isLate(timeout: Double(plan.timeout)) {
      worker.process.stop()
      try takeRest(of: worker)
      if worker.slot.state == .executing {
        let violation = Violation(.hang, "no result within the limit of processor time", "")
        try replay(FuzzFinding(violation, worker.slot.bytes))
      }
      try relaunch(worker)
      return
    }
    guard let end = worker.process.end() else { return }
    try takeRest(of: worker)
    if end.signal != 0 || end.code != 0 {
      if worker.slot.state == .executing {
        let report = CrashReport(end, words: worker.lastWords)
        var finding = FuzzFinding(report.violation, worker.slot.bytes)
        (finding.detail, finding.wasKilledExternally) = (report.detail, report.wasKilledExternally)
        try replay(finding)
      } else {
        state.restarts += 1
      }
      try relaunch(worker)
    } else {
      try launchIfNeeded(worker)
    }
  }

  private func launchIfNeeded(_ worker: FuzzWorker) throws(CommandError) {
    if !isOver || !isInterrupted && !intake.isEmpty { try launch(worker) }
  }

  /// Replaces a worker after an abnormal end. Other workers execute the rest of its initial samples.
  private func relaunch(_ worker: FuzzWorker) throws(CommandError) {
    for sample in worker.task.intake.prefix(worker.slot.executed).dropFirst(worker.taken) {
      if worker.slot.state != .idle {
        try note(sample, .violation)
      } else if case .machine(let name) = sample.origin {
        sync?.forget(name)
      }
    }
    // When the time is up, a worker that could not even begin, for example for lack of memory, is not replaced.
    let isVain = isOver && worker.slot.executed == 0
    intake = isVain ? [] : intake + worker.task.intake.dropFirst(worker.slot.executed)
    try launchIfNeeded(worker)
  }

  /// Replays a violation in processes of its own, and files it, unless its identity was reported.
  private func replay(_ found: FuzzFinding<[UInt8]>) throws(CommandError) {
    guard !reported.contains(found.violation.identity) else { return }
    try take(IsolatedTriage(engines: engines, timeout: plan.timeout).finding(of: found))
  }

  /// Files a finding. If the machine may be the cause, its identity is not recorded as reported, because a later
  /// finding with this identity may be reproducible.
  private func take(_ record: FuzzFinding<[UInt8]>) throws(CommandError) {
    if !record.mayBeMachineFault { reported.insert(record.violation.identity) }
    try note(record)
  }

  /// Handles the last messages of a worker that ended, and files the violation whose triage it did not finish.
  private func takeRest(of worker: FuzzWorker) throws(CommandError) {
    try listen(to: worker)
    worker.process.closeStreams()
    if let found = worker.takeUntriaged() { try take(found) }
  }
}
