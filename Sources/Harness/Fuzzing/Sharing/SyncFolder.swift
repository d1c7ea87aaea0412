import Gateways
import HostIO
import PaymentToken
import Reports
import StrictJSON

/// Where and under which name a run exchanges samples.
package struct SyncPlan: Sendable {
  package let path: String
  /// The name of the run's folder in it.
  package let name: String

  package init(path: String, name: String) {
    self.path = path
    self.name = name
  }

  /// Whether a run's folder may have this name: at most 64 letters, digits, `.`, `_` and `-`, and no dot at the start.
  package static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix(".") && name.utf8.allSatisfy { isPlain($0) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "._-".utf8.contains(byte) }

  /// The name of this machine and the last part of the path of the run's folder.
  package static func defaultName(runFolder: String) -> String {
    let last = runFolder.split(separator: "/").last { $0 != "." && $0 != ".." } ?? "run"
    let name = "\(hostName)-\(last)".utf8.map { isPlain($0) ? Character(Unicode.Scalar($0)) : "-" }
    return String(String(name).drop { $0 == "." }.prefix(64))
  }

  static var hostName: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, gethostname(start, 255) == 0 else { return "host" }
      buffer[255] = 0
      return String(cString: start)
    }
  }
}

/// A folder in which runs on several machines exchange samples: on a file server, or mirrored in both directions by a
/// program like rsync.
///
/// Each run writes only to its own folder there: `NAME/heartbeat.json` and `NAME/corpus/`, whose files are named by
/// their contents. So no file has two writers, a sample's file never changes, and one that was copied in part is
/// recognized by its name and read again later. Links are never followed. Other files in the folder are ignored.
package struct SyncFolder {
  package let path: String

  package init(path: String) {
    self.path = path
  }

  /// The names of the runs that have a folder here.
  package func runs() throws(CommandError) -> [String] {
    try FolderWalk.names(in: path).filter { SyncPlan.isName($0) && FolderWalk.entry(at: "\(path)/\($0)") == .folder }
  }

  /// Whether a run has ever written here.
  package static func isSyncFolder(_ path: String) -> Bool {
    let runs = (try? SyncFolder(path: path).runs()) ?? []
    return runs.contains { FolderWalk.entry(at: "\(path)/\($0)/heartbeat.json") != nil }
  }

  // MARK: Heartbeats

  /// The last heartbeat of a run; nil if there is none that can be read.
  package func heartbeat(of run: String) -> Heartbeat? {
    let file = "\(path)/\(run)/heartbeat.json"
    guard let bytes = try? FileReader.corpusFile(file, followsLinks: false, limit: 1 << 16),
      let document = try? JSON(reading: bytes.span)
    else { return nil }
    return Heartbeat(document)
  }

  /// Makes the folder of a run, without taking its name.
  ///
  /// - Throws: `CommandError` if another run of this name is alive.
  package func prepare(_ run: String, _ heartbeat: Heartbeat) throws(CommandError) {
    for folder in ["\(path)/\(run)", "\(path)/\(run)/corpus"] {
      try FileWriter.makeFolder(folder, visibility: .everyone)
      try FolderWalk.refuseLink(folder)
    }
    try refuseOther(run, than: heartbeat)
  }

  /// Takes a name for a run, and removes what an earlier process of the run left half written.
  ///
  /// - Throws: `CommandError` if another run of this name is alive.
  package func claim(_ run: String, _ heartbeat: Heartbeat) throws(CommandError) {
    try prepare(run, heartbeat)
    let own = "\(path)/\(run)"
    let isNew = FolderWalk.entry(at: "\(own)/heartbeat.json") == nil
    do throws(CommandError) {
      // If two runs see no heartbeat, only one of them can create it.
      try write(heartbeat, of: run, replacing: !isNew)
    } catch {
      try refuseOther(run, than: heartbeat)
      throw error
    }
    for folder in [own, "\(own)/corpus"] { try FileWriter.removeTemporaryFiles(in: folder) }
  }

  private func refuseOther(_ run: String, than heartbeat: Heartbeat) throws(CommandError) {
    guard let other = self.heartbeat(of: run), other.keepsName(from: heartbeat) else { return }
    throw CommandError(
      .noAnswer,
      "another run is named \(run) in \(Text.harmless(path)): process \(other.process) on "
        + "\(Text.harmless(other.host)), last seen \(other.age(at: heartbeat.time)) s ago; "
        + "--name gives this one another name.")
  }

  func write(_ heartbeat: Heartbeat, of run: String, replacing: Bool = true) throws(CommandError) {
    try FileWriter.write(
      Array((heartbeat.document.text + "\n").utf8), to: "\(path)/\(run)/heartbeat.json", visibility: .everyone,
      replacing: replacing)
  }

  // MARK: Samples

  /// The names of the samples of a run, without those that are being written.
  package func samples(of run: String) -> [String] {
    guard FolderWalk.entry(at: "\(path)/\(run)/corpus") == .folder else { return [] }
    return ((try? FolderWalk.names(in: "\(path)/\(run)/corpus")) ?? []).filter { SampleName.isDigest($0) }
  }

  /// A sample of a run; nil if it cannot be read, or has not arrived in full.
  package func sample(_ name: String, of run: String) -> [UInt8]? {
    guard
      let bytes = try? FileReader.corpusFile(
        "\(path)/\(run)/corpus/\(name)", followsLinks: false, limit: FileReader.sampleLimit),
      !SampleName.isDamaged(bytes, named: name)
    else { return nil }
    return bytes
  }

  /// Copies samples from a run's corpus to its folder here. Samples that any folder here has already are skipped.
  ///
  /// - Parameter folder: the run's corpus.
  package func publish(_ names: some Sequence<String>, of run: String, from folder: String) throws(CommandError) {
    var present: Set<String> = []
    for other in try runs() { present.formUnion(samples(of: other)) }
    for name in names.sorted() where !present.contains(name) {
      // A sample may have been removed since.
      guard
        let bytes = try? FileReader.corpusFile("\(folder)/\(name)", followsLinks: false, limit: FileReader.sampleLimit),
        SampleName.of(bytes) == name
      else { continue }
      try FileWriter.write(bytes, to: "\(path)/\(run)/corpus/\(name)", visibility: .everyone, replacing: true)
    }
  }

  /// Reads samples of other runs that this one has not executed.
  ///
  /// - Parameters:
  ///   - isKnown: whether the run has executed the sample with a name.
  ///   - limit: the largest number of samples.
  /// - Returns: false if there may be more such samples than `limit`. Unreadable ones are skipped.
  package func read(
    for run: String, limit: Int, isKnown: (String) -> Bool, _ receive: ([UInt8]) -> Void
  ) throws(CommandError) -> Bool {
    var read: Set<String> = []
    for other in try runs() where other != run {
      for name in samples(of: other) where !read.contains(name) && !isKnown(name) {
        guard read.count < limit else { return false }
        guard let bytes = sample(name, of: other) else { continue }
        read.insert(name)
        receive(bytes)
      }
    }
    return true
  }
}

