import Corpus
import HostIO
import Reports

/// A run of libFuzzer over a target of Fuzz/: built, driven, started anew after what it finds, and reported like the loop.
package final class LibFuzzerCampaign: FuzzRun {
  private var build: LibFuzzerBuild { LibFuzzerBuild(target: settings.target) }
  /// Executions of programs that have ended.
  private lazy var earlierExecutions = state.earlierExecutions
  private var filed: Set<String> = []
  /// The last line of a program that said why it ended: of findings that need what went before, the only word.
  private var lastWords = ""

  override func prepare() throws(CommandError) {
    try build.build(quiet: display.quiet)
    start = MonotonicClock.nanoseconds
    try FileWriter.makeFolder("\(folder.path)/artifacts", visibility: .everyone)
    try writeSeeds()
  }

  override func drive() throws(CommandError) {
    while !isOver {
      try follow(try startProgram())
      try fileArtifacts()
      if hasFoundEnough { break }
    }
    try save()
  }

  /// libFuzzer with what it must know; one process without -fork, which ends at the first finding.
  private func startProgram() throws(CommandError) -> ChildCommand {
    let left = max(1, Int(plan.duration - state.seconds))
    // The last one of a name counts.
    var words =
      try [build.program, "\(folder.path)/corpus", "-artifact_prefix=\(folder.path)/artifacts/"] + build.options()
    words += [
      "-timeout=\(plan.timeout)", "-print_final_stats=1", "-max_total_time=\(left)",
      "-seed=\(UInt32(truncatingIfNeeded: state.seed &+ UInt64(state.restarts)) | 1)", "-detect_leaks=0",
    ]
    if plan.jobs > 1 {
      words += ["-fork=\(plan.jobs)", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]
    }
    // Where memory was allocated is asked of a finding's replay alone: to note it each time costs a fifth.
    return try ChildCommand(program: words, variables: "ASAN_OPTIONS=malloc_context_size=0")
  }

  private func follow(_ child: ChildCommand) throws(CommandError) {
    var executions = 0
    while true {
      for line in child.lines() {
        if line.hasPrefix(Self.mark) { lastWords = String(line.prefix(200)) }
        guard let numbers = LibFuzzerLine(line) else { continue }
        executions = numbers.executions
        if numbers.features > state.features { state.lastNew = state.totalSeconds }
        (state.features, state.corpus) = (max(state.features, numbers.features), numbers.corpus)
        state.statistics[.executions] = earlierExecutions + executions
      }
      let over = isOver
      if isSavingDue() {
        if plan.jobs > 1 { try fileArtifacts() }
        try save()
      }
      try display.update(state)
      if child.end() != nil { break }
      if over || hasFoundEnough {
        child.stop()
        break
      }
    }
    earlierExecutions += executions
    state.restarts += 1
  }

  /// Seeds of the target's own layer.
  private func writeSeeds() throws(CommandError) {
    for bytes in try FuzzSeeds.all(for: plan.target, from: seeds, engines: engines) {
      for piece in SeedPieces.pieces(of: bytes, for: plan.target.rawValue, in: engines.workshop) {
        try folder.keep(piece)
      }
    }
  }

  // MARK: Findings

  /// How the line begins by which a program of ours says what it found.
  private static let mark = "assay-fuzz\t"

  /// What libFuzzer left in artifacts/, told apart by the words of the program that is given it again; new ones are
  /// replayed three times. The rest waits when the time is over.
  private func fileArtifacts() throws(CommandError) {
    for path in try FolderWalk.files(below: "\(folder.path)/artifacts") where !filed.contains(path) {
      if isOver, !state.findings.isEmpty { return }
      filed.insert(path)
      let words = try replay(path)
      // A machine that was busy is no finding.
      if words.isEmpty, path.contains("/timeout-") { continue }
      let violation = Self.violation(words.isEmpty ? lastWords : words, path)
      let id = FuzzFinding.id(of: violation)
      state.findings[id, default: 0] += 1
      guard state.findings[id] == 1 else { continue }
      var replays = words.isEmpty ? 0 : 1
      for _ in 0..<2 where try replay(path) == words { replays += words.isEmpty ? 0 : 1 }
      let bytes = try FileReader.corpusFile(path)
      let record = WorkerMessage.FindingRecord(
        kind: violation.kind, first: violation.first, second: violation.second, replays: replays, sample: bytes,
        original: bytes)
      try file(record, id: id)
    }
  }

  /// What the program's words say; by libFuzzer's name for the file where it said nothing of ours.
  private static func violation(_ words: String, _ path: String) -> Violation {
    let parts = words.split(separator: "\t").map { String($0) }
    let kind: Violation.Kind = path.contains("/timeout-") ? .hang : path.contains("/oom-") ? .memory : .crash
    guard parts.count == 4, parts[0] == "assay-fuzz" else {
      return Violation(kind, words.isEmpty ? "does not show again" : words, "")
    }
    return Violation(Violation.Kind(rawValue: parts[1]) ?? kind, parts[2], parts[3])
  }

  /// The line that says why the program ended; empty when it did not.
  private func replay(_ path: String) throws(CommandError) -> String {
    let words = [build.program, "-timeout=\(plan.timeout)", "-rss_limit_mb=4096", "-detect_leaks=0", path]
    // What libFuzzer's own option does not turn off: the search for leaks at the end of the process.
    let child = try ChildCommand(program: words, variables: "ASAN_OPTIONS=detect_leaks=0")
    let (code, lines) = child.finish(keeping: .max)
    guard code != 0 else { return "" }
    let telling =
      lines.first { $0.hasPrefix(Self.mark) } ?? lines.first { $0.contains("Fatal error") }
      ?? lines.first { $0.hasPrefix("SUMMARY: ") } ?? "exit code \(code)"
    return String(telling.prefix(200))
  }

  private func save() throws(CommandError) { try save(addsPoint: state.points.isEmpty, durable: true) }
}

/// A line of libFuzzer's statistics: `#1234: cov: 98 ft: 117 corp: 12 exec/s: 5000 …`, or as it writes without -fork.
package struct LibFuzzerLine {
  package let executions: Int
  package let coverage: Int
  package let features: Int
  package let corpus: Int

  package init?(_ line: String) {
    guard line.hasPrefix("#") else { return nil }
    let words = line.dropFirst().split(whereSeparator: { $0 == " " || $0 == "\t" }).map { String($0) }
    guard let first = words.first, let executions = Int(first.prefix { $0.isNumber }) else { return nil }
    func number(_ name: String) -> Int? {
      guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
      return Int(words[index + 1].prefix { $0.isNumber })
    }
    guard let coverage = number("cov:"), let features = number("ft:"), let corpus = number("corp:") else { return nil }
    self.executions = executions
    self.coverage = coverage
    self.features = features
    self.corpus = corpus
  }
}
