import HostIO
import TestCases

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A copy of this process that runs the loop for a while, and may end by what it finds.
final class FuzzWorker {
  /// What one copy does before it ends.
  struct Task {
    /// Samples to take in first, as files.
    var intake: ArraySlice<[UInt8]> = []
    let seconds: Double
    /// The random choices' stream.
    let stream: UInt64
    /// Findings that are known: only counted.
    var known: Set<String> = []
  }

  private var process = WorkerProcess()
  let slot: WorkerSlot
  private var watchdog = Watchdog()
  private(set) var task = Task(seconds: 0, stream: 0)
  private var received: [UInt8] = []
  /// The end of what it wrote to its standard output and standard error.
  private(set) var lastWords: [UInt8] = []

  init?() {
    guard let slot = WorkerSlot() else { return nil }
    self.slot = slot
  }

  /// Forks; in the copy this does not return.
  func start(_ task: Task, corpus: LoopCorpus, engines: FuzzEngines, seed: UInt64, without: Set<String>)
    throws(CommandError)
  {
    self.task = task
    received = []
    lastWords = []
    slot.begin(.idle)
    guard process.start({ Self.work(task, corpus, engines, seed, without, slot, $0) }) else {
      throw CommandError(.internalError, "a worker process could not be started.")
    }
  }

  // MARK: In the copy

  private static func work(
    _ task: Task, _ corpus: LoopCorpus, _ engines: FuzzEngines, _ seed: UInt64, _ without: Set<String>,
    _ slot: WorkerSlot, _ output: Int32
  ) {
    let usual = engines.workshop.usual
    var loop = FuzzLoop(
      corpus: corpus, workshop: engines.workshop, engines: engines.pair, seed: seed, stream: task.stream,
      excluding: without, account: engines.account)
    var known = task.known
    let start = MonotonicClock.nanoseconds
    var reported = start
    func tell(_ message: WorkerMessage) { if Descriptor.write(message.bytes, to: output) != 0 { _exit(0) } }
    func handle(_ outcome: FuzzLoop.Outcome) {
      // A pipe that nobody empties keeps a worker waiting, and the input has nothing to do with it.
      slot.begin(.idle)
      switch outcome {
      case .nothing: break
      case .kept(let kept): tell(.kept(kept.with(kept.sample.file(usual: usual))))
      case .found(let found):
        guard known.insert(found.violation.identity).inserted else { return }
        slot.begin(.triage)
        tell(.finding(WorkerMessage.FindingRecord(Triage(loop).finding(of: found), usual: usual)))
      }
    }
    func report(_ now: UInt64) {
      reported = now
      tell(.statistics(loop.takeStatistics()))
    }
    let willExamine = { (sample: TestInput) in slot.begin(.executing, sample.file(usual: usual)) }
    for bytes in task.intake {
      handle(loop.take(TestInput(file: bytes, usual: usual), willExamine: willExamine))
      let now = MonotonicClock.nanoseconds
      if MonotonicClock.seconds(from: reported, to: now) >= 1 { report(now) }
    }
    while true {
      let now = MonotonicClock.nanoseconds
      if MonotonicClock.seconds(from: start, to: now) >= task.seconds { break }
      if MonotonicClock.seconds(from: reported, to: now) >= 1 { report(now) }
      do {
        handle(try loop.step(willExamine: willExamine))
      } catch {
        // A library call of the minter failed: memory. The next copy starts afresh.
        break
      }
      slot.begin(.idle)
    }
    report(MonotonicClock.nanoseconds)
  }

  // MARK: In the process that watches

  var descriptors: [Int32] { process.descriptors }

  /// What it told since this was last asked.
  func messages() -> [WorkerMessage] {
    received += process.told()
    lastWords = (lastWords + process.written()).suffix(4_096)
    var messages: [WorkerMessage] = []
    while let message = WorkerMessage.take(from: &received) { messages.append(message) }
    return messages
  }

  /// Whether it has been at one input, or at the triage of one, for longer than it may.
  func isLate(timeout: Double) -> Bool {
    let seconds = watchdog.seconds(since: slot.begun, now: MonotonicClock.nanoseconds)
    switch slot.state {
    case .idle: return false
    case .executing: return process.isRunning && seconds > timeout
    case .triage: return process.isRunning && seconds > Self.triageSeconds
    }
  }

  private static let triageSeconds = 120.0

  /// How it ended: a signal or an exit code; nil as long as it runs.
  func end() -> (signal: Int32, code: Int32)? { process.end() }

  /// After its end, and after its last messages.
  func close() { process.closeStreams() }

  /// Ends it at once.
  func kill() { process.stop() }
}
