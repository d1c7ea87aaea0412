import HostIO
import Reports

/// The exchanges of a run with its sync folder.
///
/// A separate process makes each exchange, so that a file server that does not answer delays no worker. It writes the
/// heartbeat, publishes what the run has kept, and sends at most 1,000 samples of other runs. Workers execute these
/// like initial samples. No more are read until all were executed. Then their names are saved in the run's folder,
/// after the samples that were kept: a run that is killed reads a sample again rather than losing it. The first
/// exchange also publishes the corpus of the session before, because that may have been killed before it published.
final class SyncSession {
  private let plan: SyncPlan
  private let folder: SyncFolder
  private let run: RunFolder
  private let runID: String
  /// The names of the samples of earlier sessions, until they are published.
  private var resumed: Set<String>
  /// Names of samples that workers have executed.
  private var executed: Set<String>
  /// Names of samples that were read and not yet executed.
  private var pending: Set<String> = []
  private var process = WorkerProcess()
  private var received: [UInt8] = []
  private var begun: UInt64?
  /// The result of the last exchange.
  private var result = ExchangeResult()
  private static let batch = 1_000
  /// Seconds between two exchanges.
  private static let interval = 60.0
  private static let file = "imported.txt"
  /// How long a session waits at its end for a running exchange, and then for its last one, in seconds each.
  private static let lastSeconds = 60.0

  /// - Throws: `CommandError` if another run of this name is alive, or the folder cannot be written.
  init(_ plan: SyncPlan, _ run: RunFolder, runID: String, resumed: Set<String>) throws(CommandError) {
    self.plan = plan
    self.resumed = resumed
    self.run = run
    self.runID = runID
    folder = SyncFolder(path: plan.path)
    let names = run.exists(Self.file) ? try FileReader.corpusFile("\(run.path)/\(Self.file)", followsLinks: false) : []
    executed = Set(
      names.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        .filter { SampleName.isDigest($0) })
    try folder.prepare(plan.name, Heartbeat(of: nil, runID: runID))
  }

  /// Takes the name. The run's ID must be saved before: a run that is killed right afterwards needs it to resume.
  func claim() throws(CommandError) { try folder.claim(plan.name, Heartbeat(of: nil, runID: runID)) }

  /// Begins an exchange if one is due. Returns samples of other runs that have arrived.
  func turn(kept: Set<String>, _ state: FuzzState) throws(CommandError) -> [IntakeSample] {
    if process.isRunning { return receive() }
    guard !result.isNameLost else { return [] }
    let now = MonotonicClock.nanoseconds
    let hasMore = !result.isComplete && pending.isEmpty
    if let begun, !hasMore, MonotonicClock.seconds(from: begun, to: now) < Self.interval { return [] }
    begun = now
    start(kept: kept, Heartbeat(of: state, runID: runID), limit: pending.isEmpty ? Self.batch : 0)
    return []
  }

  /// Records that a worker has executed a sample.
  func noteExecuted(_ name: String) throws(CommandError) {
    guard pending.remove(name) != nil else { return }
    executed.insert(name)
    guard pending.isEmpty else { return }
    run.sync()
    try run.write(Array(executed.sorted().joined(separator: "\n").utf8), to: Self.file)
  }

  /// Forgets a sample whose worker ended before it reported a result, so that the sample is read again.
  func forget(_ name: String) { pending.remove(name) }

  /// Publishes the samples that the run has kept, and marks its heartbeat as the last.
  func finish(kept: Set<String>, _ state: FuzzState) throws(CommandError) {
    wait()
    guard !result.isNameLost else { return }
    start(kept: kept, Heartbeat(of: state, runID: runID, hasEnded: true), limit: 0)
    wait()
  }

  private func wait() {
    let start = MonotonicClock.nanoseconds
    while process.isRunning {
      guard MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) < Self.lastSeconds else {
        process.stop()
        process.closeStreams()
        return tell("\(plan.path) does not answer")
      }
      _ = receive()
      usleep(10_000)
    }
  }

  private func receive() -> [IntakeSample] {
    let end = process.end()
    received += process.readOutput()
    _ = process.readErrorOutput()
    var samples: [IntakeSample] = []
    var outcome: ExchangeResult?
    while let message = WorkerMessage.take(from: &received) {
      switch message {
      case .imported(let bytes):
        let name = SampleName.of(bytes)
        if pending.insert(name).inserted { samples.append(IntakeSample(bytes: bytes, origin: .machine(name: name))) }
      case .exchanged(let result): outcome = result
      default: break
      }
    }
    if end != nil { process.closeStreams() }
    if let outcome {
      if outcome.isNameLost {
        Console.remark("another run has taken the name \(plan.name); this one no longer exchanges samples.")
      } else if !outcome.problem.isEmpty {
        tell(outcome.problem)
      }
      if outcome.problem.isEmpty { resumed = [] }
      result = outcome
    }
    return samples
  }

  /// Prints a problem, unless it is the same as that of the last exchange.
  private func tell(_ problem: String) {
    if problem != result.problem { Console.remark("samples are not exchanged: \(Text.harmless(problem))") }
    result.problem = problem
  }

  private func start(kept: Set<String>, _ heartbeat: Heartbeat, limit: Int) {
    received = []
    result.isComplete = true
    let isStarted = process.start { output in
      let result = self.exchange(kept.union(resumed), heartbeat, limit: limit) { sample in
        if Descriptor.write(WorkerMessage.imported(sample).line, to: output) != 0 { _exit(0) }
      }
      _ = Descriptor.write(WorkerMessage.exchanged(result).line, to: output)
    }
    if !isStarted { tell("no process could be started") }
  }

  // MARK: In the process of an exchange

  private func exchange(
    _ kept: Set<String>, _ heartbeat: Heartbeat, limit: Int, _ send: ([UInt8]) -> Void
  ) -> ExchangeResult {
    var result = ExchangeResult()
    do throws(CommandError) {
      if let other = folder.heartbeat(of: plan.name), other.keepsName(from: heartbeat) {
        result.isNameLost = true
        return result
      }
      // The last heartbeat is written after everything else.
      if !heartbeat.hasEnded { try folder.write(heartbeat, of: plan.name) }
      let corpus = "\(run.path)/corpus"
      try folder.publish(kept, of: plan.name, from: corpus)
      if limit > 0 {
        result.isComplete = try folder.read(
          for: plan.name, limit: limit,
          isKnown: { executed.contains($0) || kept.contains($0) || FileWriter.exists("\(corpus)/\($0)") }, send)
      }
      if heartbeat.hasEnded { try folder.write(heartbeat, of: plan.name) }
    } catch {
      result.problem = error.message
    }
    return result
  }
}