// In Heartbeat, `time` is a property and hides the C function.
private func secondsSinceEpoch() -> Int64 { Int64(time(nil)) }

/// What a run in a sync folder says of itself at each exchange: `NAME/heartbeat.json`, `assay.fuzz-heartbeat/1`.
package struct Heartbeat: Equatable, Sendable {
  package let host: String
  package let process: Int
  package let time: UnixTime
  package let runID: String
  /// Whether the run has ended, so that another may take its name.
  package var hasEnded = false
  package var executions = 0
  package var rate = 0.0
  package var samples = 0
  package var features = 0
  package var findings = 0

  /// Seconds without a heartbeat after which another run may take the name.
  private static let staleSeconds: Int64 = 600

  package init(host: String, process: Int, time: UnixTime, runID: String) {
    (self.host, self.process, self.time, self.runID) = (host, process, time, runID)
  }

  /// The heartbeat of this process.
  init(of state: FuzzState?, runID: String, hasEnded: Bool = false) {
    self.init(
      host: SyncPlan.hostName, process: Int(getpid()), time: UnixTime(secondsSinceEpoch: secondsSinceEpoch()),
      runID: runID)
    self.hasEnded = hasEnded
    guard let state else { return }
    (executions, rate) = (state.statistics[.executions], state.rate)
    (samples, features, findings) = (state.corpus, state.features, state.findings.count)
  }

  /// Nil if it is not a heartbeat.
  init?(_ document: JSON) {
    guard document["schema"]?.string == Self.schema, let host = document["host"]?.string,
      let process = document["process"]?.count, let runID = document["run_id"]?.string,
      let time = document["time"]?.string.flatMap({ UnixTime(rfc3339: $0) })
    else { return nil }
    self.init(host: host, process: process, time: time, runID: runID)
    hasEnded = document["ended"] == .boolean(true)
    executions = document["executions"]?.count ?? 0
    rate = document["executions_per_second"]?.seconds ?? 0
    samples = document["corpus"]?.count ?? 0
    features = document["features"]?.count ?? 0
    findings = document["findings"]?.count ?? 0
  }

  private static let schema = "assay.fuzz-heartbeat/1"

  package var document: JSON {
    [
      "schema": Self.schema, "host": host, "process": process, "time": time.rfc3339, "run_id": runID,
      "ended": hasEnded, "executions": executions, "executions_per_second": JSON.tenths(rate), "corpus": samples,
      "features": features, "findings": findings,
    ]
  }

  /// Seconds since it was written; negative if its machine's clock is ahead.
  package func age(at time: UnixTime) -> Int64 {
    let (age, overflow) = time.secondsSinceEpoch.subtractingReportingOverflow(self.time.secondsSinceEpoch)
    return overflow ? .max : age
  }

  /// Whether the run is alive, so that another run cannot take its name. An earlier process of the same run is not
  /// alive, because the lock of the run's folder admits one process.
  func keepsName(from other: Heartbeat) -> Bool {
    if hasEnded || (runID == other.runID && host == other.host) { return false }
    return age(at: other.time).magnitude < Self.staleSeconds
  }
}
