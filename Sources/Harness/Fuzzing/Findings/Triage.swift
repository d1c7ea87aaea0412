import Differential
import HostIO
import Minting
import PaymentToken
import TestCases

/// Turns violations into findings.
///
/// A violation is replayed with fresh engines. If it does not occur there, it depends on what the engines remember: the
/// samples before it are replayed as well, and delta debugging reduces them to a short history. Then the input itself
/// is shrunk as long as the same violation occurs, and the result is replayed three times.
public struct Triage {
  private let loop: FuzzLoop
  private let shrinker: Shrinker
  private static let replayCount = 3

  /// - Parameter shrinker: the limits of shrinking.
  public init(_ loop: FuzzLoop, shrinker: Shrinker = Shrinker(milliseconds: 4_000)) {
    self.loop = loop
    self.shrinker = shrinker
  }

  /// Replays a violation, finds the history that it needs, and shrinks it.
  public func finding(of found: FuzzLoop.Found) -> FuzzFinding<TestInput> {
    var finding = FuzzFinding(found.violation, found.sample, mutations: found.mutations)
    finding.original = found.violation.kind == .rewriting ? found.parent : found.sample
    guard found.violation.kind.isShrunk else {
      if found.violation.kind == .rewriting { finding.history = [found.parent] }
      finding.replays = replays(of: finding)
      return finding
    }
    var isShown = shows(finding)
    if !isShown {
      finding.history = shortest(found.companions, before: finding)
      if finding.history.isEmpty { finding.history = shortest(Array(loop.history.dropLast()), before: finding) }
      isShown = !finding.history.isEmpty
    }
    if isShown {
      finding.sample.request = shrinker.shrink(finding.sample.request) { request in
        var smaller = finding
        smaller.sample.request = request
        return shows(smaller)
      }
    }
    finding.replays = replays(of: finding)
    return finding
  }

  private func replays(of finding: FuzzFinding<TestInput>) -> Int {
    (0..<Self.replayCount).count { _ in shows(finding) }
  }

  /// Whether fresh engines show the violation after processing the history.
  public func shows(_ finding: FuzzFinding<TestInput>) -> Bool {
    // Only a violation by reuse needs an engine that reuses results.
    var examiner = Examiner(loop.engines, .replay(reusesResults: finding.violation.kind == .reuse))
    return examiner.replay(finding.sample, after: finding.history, for: finding.violation).violation
      == finding.violation
  }

  /// A short part of a history after which the violation still occurs; empty if it does not occur after the whole one.
  private func shortest(_ all: [TestInput], before finding: FuzzFinding<TestInput>) -> [TestInput] {
    var candidate = finding
    candidate.history = all
    guard shows(candidate) else { return [] }
    // Remove runs of samples, halving their length.
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

extension Examiner {
  /// Examines a sample after a history.
  ///
  /// - Parameter wanted: the violation that was found; nil if none is known. The kinds `rewriting`, `verdict` and
  ///   `secret` are detected only if it is given.
  /// - Returns: the decisions, and `wanted` or another violation, if the engines show one.
  mutating func replay(
    _ sample: TestInput, after history: [TestInput], for wanted: Violation?
  ) -> (comparison: Comparison, violation: Violation?) {
    let before = history.map { compare($0).first }
    let examination = examine(sample, parent: history.last)
    if let violation = examination.violation { return (examination.comparison, violation) }
    let verdict = examination.comparison.first
    let shows =
      switch wanted?.kind {
      // The rewritten request must get the verdict of the request before it.
      case .rewriting: before.last.map { $0 != verdict } ?? false
      case .verdict: Self.text(verdict) == wanted?.first
      case .secret: engines.explanation.map { Self.showsSecrets($0(sample), about: verdict) } ?? false
      default: false
      }
    return (examination.comparison, shows ? wanted : nil)
  }
}

/// Replays crashes, hangs and growths of memory, and shrinks all but hangs, each attempt in a forked process: the peak
/// memory of a process never falls, so that one process shows a growth only once.
struct IsolatedTriage {
  let engines: FuzzEngines
  /// The limit of processor time of one attempt, in seconds.
  let timeout: Int

  /// Replays a finding three times, and shrinks it if its kind is shrunk and all three show the violation.
  func finding(of found: FuzzFinding<[UInt8]>) -> FuzzFinding<[UInt8]> {
    let defaults = engines.sampleSigner.defaultContext
    var sample = TestInput(file: found.sample, defaults: defaults)
    var finding = found
    finding.replays = (0..<3).count { _ in shows(found.violation, sample) }
    if finding.replays == 3, found.violation.kind.isShrunk {
      sample.request = Shrinker(work: 150, milliseconds: 15_000).shrink(sample.request) { request in
        shows(found.violation, TestInput(request, sample.context))
      }
    }
    finding.sample = sample.file(defaults: defaults)
    return finding
  }

  /// Whether a process that examines the sample shows the violation: a growth of memory, or for all other kinds any
  /// crash and any excess of the limit.
  func shows(_ violation: Violation, _ sample: TestInput) -> Bool {
    let isGrowth = violation.kind == .memory
    let hasSucceeded = IsolatedTask.succeeds(within: Double(timeout)) {
      var examiner = Examiner(engines)
      if examiner.examine(sample).violation != violation, isGrowth { _exit(1) }
    }
    return hasSucceeded == isGrowth
  }
}
