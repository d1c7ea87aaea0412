import HostIO
import TestCases

/// A sample that a worker executes before it mutates any.
struct IntakeSample: Sendable {
  enum Origin: Sendable {
    case seed
    /// A file of the run's corpus that is named by its digest.
    case corpus(name: String)
    /// Another run in the sync folder.
    case machine(name: String)
  }

  /// The contents of its file.
  let bytes: [UInt8]
  var origin = Origin.seed
}

/// A forked copy of this process that runs the loop for a while. A crash ends only the copy.
final class FuzzWorker {
  /// The work of one copy.
  struct Task {
    /// Samples to execute first.
    var intake: ArraySlice<IntakeSample> = []
    /// How long it mutates samples after that, in seconds.
    let seconds: Double
    /// The number of the random stream.
    let stream: UInt64
    /// Identities of findings that were reported, and are not reported again.
    var reported: Set<String> = []
    /// Whether to send samples for an external program.
    var sendsSamples = false
    /// Whether violations are minimized and sent as findings.
    var sendsFindings = true
  }

  var process = WorkerProcess()
  let slot: WorkerSlot
  private var watchdog = Watchdog()
  private(set) var task = Task(seconds: 0, stream: 0)
  private var received: [UInt8] = []
  /// A violation whose triage has not ended.
  private var untriaged: FuzzFinding<[UInt8]>?
  /// The number of initial samples whose result has arrived.
  private(set) var taken = 0
  /// The last 4 KiB of its standard output and standard error.
  private(set) var lastWords: [UInt8] = []

  init?() {
    guard let slot = WorkerSlot() else { return nil }
    self.slot = slot
  }

  /// Forks; the copy works, reports and exits.
  func start(_ task: Task, corpus: LoopCorpus, engines: FuzzEngines, seed: UInt64, without: Set<String>)
    throws(CommandError)
  {
    self.task = task
    received = []
    taken = 0
    lastWords = []
    slot.begin(.idle)
    slot.executed = 0
    guard process.start({ Self.work(task, corpus, engines, seed, without, slot, $0) }) else {
      throw CommandError(
        .noAnswer, "a worker process could not be started: allow more processes and open files (ulimit -u, -n).")
    }
  }

  // MARK: In the worker process

  private static func work(
    _ task: Task, _ corpus: LoopCorpus, _ engines: FuzzEngines, _ seed: UInt64, _ without: Set<String>,
    _ slot: WorkerSlot, _ output: Int32
  ) {
    let defaults = engines.sampleSigner.defaultContext
    var loop = FuzzLoop(
      corpus: corpus, engines: engines, seed: seed, stream: task.stream, excluding: without)
    var reported = task.reported
    var lastReport = MonotonicClock.nanoseconds
    func send(_ message: WorkerMessage) { if Descriptor.write(message.line, to: output) != 0 { _exit(0) } }
    func sendExamined(_ outcome: FuzzLoop.Outcome) {
      let isKept = if case .kept = outcome { true } else { false }
      guard isKept || slot.wantsMore, let examined = loop.lastExamined else { return }
      let file = examined.sample.file(defaults: defaults)
      // The verdict holds only for exactly this context.
      guard TestInput(file: file, defaults: defaults) == examined.sample else { return }
      send(
        .examined(
          ExaminedSample(
            sample: file, mutations: examined.mutations, verdict: examined.verdict,
            isSigned: engines.sampleSigner.hasSignedContent(examined.sample, examined.verdict))))
    }
    func handle(_ outcome: FuzzLoop.Outcome) {
      // Writing to a full pipe blocks; that time must not count against the input.
      slot.begin(.idle)
      if task.sendsSamples { sendExamined(outcome) }
      switch outcome {
      case .nothing, .covered: break
      case .kept(let kept): send(.kept(kept))
      case .found(let found):
        guard task.sendsFindings, reported.insert(found.violation.identity).inserted else { return }
        let record = FuzzFinding(found.violation, found.sample, mutations: found.mutations)
          .map { $0.file(defaults: defaults) }
        // This process has already grown: the parent process replays it (`IsolatedTriage`).
        if found.violation.kind == .memory { return send(.finding(record)) }
        send(.found(record))
        slot.begin(.triage)
        send(.finding(Triage(loop).finding(of: found).map { $0.file(defaults: defaults) }))
      }
    }
    func report(_ now: UInt64) {
      lastReport = now
      send(.statistics(loop.takeStatistics()))
    }
    let willExamine = { (sample: TestInput) in slot.begin(.executing, sample.file(defaults: defaults)) }
    for (index, sample) in task.intake.enumerated() {
      let outcome = loop.take(TestInput(file: sample.bytes, defaults: defaults), willExamine: willExamine)
      handle(outcome)
      send(.taken(index, TakenResult(outcome)))
      let now = MonotonicClock.nanoseconds
      if MonotonicClock.seconds(from: lastReport, to: now) >= 1 { report(now) }
    }
    // Wait: another worker may keep the first sample, with which the next worker starts.
    if loop.corpus.entries.isEmpty, task.seconds > 0 { usleep(100_000) }
    let start = MonotonicClock.nanoseconds
    while !loop.corpus.entries.isEmpty {
      let now = MonotonicClock.nanoseconds
      if MonotonicClock.seconds(from: start, to: now) >= task.seconds { break }
      if MonotonicClock.seconds(from: lastReport, to: now) >= 1 { report(now) }
      do {
        handle(try loop.step(willExamine: willExamine))
      } catch {
        // A library call failed for lack of memory: the next worker starts with a fresh heap.
        break
      }
      slot.begin(.idle)
    }
    report(MonotonicClock.nanoseconds)
  }

  // MARK: In the parent process

  /// Whether it runs, and was started with initial samples.
  var hasIntake: Bool { process.isRunning && !task.intake.isEmpty }

  /// The messages received since the last call.
  func messages() -> [WorkerMessage] {
    received += process.readOutput()
    lastWords = (lastWords + process.readErrorOutput()).suffix(4_096)
    var messages: [WorkerMessage] = []
    while let message = WorkerMessage.take(from: &received) {
      switch message {
      case .taken: taken += 1
      case .found(let record): untriaged = record
      case .finding: untriaged = nil
      default: break
      }
      messages.append(message)
    }
    return messages
  }

  /// Whether it has exceeded the time limit of one input, or of the triage of one.
  func isLate(timeout: Double) -> Bool {
    let seconds = watchdog.seconds(
      since: slot.begun, now: MonotonicClock.nanoseconds, processorTime: process.processorTime)
    switch slot.state {
    case .idle: return false
    case .executing: return process.isRunning && seconds > timeout
    case .triage: return process.isRunning && seconds > Self.triageSeconds
    }
  }

  private static let triageSeconds = 120.0

  /// The violation in whose triage it ended, as it was found.
  func takeUntriaged() -> FuzzFinding<[UInt8]>? {
    defer { untriaged = nil }
    return untriaged
  }
}
