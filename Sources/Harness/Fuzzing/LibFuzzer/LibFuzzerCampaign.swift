import Corpus
import HostIO
import Reports

/// A run of libFuzzer over a target of Fuzz/. It builds the program, starts it again when it ends early, and reports
/// like the built-in loop.
package final class LibFuzzerCampaign: FuzzRun {
  private var build: LibFuzzerBuild { LibFuzzerBuild(target: plan.target) }
  /// Executions of the programs that have ended.
  private lazy var earlierExecutions = state.earlierExecutions
  private var filed: Set<String> = []
  /// The last line in which a program reported a violation: all that is known of a crash that does not replay.
  private var lastWords = ""

  override func prepare() throws(CommandError) {
    try build.build(quiet: display.quiet)
    start = MonotonicClock.nanoseconds
    try FileWriter.makeFolder("\(folder.path)/artifacts", visibility: .everyone)
    try writeSeeds()
    try super.prepare()
  }

  override func drive() throws(CommandError) {
    while !isOver {
      try follow(try startProgram())
      try fileArtifacts()
      if hasFoundEnough { break }
    }
    try save(atEnd: true)
  }

  /// Starts libFuzzer. Without -fork it is one process, which ends at the first finding.
  private func startProgram() throws(CommandError) -> ChildCommand {
    lastWords = ""
    let left = max(1, Int(plan.duration - state.seconds))
    // libFuzzer uses the last of several options with the same name.
    var words =
      try [build.program, "\(folder.path)/corpus", "-artifact_prefix=\(folder.path)/artifacts/"] + build.options()
    words += [
      "-timeout=\(plan.timeout)", "-print_final_stats=1", "-max_total_time=\(left)",
      "-seed=\(UInt32(truncatingIfNeeded: state.seed &+ UInt64(state.restarts)) | 1)", "-detect_leaks=0",
    ]
    if plan.jobs > 1 {
      words += ["-fork=\(plan.jobs)", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]
    }
    // Recording allocation stacks takes time, and only a finding's replay needs them.
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
        try save(atEnd: false)
      }
      try display.update(state)
      if child.end != nil { break }
      if over || hasFoundEnough {
        child.stop()
        break
      }
    }
    earlierExecutions += executions
    state.restarts += 1
  }

  /// Writes seeds of the target's layer to the corpus.
  private func writeSeeds() throws(CommandError) {
    for bytes in try FuzzSeeds.all(for: plan.target, from: seeds, engines: engines) {
      for piece in SeedPieces.pieces(of: bytes, for: plan.target, in: engines.sampleSigner) {
        try folder.keep(piece)
      }
    }
  }

  // MARK: Findings

  /// The prefix of the line in which the programs of Fuzz/ report a violation.
  private static let mark = "assay-fuzz\t"

  /// Turns the files in artifacts/ into findings, and removes them. Each is replayed, and the program's message
  /// identifies the finding; a new finding is replayed three times. If the time is up and the session has a finding,
  /// the remaining files stay for the next session.
  private func fileArtifacts() throws(CommandError) {
    for path in try FolderWalk.files(below: "\(folder.path)/artifacts") where !filed.contains(path) {
      if isOver, !state.sessionFindings.isEmpty { return }
      filed.insert(path)
      let report = try replay(path)
      // A crash that does not replay gets the latest reported violation, unless an earlier crash had it.
      var said = ""
      if path.contains("/crash-") { swap(&said, &lastWords) }
      let violation = report?.violation ?? Self.report(said, [], path).violation
      var record = FuzzFinding(violation, try FileReader.corpusFile(path, followsLinks: false))
      record.detail = report?.detail ?? ""
      if report != nil {
        record.replays = 1
        if state.findings[violation.findingID] == nil {
          for _ in 0..<2 where try replay(path)?.violation == violation { record.replays += 1 }
        }
      }
      try note(record)
      FileWriter.remove(path)
    }
  }

  /// Parses the program's message; falls back to the kind in libFuzzer's file name.
  package static func report(_ words: String, _ lines: [String], _ path: String) -> CrashReport {
    let parts = words.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    let kind: Violation.Kind = path.contains("/timeout-") ? .hang : path.contains("/oom-") ? .memory : .crash
    guard parts.count == 4, parts[0] == "assay-fuzz" else {
      return CrashReport(kind: kind, reason: words.isEmpty ? "not reproducible" : words, lines: lines)
    }
    return CrashReport(Violation(Violation.Kind(rawValue: parts[1]) ?? kind, parts[2], parts[3]))
  }

  /// Why the program failed on the input; nil if it succeeded.
  private func replay(_ path: String) throws(CommandError) -> CrashReport? {
    let words = [build.program, "-timeout=\(plan.timeout)", "-rss_limit_mb=4096", "-detect_leaks=0", path]
    // libFuzzer's option does not turn off the leak check at the end of the process.
    let child = try ChildCommand(program: words, variables: "ASAN_OPTIONS=detect_leaks=0")
    let (end, lines) = child.finish(keeping: .max)
    guard end != .exited(code: 0) else { return nil }
    let reason =
      lines.first { $0.hasPrefix(Self.mark) } ?? lines.first { $0.contains("Fatal error") }
      ?? lines.first { $0.hasPrefix("SUMMARY: ") } ?? "exit code"
    return Self.report(String(reason.prefix(200)), lines, path)
  }
}

/// A line of libFuzzer's statistics, with or without -fork: `#1234: cov: 98 ft: 117 corp: 12 exec/s: 5000 …`.
package struct LibFuzzerLine {
  package let executions: Int
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
    guard number("cov:") != nil, let features = number("ft:"), let corpus = number("corp:") else { return nil }
    self.executions = executions
    self.features = features
    self.corpus = corpus
  }
}
