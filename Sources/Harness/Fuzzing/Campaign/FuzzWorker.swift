import CExternals
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

  private(set) var process = assay_worker()
  let slot: WorkerSlot
  private var watchdog = Watchdog()
  private(set) var task = Task(seconds: 0, stream: 0)
  private var received: [UInt8] = []
  /// The end of what it wrote to its standard output and standard error.
  private(set) var lastWords: [UInt8] = []
  private(set) var isRunning = false

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
    switch assay_worker_fork(&process, 8 << 30) {
    case 1: isRunning = true
    case 0:
      // A termination of the whole group is the watching process's to act upon: here it would look like a crash.
      signal(SIGTERM, SIG_IGN)
      Self.work(task, corpus, engines, seed, without, slot, process.output)
      _exit(0)
    default: throw CommandError(.internalError, "a worker process could not be started.")
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
    func tell(_ message: WorkerMessage) { if Descriptor.write(message.octets, to: output) != 0 { _exit(0) } }
    func handle(_ outcome: FuzzLoop.Outcome) {
      // A pipe that nobody empties keeps a worker waiting, and the input has nothing to do with it.
      slot.begin(.idle)
      switch outcome {
      case .nothing: break
      case .kept(let kept): tell(.kept(WorkerMessage.KeptRecord(kept, usual: usual)))
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
    for octets in task.intake {
      handle(loop.take(TestInput(file: octets, usual: usual), willExamine: willExamine))
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

  var descriptors: [Int32] { isRunning ? [process.output, process.error] : [] }

  /// What it told since this was last asked.
  func messages() -> [WorkerMessage] {
    received += Self.read(process.output, limit: 8 << 20)
    lastWords = Array((lastWords + Self.read(process.error, limit: 1 << 20)).suffix(4_096))
    var messages: [WorkerMessage] = []
    while let message = WorkerMessage.take(from: &received) { messages.append(message) }
    return messages
  }

  /// Whether it has been at one input, or at the triage of one, for longer than it may.
  func isLate(timeout: Double) -> Bool {
    let seconds = watchdog.seconds(since: slot.begun, now: MonotonicClock.nanoseconds)
    switch slot.state {
    case .idle: return false
    case .executing: return isRunning && seconds > timeout
    case .triage: return isRunning && seconds > Self.triageSeconds
    }
  }

  private static let triageSeconds = 120.0

  /// How it ended: a signal or an exit code; nil as long as it runs.
  func end() -> (signal: Int32, code: Int32)? {
    var signal: Int32 = 0
    var code: Int32 = 0
    guard isRunning, assay_worker_has_ended(process.pid, &signal, &code) == 1 else { return nil }
    isRunning = false
    return (signal, code)
  }

  /// After its end, and after its last messages.
  func close() {
    Self.closeDescriptor(process.output)
    Self.closeDescriptor(process.error)
  }

  func kill() {
    guard isRunning else { return }
    assay_worker_kill(process.pid)
    isRunning = false
  }

  private static func closeDescriptor(_ descriptor: Int32) {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  private static func read(_ descriptor: Int32, limit: Int) -> [UInt8] {
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while octets.count < limit {
      let count = buffer.withUnsafeMutableBytes { buffer in
        #if canImport(Glibc)
          Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        #else
          Darwin.read(descriptor, buffer.baseAddress, buffer.count)
        #endif
      }
      guard count > 0 else { break }
      octets += buffer[..<count]
    }
    return octets
  }
}
