import CExternals
import HostIO
import Reports
import StrictJSON

/// Copies samples that have new features into a folder.
///
/// Samples are executed from the smallest to the largest, after those that the folder has already. In each round every
/// worker process executes a batch, and reports the samples with features that are new to it; they are then kept in
/// the order of their sizes if they still add something. So the result does not depend on the number of workers, and
/// each feature is kept with the smallest sample that has it. A sample that ends its worker is reported, and the worker
/// is replaced. Memory holds the names of all files, the features, and one round of samples.
///
/// Kept files are named by their contents. A merge that was killed is continued by the same command: what it kept is
/// the beginning of what it would have kept.
package struct CorpusMerge {
  private let engines: FuzzEngines
  private let workers: [FuzzWorker]
  private let folder: String
  private var features = LoopCorpus()
  private var present: Set<String> = []
  private var report = MergeReport()
  private static let batchCount = 1_000
  private static let batchBytes = 16 << 20
  /// The limit of processor time for one sample, in seconds.
  private static let timeout = 10.0

  private struct Batch {
    var candidates: [SampleSources.Candidate] = []
    var samples: [IntakeSample] = []
    var bytes = 0

    var isFull: Bool { samples.count >= batchCount || bytes >= batchBytes }
  }

  /// - Parameters:
  ///   - into: the folder for the kept samples, which is made if necessary, or that of a run. It is locked until this
  ///     process ends.
  ///   - jobs: how many worker processes.
  package init(into: String, jobs: Int, engines: FuzzEngines) throws(CommandError) {
    self.engines = engines
    folder = try Self.locked(into)
    var workers: [FuzzWorker] = []
    for _ in 0..<jobs {
      guard let worker = FuzzWorker() else { throw CommandError(.internalError, "no shared memory is available.") }
      workers.append(worker)
    }
    self.workers = workers
  }

  /// Locks the folder, and removes what an earlier merge left half written. Returns the folder of the samples.
  private static func locked(_ into: String) throws(CommandError) -> String {
    let isCorpus = into.split(separator: "/").last == "corpus"
    for run in [into, "\(into)/.."] where SampleSources.isRun(run) && (run == into || isCorpus) {
      return try "\(RunFolder(making: run).path)/corpus"
    }
    try FileWriter.makeFolder(into, visibility: .everyone)
    let descriptor = open(into, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let failure = descriptor < 0 ? errno : assay_lock_file(descriptor)
    if failure == EWOULDBLOCK {
      throw CommandError(.noAnswer, "another merge is writing to \(Text.harmless(into)).")
    }
    // Where folders cannot be locked, as on some file servers, files that another merge is writing must stay.
    if failure == 0 { try FileWriter.removeTemporaryFiles(in: into) }
    return into
  }

  /// - Parameter paths: the folders with samples.
  package mutating func run(_ paths: [String], progress: ProgressLine) throws(CommandError) -> MergeReport {
    for path in paths { try Self.refuseOtherTarget(path) }
    report.sources = paths.map { MergeReport.Source(path: $0) }
    var own = try SampleSources([folder])
    try execute(&own, into: nil, "reading \(folder)", progress)
    report.before = present.count
    var sources = try SampleSources(paths)
    for (source, path) in paths.enumerated() where !sources.candidates.contains(where: { $0.source == source }) {
      throw CommandError(.noAnswer, "there are no samples in \(Text.harmless(path)).")
    }
    try execute(&sources, into: folder, "merging", progress)
    progress.finish()
    report.samples = present.count
    report.features = features.featureCount
    report.edges = features.coverage.edgeCount
    report.skipped = sources.skipped
    return report
  }

  /// Refuses a run over single layers, whose samples are no requests.
  private static func refuseOtherTarget(_ path: String) throws(CommandError) {
    guard let document = (try? RunFolder(path: path))?.document("settings.json"),
      let target = document["target"]?.string.flatMap(FuzzTarget.init(rawValue:)), !target.runsInLoop
    else { return }
    throw CommandError(
      .noAnswer,
      "\(Text.harmless(path)) is a run of --target \(target.rawValue), whose samples are no requests: "
        + "libFuzzer merges them (\(LibFuzzerBuild(target: target).program) -merge=1 INTO FROM).")
  }

  private mutating func execute(
    _ sources: inout SampleSources, into folder: String?, _ phase: String, _ progress: ProgressLine
  ) throws(CommandError) {
    let total = sources.candidates.count
    var next = 0
    while next < total {
      var batches: [Batch] = []
      while batches.count < workers.count, next < total {
        var batch = Batch()
        while !batch.isFull, next < total {
          let candidate = sources.candidates[next]
          // The sample was executed before, or is the same as the previous candidate.
          let isKnown =
            folder != nil && SampleName.isDigest(candidate.name)
            && (present.contains(candidate.name) || next > 0 && sources.candidates[next - 1].name == candidate.name)
          next += 1
          if folder != nil { report.sources[candidate.source].samples += 1 }
          guard !isKnown, let bytes = sources.read(candidate) else { continue }
          if folder == nil { present.insert(candidate.name) }
          batch.candidates.append(candidate)
          batch.samples.append(IntakeSample(bytes: bytes))
          batch.bytes += bytes.count
        }
        batches.append(batch)
      }
      try finishRound(batches, sources, into: folder)
      progress.show(phase, fraction: Double(next) / Double(total))
    }
  }

  /// Executes a batch in each worker, then keeps what adds features.
  private mutating func finishRound(
    _ batches: [Batch], _ sources: SampleSources, into folder: String?
  ) throws(CommandError) {
    var executions = zip(workers, batches).map { BatchExecution($0, $1.samples) }
    for index in executions.indices { try executions[index].start(features, engines) }
    while executions.contains(where: { !$0.isOver }) {
      var descriptors = workers.flatMap(\.process.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&descriptors, nfds_t(descriptors.count), 100)
      for index in executions.indices where !executions[index].isOver {
        try executions[index].turn(timeout: Self.timeout, features, engines)
      }
    }
    for (batch, execution) in zip(batches, executions) {
      for failure in execution.failures {
        report.failures.append((failure.kind, sources.path(of: batch.candidates[failure.index])))
      }
      for (index, kept) in execution.kept where features.learn(kept.features, kept.coverage) {
        guard let folder else { continue }
        let name = SampleName.of(kept.sample)
        guard present.insert(name).inserted else { continue }
        try FileWriter.write(kept.sample, to: "\(folder)/\(name)", visibility: .everyone, replacing: true)
        report.sources[batch.candidates[index].source].kept += 1
      }
    }
  }
}

/// A batch of samples in a worker, and in its replacements after samples that end it.
private struct BatchExecution {
  private let worker: FuzzWorker
  private let samples: [IntakeSample]
  /// The index of the first sample of the worker's task.
  private var first = 0
  private(set) var isOver = false
  private(set) var kept: [(index: Int, FuzzLoop.Kept)] = []
  private(set) var failures: [(kind: MergeReport.Failure, index: Int)] = []
  /// How often a worker ended before it executed a sample.
  private var vainStarts = 0
  private var last: FuzzLoop.Kept?

  init(_ worker: FuzzWorker, _ samples: [IntakeSample]) {
    self.worker = worker
    self.samples = samples
  }

  mutating func start(_ corpus: LoopCorpus, _ engines: FuzzEngines) throws(CommandError) {
    isOver = first == samples.count
    guard !isOver else { return }
    let task = FuzzWorker.Task(intake: samples[first...], seconds: 0, stream: 0, sendsFindings: false)
    try worker.start(task, corpus: corpus, engines: engines, seed: 0, without: [])
  }

  /// Handles the worker's messages, and replaces it if a sample ended it.
  mutating func turn(timeout: Double, _ corpus: LoopCorpus, _ engines: FuzzEngines) throws(CommandError) {
    listen()
    let isLate = worker.isLate(timeout: timeout)
    if isLate { worker.process.stop() }
    let end = isLate ? (SIGKILL, 0) : worker.process.end()
    guard let end else { return }
    listen()
    worker.process.closeStreams()
    first += worker.taken
    if end == (0, 0) {
      isOver = true
      return
    }
    // The cause is the sample that the worker was executing, or had just executed.
    if first < samples.count, worker.slot.executed > worker.taken {
      failures.append((isLate ? .hang : .crash, first))
      first += 1
    } else if worker.taken == 0 {
      vainStarts += 1
      guard vainStarts < 10 else {
        throw CommandError(
          .noAnswer, "worker processes end before they execute a sample: allow more memory (ulimit -v).")
      }
    }
    try start(corpus, engines)
  }

  private mutating func listen() {
    for message in worker.messages() {
      switch message {
      case .kept(let record): last = record
      case .taken(let index, let result):
        if result == .kept, let last { kept.append((first + index, last)) }
        if result == .violation { failures.append((.violation, first + index)) }
      default: break
      }
    }
  }
}

/// What a merge did.
package struct MergeReport {
  package struct Source {
    let path: String
    var samples = 0
    var kept = 0
  }

  /// Why a sample is reported.
  enum Failure: String {
    case crash, hang, violation
  }

  var sources: [Source] = []
  /// Samples in the folder before and after.
  var before = 0
  var samples = 0
  var features = 0
  var edges = 0
  var skipped = 0
  var failures: [(kind: Failure, path: String)] = []

  /// Whether a sample crashed the engines, exceeded the time limit, or violates a property.
  package var hasFailures: Bool { !failures.isEmpty }

  /// The document `assay.fuzz-merge/1`.
  package var json: JSON {
    [
      "schema": "assay.fuzz-merge/1",
      "sources": sources.map { JSON(["dir": $0.path, "samples": $0.samples, "kept": $0.kept]) },
      "before": before, "samples": samples, "features": features, "edges": edges,
      "skipped": skipped,
      "failures": failures.map { JSON(["kind": $0.kind.rawValue, "sample": $0.path]) },
    ]
  }

  /// Lines for people.
  package func text(into folder: String) -> String {
    let rows = sources.map { [Text.harmless($0.path), "\($0.samples)", "\($0.kept)"] }
    var lines = Text.table(header: ["from", "samples", "kept"], rows: rows)
    let edges = edges > 0 ? ", \(edges) edges" : ""
    lines.append(
      "\(Text.harmless(folder)) has \(Text.counted(samples, "sample")), \(before) before, with "
        + "\(Text.counted(features, "feature"))\(edges)")
    if skipped > 0 {
      lines.append("skipped: " + Text.counted(skipped, "file that is no sample", "files that are no samples"))
    }
    lines += failures.map { "\($0.kind.rawValue): " + Text.unbroken("assay fuzz replay \(ShellWord.quoted($0.path))") }
    return lines.joined(separator: "\n") + "\n"
  }
}
