import Differential
import Minting
import PaymentToken
import TestCases

/// Makes findings of violations: replayed, made smaller, with what went before where that matters.
public struct Triage {
  private let loop: FuzzLoop
  private let shrinker: Shrinker
  private static let replayCount = 3

  /// - Parameter shrinker: how long making smaller may take.
  public init(_ loop: FuzzLoop, shrinker: Shrinker = Shrinker(tries: 400, milliseconds: 4_000)) {
    self.loop = loop
    self.shrinker = shrinker
  }

  /// Replays a violation by engines that have seen nothing; then by such as saw what went before; then makes it smaller.
  public func finding(of found: FuzzLoop.Found) -> FuzzFinding {
    var finding = FuzzFinding(found.violation, found.sample, mutations: found.mutations)
    finding.original = found.violation.kind == .rewriting ? found.parent : found.sample
    // Other bytes would be another question: these stay as they are.
    guard ![.rewriting, .secret, .verdict].contains(found.violation.kind) else {
      if found.violation.kind == .rewriting { finding.history = [found.parent] }
      finding.replays = replays(of: finding)
      return finding
    }
    let isStateless = shows(finding)
    if !isStateless { finding.history = shortestHistory(of: finding) }
    finding.sample.request = shrinker.shrink(finding.sample.request) { request in
      var smaller = finding
      smaller.sample.request = request
      return shows(smaller)
    }
    finding.replays = replays(of: finding)
    return finding
  }

  private func replays(of finding: FuzzFinding) -> Int {
    (0..<Self.replayCount).reduce(0) { count, _ in count + (shows(finding) ? 1 : 0) }
  }

  /// Whether engines that have seen nothing but the history show the same.
  public func shows(_ finding: FuzzFinding) -> Bool {
    var examiner = loop.freshExaminer()
    let before = finding.history.map { examiner.compare($0).first }
    switch finding.violation.kind {
    // Written otherwise, the answer must be that of the request before.
    case .rewriting: return before.last.map { $0 != examiner.compare(finding.sample).first } ?? false
    case .verdict: return Examiner.text(examiner.compare(finding.sample).first) == finding.violation.first
    default: return examiner.examine(finding.sample).violation == finding.violation
    }
  }

  /// The end of what went before that is needed: all of it where nothing less shows it.
  private func shortestHistory(of finding: FuzzFinding) -> [TestInput] {
    let all = Array(loop.history.dropLast())
    var candidate = finding
    candidate.history = all
    guard shows(candidate) else { return [] }
    // Runs of it go, long ones first.
    var size = all.count / 2
    var history = all
    while size > 0 {
      var start = 0
      while start < history.count {
        candidate.history = history
        candidate.history.removeSubrange(start..<min(start + size, history.count))
        if shows(candidate) { history = candidate.history } else { start += size }
      }
      size /= 2
    }
    return history
  }
}

/// Replays and shrinks what ends processes, each try in a process of its own.
struct CrashTriage {
  let engines: FuzzEngines
  /// Seconds.
  let timeout: Int

  /// The finding; shrunk when a replay shows it again.
  func record(of violation: Violation, _ bytes: [UInt8]) -> WorkerMessage.FindingRecord {
    let usual = engines.workshop.usual
    var sample = TestInput(file: bytes, usual: usual)
    let replays = (0..<3).reduce(0) { count, _ in count + (ends(sample) ? 1 : 0) }
    // A process that does not come back costs the whole time at every try.
    if replays == 3, violation.kind == .crash {
      let request = Shrinker(tries: 150, milliseconds: 15_000).shrink(sample.request) { request in
        ends(TestInput(request, sample.context))
      }
      sample.request = request
    }
    return WorkerMessage.FindingRecord(
      kind: violation.kind, first: violation.first, second: violation.second, replays: replays,
      sample: sample.file(usual: usual), original: bytes)
  }

  /// Whether a process that decides about it ends otherwise than well, or not in time.
  private func ends(_ sample: TestInput) -> Bool {
    let end = IsolatedTask.run(seconds: Double(timeout)) {
      var examiner = Examiner(workshop: engines.workshop, engines: engines.pair)
      _ = examiner.examine(sample)
    }
    return end != .well
  }
}
