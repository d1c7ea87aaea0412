import Descriptions
import FastDecryption
import HostIO
import PaymentToken
import Reports

/// Decrypts many requests on several threads, and writes a result for each, in their order.
///
/// Each thread takes a batch from the input, decides it, and writes its results after those of the earlier batches
/// (`OrderedThreads`). Memory holds one batch per thread, however long the input is.
package struct BulkDecryption: Sendable {
  /// What decides requests.
  package enum Decider: Sendable {
    /// The fast engine, for a whole batch.
    case batches(FastDecryptor, VerificationPolicy)
    /// A function that decides one request at the given time.
    case singly(@Sendable ([UInt8], UnixTime) -> DecryptOutcome)
  }

  let decider: Decider
  /// Whether tokens are verified as of their own signing time.
  let isArchival: Bool
  /// Returns the verification time. It is called once for each batch, because the input may arrive over days.
  let clock: @Sendable () -> UnixTime
  let makeWriter: @Sendable () -> ResultWriter

  package init(
    _ decider: Decider, isArchival: Bool, clock: @escaping @Sendable () -> UnixTime,
    makeWriter: @escaping @Sendable () -> ResultWriter
  ) {
    self.decider = decider
    self.isArchival = isArchival
    self.clock = clock
    self.makeWriter = makeWriter
  }

  /// Decides the whole input, unless `stop` is raised.
  ///
  /// - Parameters:
  ///   - jobs: the number of threads.
  ///   - header: what is written before the first result.
  /// - Returns: the counts of the results that were written, and the failure of the input or the output, if any.
  /// - Throws: `CommandError` if the header cannot be written, or there is no memory for the engine's buffers.
  package func run(
    _ source: any RequestSource, jobs: Int, stop: StopSignal, header: String?, progress: ProgressLine
  ) throws(CommandError) -> (summary: BulkSummary, failure: CommandError?) {
    if let header { try Console.answer(Array(header.utf8)) }
    let state = BulkState(source, stop, progress)
    let hasWorked = OrderedThreads.run(jobs, stop: stop) { BulkWorker(self, state) }
    progress.finish()
    guard hasWorked else { throw CommandError(.noAnswer, "there is no memory for the engine's buffers.") }
    return (state.summary, state.failure)
  }
}

/// What the threads share.
///
/// `@unchecked Sendable`: one thread at a time uses the input, and one the output (`OrderedThreads`). `failure` and
/// `summary` are read after the threads have ended.
final class BulkState: @unchecked Sendable {
  private let source: any RequestSource
  private let stop: StopSignal
  private let progress: ProgressLine
  private var inputFailure: CommandError?
  private var outputFailure: CommandError?
  private(set) var summary = BulkSummary()

  var failure: CommandError? { outputFailure ?? inputFailure }

  init(_ source: any RequestSource, _ stop: StopSignal, _ progress: ProgressLine) {
    self.source = source
    self.stop = stop
    self.progress = progress
  }

  /// Fills an empty batch; false at the end.
  func take(_ batch: inout RequestBatch) -> Bool {
    guard inputFailure == nil, !stop.isRaised else { return false }
    do {
      try source.fill(&batch)
    } catch {
      inputFailure = error
    }
    batch.fraction = source.fraction
    return batch.count > 0
  }

  /// Writes the results of a batch; false if that failed.
  func deliver(_ lines: [UInt8], _ counts: BulkSummary, fraction: Double?) -> Bool {
    do throws(CommandError) {
      try Console.answer(lines)
    } catch {
      outputFailure = error
      return false
    }
    summary.add(counts)
    progress.show { summary.progress(fraction: fraction) }
    return true
  }
}

/// The work of one thread.
final class BulkWorker: OrderedWorker {
  private let task: BulkDecryption
  private let state: BulkState
  private var workspace: BatchWorkspace
  private var writer: ResultWriter
  private var batch = RequestBatch()
  private var counts = BulkSummary()

  init?(_ task: BulkDecryption, _ state: BulkState) {
    guard let workspace = BatchWorkspace() else { return nil }
    self.task = task
    self.state = state
    self.workspace = workspace
    writer = task.makeWriter()
  }

  /// Wipes results that were not delivered because the output failed.
  deinit { writer.wipe() }

  func take() -> Bool {
    batch.removeAll()
    return state.take(&batch)
  }

  func work() {
    counts = BulkSummary()
    let now = task.clock()
    switch task.decider {
    case .batches(let engine, let policy): decide(by: engine, at: now, under: policy)
    case .singly(let decide):
      for index in batch.requests.indices { add(unread(index) ?? decide(batch.requests[index], now), at: index) }
    }
  }

  func deliver() -> Bool {
    defer { writer.wipe() }
    return state.deliver(writer.bytes, counts, fraction: batch.fraction)
  }

  private func decide(by engine: FastDecryptor, at now: UnixTime, under policy: VerificationPolicy) {
    let isArchival = task.isArchival
    engine.decryptBatch(
      batch.requests, at: now, under: policy, in: &workspace,
      opened: { index, token throws(TokenFault) in
        try writer.add(token, archival: isArchival, at: batch.places[index])
        counts.recordAccepted()
      },
      refused: { index, fault in add(unread(index) ?? DecryptOutcome(fault), at: index) })
  }

  /// The outcome of a request that could not be read; nil for one that was.
  private func unread(_ index: Int) -> DecryptOutcome? { batch.unreadable[index].map { .undecided(nil, $0) } }

  private func add(_ outcome: DecryptOutcome, at index: Int) {
    writer.add(outcome, at: batch.places[index])
    counts.record(outcome, at: batch.places[index])
  }
}
