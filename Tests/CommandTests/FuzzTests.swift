import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// Short runs of `assay fuzz`, each in a folder of its own.
@Suite(.blocking, .serialized) struct FuzzTests {
  private let folder: TemporaryFolder

  init() throws { folder = try .fuzzing() }

  private func run(_ arguments: [String], jobs: Int = 1, seconds: Int = 1) throws -> Program.Outcome {
    try Program.run(
      folder.fuzzWords(["--duration", "\(seconds)s", "--jobs", "\(jobs)", "--seed", "1"] + arguments))
  }

  private func object(_ name: String) throws -> [String: Any] {
    try folder.object("run/\(name)")
  }

  private func corpus() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path("run/corpus")))
  }

  /// Returns after a minute at the latest.
  private func blockUntilCorpus(hasMoreThan count: Int) {
    let start = Date()
    while (try? corpus())?.count ?? 0 <= count, Date().timeIntervalSince(start) < 60 { Thread.block(forSeconds: 0.1) }
  }

  @Test func `a run finds nothing between engines that agree and leaves a whole folder`() throws {
    var executions = 0
    // A run goes on where the last one ended: a slow machine needs more and longer ones.
    for number in 1...30 where executions <= 10 {
      let outcome = try run(["--quiet"], jobs: 2, seconds: 2 * number)
      #expect(outcome.status == 0, "\(outcome.error)")
      #expect(outcome.error.isEmpty)
      #expect(outcome.text.contains("executions"))
      let statistics = try object("stats.json")
      #expect(statistics["schema"] as? String == "assay.fuzz-stats/1")
      executions = try #require(statistics["executions"] as? Int)
    }
    #expect(executions > 10)
    #expect(try object("settings.json")["seed"] as? Int == 1)
    #expect(try corpus().count > 5)
    for name in ["history.csv", "report.html", "findings"] {
      #expect(FileManager.default.fileExists(atPath: folder.path("run/\(name)")))
    }
    let status = try Program.run(["fuzz", "status", folder.path("run")])
    #expect(status.status == 0)
    #expect(status.text.contains("findings"))
  }

  /// A run in the background.
  private func started(_ options: [String], jobs: Int = 1) throws -> Process {
    try Program.start(folder.fuzzWords(["--jobs", "\(jobs)", "--quiet"] + options))
  }

  private func workers(of process: Process) -> [pid_t] {
    Program.children(of: process.processIdentifier)
  }

  /// A worker, once there is one: while one is replaced there is none.
  private func worker(of process: Process) throws -> pid_t {
    var worker = workers(of: process).first
    while process.isRunning, worker == nil {
      Thread.block(forSeconds: 0.1)
      worker = workers(of: process).first
    }
    return try #require(worker, "running: \(process.isRunning)")
  }

  private func findings() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("run/findings"))
  }

  @Test func `a worker that dies is a finding, unless the system kills it for lack of memory`() throws {
    let process = try started(["--duration", "600s", "--stop-at-finding"])
    for _ in 0..<5 {
      let victim = try worker(of: process)
      Thread.block(forSeconds: 0.2)
      kill(victim, SIGKILL)
    }
    blockUntilCorpus(hasMoreThan: 0)
    #expect(process.isRunning)
    #expect(try findings().isEmpty)
    // Sometimes it dies between two samples and is restarted. On a busy machine it takes longer to reach the first.
    var pause = 0.2
    while process.isRunning {
      Thread.block(forSeconds: pause)
      pause = min(2 * pause, 10)
      for worker in workers(of: process) { kill(worker, SIGSEGV) }
    }
    #expect(process.terminationStatus == 1)
    let findings = try findings()
    #expect(findings.contains { $0.hasPrefix("crash") }, "\(findings)")
  }

  @Test func `a worker that dies before its first sample leaves all of them to the next`() throws {
    let process = try started(["--duration", "1h"])
    while process.isRunning, workers(of: process).isEmpty { Thread.block(forSeconds: 0.001) }
    for worker in workers(of: process) { kill(worker, SIGSEGV) }
    blockUntilCorpus(hasMoreThan: 0)
    kill(process.processIdentifier, SIGKILL)
    process.blockUntilExit()
    #expect(try !corpus().isEmpty)
  }

  private func unreproducible(_ kind: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("run/unreproducible")).contains {
      $0.hasPrefix(kind) && FileManager.default.fileExists(atPath: folder.path("run/unreproducible/\($0)/finding.json"))
    }
  }

  @Test(.deep(.waits)) func `a worker that stands still is unreproducible, and one that is not looked at is not late`()
    throws
  {
    // Several workers: at times one is between two samples when it stops.
    let process = try started(["--duration", "600s", "--timeout", "1"], jobs: 4)
    while process.isRunning, (try? corpus().count) ?? 0 < 20 { Thread.block(forSeconds: 0.1) }
    // The process that watches the workers is stopped, as on a suspended machine. Workers wait for it to go on.
    for _ in 0..<4 {
      kill(process.processIdentifier, SIGSTOP)
      Thread.block(forSeconds: 1.5)
      kill(process.processIdentifier, SIGCONT)
      Thread.block(forSeconds: 0.3)
    }
    #expect(process.isRunning)
    #expect(try findings().isEmpty && !unreproducible(""))
    // For a worker, time without the processor counts a tenth: replays are not late on a busy machine either.
    func isNoted() throws -> Bool { try unreproducible("hang") || !findings().isEmpty }
    while process.isRunning, try !isNoted() {
      let stopped = workers(of: process)
      for worker in stopped { kill(worker, SIGSTOP) }
      for _ in 0..<120 where try process.isRunning && !isNoted() { Thread.block(forSeconds: 0.1) }
      for worker in stopped { kill(worker, SIGCONT) }
      Thread.block(forSeconds: 0.1)
    }
    kill(process.processIdentifier, SIGTERM)
    process.blockUntilExit()
    #expect(process.terminationStatus == 130)
    let session = try #require(try object("stats.json")["session"] as? [String: [String]])
    #expect(try findings() == [] && session["findings"] == [])
    #expect(session["unreproducible"]?.isEmpty == false)
    #expect(try Program.run(["fuzz", "status", folder.path("run")]).status == 0)
  }

  @Test func `a session whose time is up before its corpus was executed executes it`() throws {
    let process = try started(["--duration", "1s"])
    let stopped = try worker(of: process)
    kill(stopped, SIGSTOP)
    Thread.block(forSeconds: 1.5)
    kill(stopped, SIGCONT)
    process.blockUntilExit()
    #expect(process.terminationStatus == 0)
    // Sixteen minted tokens and the seed.
    #expect(try #require(try object("stats.json")["executions"] as? Int) >= 17)
    #expect(try corpus().count > 5)
  }

  @Test func `a killed run is resumed where it stopped`() throws {
    let process = try started(["--duration", "1h"])
    blockUntilCorpus(hasMoreThan: 20)
    kill(process.processIdentifier, SIGKILL)
    process.blockUntilExit()
    let before = try corpus().filter { !$0.hasSuffix(".partial") }
    try FileManager.default.copyItem(atPath: folder.path("run/corpus"), toPath: folder.path("before"))
    // As if it had been killed while it wrote.
    _ = try folder.write("{", to: "run/corpus/0123.json.4711.partial")
    #expect(try corpus().contains { $0.hasSuffix(".partial") })
    #expect(before.count > 20)
    let outcome = try run(["--quiet"])
    let found = try findings()
    #expect(outcome.status == 0, "\(outcome.error) \(found)")
    #expect(try corpus().allSatisfy { !$0.hasSuffix(".partial") })
    // Samples that add no feature may be removed. All features stay.
    var kept: [Int] = []
    for source in ["run", "before"] {
      let words = ["fuzz", "merge", folder.path(source), "--into", folder.path("all"), "--quiet", "--json"]
      let sources = try #require(try Program.run(words).json()["sources"] as? [[String: Any]])
      kept += sources.compactMap { $0["kept"] as? Int }
    }
    #expect(kept.count == 2 && kept[0] > 5 && kept[1] == 0, "\(kept)")
    #expect(try object("settings.json")["sessions"] as? Int == 2)
  }

  @Test(.enabled(if: getuid() == 0, "only root sees what files a program has open that forbids core dumps"))
  func `a worker that outlives a killed run does not lock the folder`() throws {
    let process = try started(["--duration", "1h"])
    // The first children only ask git for the commit, before the folder is locked.
    while process.isRunning, (try? corpus())?.isEmpty ?? true { Thread.block(forSeconds: 0.1) }
    _ = try worker(of: process)
    var open: [String] = []
    // A worker that was just started has yet to close the lock, and one that has ended has nothing open.
    for _ in 0..<600 where open.isEmpty || open.contains(where: { $0.hasSuffix("/lock") }) {
      Thread.block(forSeconds: 0.1)
      let folder = "/proc/\(try worker(of: process))/fd"
      open = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
    }
    kill(process.processIdentifier, SIGKILL)
    process.blockUntilExit()
    #expect(!open.isEmpty)
    #expect(!open.contains { $0.hasSuffix("/lock") }, "\(open)")
  }

  @Test func `two runs do not share a folder, and an interrupted one saves its state and ends with 130`() throws {
    let process = try started(["--duration", "1h"])
    blockUntilCorpus(hasMoreThan: 0)
    #expect(try run(["--quiet"]).status == 2)
    kill(process.processIdentifier, SIGINT)
    process.blockUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    #expect(try object("stats.json")["schema"] as? String == "assay.fuzz-stats/1")
  }

  @Test func `a termination of the whole group saves the state and is no finding`() throws {
    let words = folder.fuzzWords(["--duration", "1h", "--jobs", "2", "--quiet"])
    let process = try Program.start(["--wait", Program.url.path] + words, program: URL(filePath: "/usr/bin/setsid"))
    var group: pid_t = 0
    for _ in 0..<600 where (try? corpus())?.count ?? 0 <= 20 || group == 0 {
      Thread.block(forSeconds: 0.1)
      group = Self.sessionLeader(runningIn: folder.path("run")) ?? 0
    }
    try #require(group > 1)
    // The workers get the signal first, so that the process that watches them would notice their deaths.
    let workers = Program.children(of: group)
    #expect(!workers.isEmpty)
    for worker in workers { kill(worker, SIGTERM) }
    Thread.block(forSeconds: 0.5)
    kill(-group, SIGTERM)
    process.blockUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(try object("stats.json")["schema"] as? String == "assay.fuzz-stats/1")
    #expect(try object("stats.json")["restarts"] as? Int == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("run/findings")).isEmpty)
  }

  /// The process with this folder among its arguments that leads a session.
  private static func sessionLeader(runningIn folder: String) -> pid_t? {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
    return numbers.first { pid in
      guard getsid(pid) == pid, let words = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else {
        return false
      }
      return words.range(of: Data(folder.utf8)) != nil
    }
  }

  @Test func `unsuitable files of the corpus and links are skipped and named, and nothing is read by a link`() throws {
    #expect(try run(["--quiet"]).status == 0)
    let outside = try TemporaryFolder()
    let secret = try outside.write("not to be read", to: "secret")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: folder.path("run/corpus/link"), withDestinationPath: secret)
    try manager.createSymbolicLink(atPath: folder.path("run/corpus/folder"), withDestinationPath: outside.url.path)
    try #require(mkfifo(folder.path("run/corpus/fifo"), 0o600) == 0)
    let large = try #require(FileHandle(forWritingAtPath: try folder.write("", to: "run/corpus/large")))
    try large.truncate(atOffset: (1 << 20) + 1)
    try large.close()
    let outcome = try run([])
    #expect(outcome.status == 0, "\(outcome.error)")
    for name in ["link", "folder", "fifo", "large"] {
      let lines = outcome.error.split(separator: "\n").filter { $0.contains("/corpus/\(name) ") }
      #expect(lines.count == 1 && lines.first?.contains("skipped") == true, "\(name): \(outcome.error)")
    }
    #expect(!outcome.error.contains("secret"))
    #expect(try object("settings.json")["sessions"] as? Int == 2)
  }

  @Test(arguments: ["corpus", "findings", "unreproducible"])
  func `a run's folder that is a link is refused, and nothing is written where it leads`(_ name: String) throws {
    let outside = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("run"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("run/\(name)"), withDestinationPath: outside.url.path)
    let outcome = try run(["--quiet"])
    #expect(outcome.status == 2 && outcome.error.contains("symbolic link"), "\(outcome.error)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.url.path).isEmpty)
  }

  @Test func `findings beside damaged statistics are listed, and the damage is named`() throws {
    #expect(try run(["--quiet"]).status == 0)
    func damage() throws { _ = try folder.write("{\"executions\":", to: "run/stats.json") }
    try damage()
    #expect(try Program.run(["fuzz", "status", folder.path("run")]).status == 2)
    let id = "disagreement-accepted-0a1b2c"
    let finding = #"{"kind":"disagreement","first":"accepted","second":"malformedJSON","severity":null}"#
    _ = try folder.write(finding, to: "run/findings/\(id)/finding.json")
    let status = try Program.run(["fuzz", "status", folder.path("run"), "--json"])
    #expect(status.status == 1 && status.error.contains("statistics"), "\(status.error)")
    #expect(try status.json()["findings"] as? [String: Int] == [id: 1])
    // The session has no finding of its own.
    let resumed = try run(["--quiet"])
    #expect(resumed.status == 0 && resumed.error.contains("stats.json is damaged"), "\(resumed.error)")
    #expect(try object("stats.json")["findings"] as? [String: Int] == [id: 1])
  }

  @Test func `a folder that cannot be locked is not said to be another run's`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("run/lock"), withIntermediateDirectories: true)
    let outcome = try run(["--quiet"])
    #expect(outcome.status == 2 && !outcome.error.contains("another run"), "\(outcome.error)")
    #expect(outcome.error.contains("lock"), "\(outcome.error)")
  }

  @Test func `events are a line of JSON each`() throws {
    let outcome = try run(["--json"])
    let lines = outcome.text.split(separator: "\n")
    let events = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(events.first?["event"] as? String == "started")
    #expect(events.last?["event"] as? String == "finished")
    #expect(events.allSatisfy { $0["schema"] as? String == "assay.fuzz/1" })
  }

  @Test func `a run of another target is not resumed`() throws {
    #expect(try run(["--quiet"]).status == 0)
    let other = try run(["--quiet", "--target", "envelopes"])
    #expect(other.status == 2)
  }

  @Test func `a sample is replayed and one that shows nothing ends with 0`() throws {
    let minted = try MintedFolder()
    let outcome = try Program.run(["fuzz", "replay", minted.token, "--json"])
    #expect(outcome.status == 0)
    let answer = try outcome.json()
    #expect(answer["shows"] as? Bool == false)
    #expect(answer["fast"] as? String == answer["reference"] as? String)
    #expect(try Program.run(["fuzz", "replay", folder.path("nothing")]).status == 2)
    #expect(try Program.run(["fuzz", "status", folder.url.path()]).status == 2)
    // A finding of the kind `verdict` shows again while the engines give the verdict that it records as `first`.
    let fast = try #require(answer["fast"] as? String)
    for (first, status) in [(fast, 1), ("accepted by a mistake", 0)] as [(String, Int32)] {
      let finding = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: minted.token, toPath: finding.path("sample"))
      _ = try finding.write(#"{"kind":"verdict","first":"\#(first)","second":"to be refused"}"#, to: "finding.json")
      #expect(try Program.run(["fuzz", "replay", finding.url.path, "--json"]).status == status)
    }
  }
}
