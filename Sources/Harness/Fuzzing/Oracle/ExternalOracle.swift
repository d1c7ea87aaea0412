import Differential
import HostIO
import Reports
import TestCases

/// The options of `fuzz run --external`.
package struct ExternalPlan: Sendable {
  /// The program and its limits.
  package var program: ExternalProgram
  /// How many tests each process may have in flight; 1 for one at a time.
  package var depth = 8
  package var strictness = Strictness.plaintext
  /// Wrong decisions of this severity and of worse ones are findings; the others are counted.
  package var level = Standing.Severity.critical
  /// By how many bytes a process may grow while it decides samples.
  package var growthLimit = 1 << 30

  package init(_ program: ExternalProgram) {
    self.program = program
  }
}

/// Asks an external program about the samples of a run: every sample that the loop keeps, and as many of the others as
/// the program keeps up with.
///
/// Several processes of the program each have several tests in flight, and the workers do not wait for their answers.
/// A wrong decision becomes a finding by `OracleTriage`, once per identity. Its triage blocks the process that reads
/// the workers' messages, for up to 20 seconds or several time limits of an answer. Meanwhile workers wait once their
/// pipes are full, and a session may exceed its duration by that.
final class ExternalOracle {
  /// A process, and the resident memory from which its growth counts.
  private struct RunningProgram {
    let pipeline: ExternalPipeline
    var baseline: Int?
  }

  private(set) var statistics: OracleStatistics
  private let plan: ExternalPlan
  private let engines: FuzzEngines
  private var programs: [RunningProgram] = []
  private let processCount: Int
  /// The identities of findings, which are not reported again, and the new findings of this turn.
  private var reported: Set<String> = []
  private var findings: [FuzzFinding<TestInput>] = []
  private var queue: [TestCase] = []
  private var failuresInARow = 0
  private var lastFailure: ExternalFailure?
  private var watched = MonotonicClock.nanoseconds
  /// The latest answered samples, which are sent again to confirm a growth of memory.
  private var recent: [TestCase] = []
  private static let recentCount = 64
  private static let failureLimit = 10
  /// Libraries are loaded and caches filled after this many answers.
  private static let warmUpCount = 256

  /// - Parameter earlier: the statistics of earlier sessions.
  init(_ plan: ExternalPlan, engines: FuzzEngines, processes: Int, earlier: OracleStatistics?) {
    statistics = earlier ?? OracleStatistics()
    self.plan = plan
    self.engines = engines
    processCount = processes
  }

  /// Starts the first process.
  ///
  /// - Throws: `noAnswer` if the program cannot be used.
  func start() throws(CommandError) {
    do throws(ExternalFailure) {
      try addProgram()
    } catch {
      throw Self.unusable(plan.program, error)
    }
    let supports = programs.first?.pipeline.identity.supports
    guard supports?.contains("EC_v1") == true || supports?.contains("RSA_v1") == true else {
      throw CommandError(.noAnswer, "\(Text.harmless(statistics.name)) supports neither EC_v1 nor RSA_v1.")
    }
  }

  func end() {
    for program in programs { program.pipeline.kill() }
    programs = []
  }

  /// The streams of all processes, to wait for.
  var pollDescriptors: [pollfd] { programs.flatMap(\.pipeline.pollDescriptors) }

  /// Whether the loop should send samples that it does not keep.
  var wantsMore: Bool { queue.count < 2 * plan.depth * processCount }

  /// Puts a sample into the queue if the program supports it.
  func ask(_ examined: ExaminedSample) {
    let defaults = engines.sampleSigner.defaultContext
    let input = TestInput(file: examined.sample, defaults: defaults)
    var test = TestCase(id: "sample", flags: examined.mutations, input: input, expected: examined.verdict)
    if let fault = examined.verdict.fault {
      test.standing = SampleStanding.of(fault, isSigned: examined.isSigned)
    }
    // Another window would need another process.
    guard input.context.policy.windowSeconds == defaults.policy.windowSeconds,
      programs.first?.pipeline.supports(test) != false
    else {
      statistics.unsupported += 1
      return
    }
    queue.append(test)
  }

  /// Sends samples, reads answers, and returns the findings whose identities are not in `reported`.
  ///
  /// - Throws: `noAnswer` after ten or more failures to start or to answer, without an answer in between.
  func turn(reported: Set<String>) throws(CommandError) -> [FuzzFinding<TestInput>] {
    self.reported = reported
    findings = []
    try refill()
    for index in programs.indices.reversed() {
      while programs[index].pipeline.hasRoom, !queue.isEmpty { programs[index].pipeline.send(queue.removeFirst()) }
      for event in programs[index].pipeline.events(milliseconds: 0) {
        switch event {
        case .answered(let test, let decision): note(test, decision)
        case .failed(let failure, let inFlight):
          programs.remove(at: index)
          noteFailure(failure, inFlight)
        }
      }
    }
    watchMemory()
    return findings
  }

  private func refill() throws(CommandError) {
    while programs.count < processCount, !queue.isEmpty || programs.isEmpty {
      if let lastFailure, failuresInARow >= Self.failureLimit { throw Self.unusable(plan.program, lastFailure) }
      do throws(ExternalFailure) {
        try addProgram()
      } catch {
        (failuresInARow, lastFailure) = (failuresInARow + 1, error)
      }
    }
  }

  private func addProgram() throws(ExternalFailure) {
    let window = engines.sampleSigner.defaultContext.policy.windowSeconds
    let pipeline = try ExternalPipeline(
      plan.program, engines.sampleSigner.setting, windowSeconds: window, depth: plan.depth)
    statistics.name = "\(pipeline.identity.name) \(pipeline.identity.version)"
    programs.append(RunningProgram(pipeline: pipeline))
  }

  private static func unusable(_ program: ExternalProgram, _ failure: ExternalFailure) -> CommandError {
    CommandError(.noAnswer, "\(Text.harmless(program.command)) cannot be used: \(Text.harmless("\(failure)")).")
  }

  private func note(_ test: TestCase, _ decision: Decision) {
    statistics.asked += 1
    failuresInARow = 0
    recent.append(test)
    if recent.count > Self.recentCount { recent.removeFirst() }
    guard let wrong = WrongDecision(decision, on: test, strictness: plan.strictness) else {
      if test.standing?.severity == .choice, decision.isAcceptance { statistics.acceptable += 1 }
      return
    }
    let identity = wrong.violation.identity
    guard wrong.severity <= plan.level else {
      statistics.leniencies[identity, default: 0] += 1
      return
    }
    guard reported.insert(identity).inserted else { return }
    findings.append(triage.finding(of: wrong, test))
  }

  /// Asks about the samples in flight again, one at a time: the first one that fails alone is the cause. A time-out
  /// that does not repeat is no finding.
  private func noteFailure(_ failure: ExternalFailure, _ inFlight: [TestCase]) {
    statistics.restarts += 1
    (failuresInARow, lastFailure) = (failuresInARow + 1, failure)
    guard let first = inFlight.first else { return }
    func wrong(_ test: TestCase) -> WrongDecision? {
      WrongDecision(.failed(failure), on: test, strictness: plan.strictness)
    }
    // Starting a process for each sample takes long, so none is started if the failure is known for all samples.
    let isKnown = inFlight.allSatisfy { test in wrong(test).map { reported.contains($0.violation.identity) } == true }
    let repeated = isKnown ? first : inFlight.first { triage.fails($0) }
    let cause = repeated ?? first
    queue += inFlight.filter { $0 != cause }
    if repeated == nil, case .timedOut = failure { return }
    guard let wrong = wrong(cause), reported.insert(wrong.violation.identity).inserted else { return }
    findings.append(triage.finding(of: wrong, cause))
  }

  /// Checks once a second. A process that has grown beyond the limit is a finding, and is replaced.
  private func watchMemory() {
    let now = MonotonicClock.nanoseconds
    guard MonotonicClock.seconds(from: watched, to: now) >= 1 else { return }
    watched = now
    for index in programs.indices.reversed() where programs[index].pipeline.answerCount >= Self.warmUpCount {
      guard let bytes = programs[index].pipeline.residentBytes else { continue }
      statistics.residentBytes = max(statistics.residentBytes, bytes)
      guard let baseline = programs[index].baseline else {
        programs[index].baseline = bytes
        continue
      }
      guard bytes - baseline > plan.growthLimit, let sample = recent.last else { continue }
      programs[index].pipeline.kill()
      programs.remove(at: index)
      statistics.restarts += 1
      let violation = Violation(.memory, "decided samples", "resident memory grew beyond the limit")
      guard reported.insert(violation.identity).inserted else { continue }
      var finding = FuzzFinding(violation, sample.input, mutations: sample.flags)
      finding.severity = .high
      finding.history = recent.dropLast().map(\.input)
      finding.replays = triage.grows(recent) == true ? 1 : 0
      findings.append(finding)
    }
  }

  private var triage: OracleTriage { OracleTriage(plan: plan, engines: engines) }
}

/// A decision of an external program that contradicts the engines' verdict.
struct WrongDecision {
  let decision: Decision
  let violation: Violation
  let severity: Standing.Severity

  /// Nil if the decision is right, or acceptable.
  init?(_ decision: Decision, on test: TestCase, strictness: Strictness) {
    let assessment = Assessment(decision, on: test, expected: test.expected, strictness: strictness)
    guard case .finding(let kind) = assessment, let expected = test.expected else { return nil }
    self.decision = decision
    severity = Finding.severity(of: kind, on: test)
    let first = expected.fault?.description ?? "accepted"
    violation = Violation(Self.kind(kind, test), first, Self.words(decision, kind))
  }

  private static func kind(_ kind: Assessment.Kind, _ test: TestCase) -> Violation.Kind {
    switch kind {
    case .accepted: test.standing?.isForgery == true ? .forgery : .disagreement
    case .crashed, .brokeProtocol: .crash
    case .timedOut: .hang
    default: .disagreement
    }
  }

  /// The decision without what differs from sample to sample.
  private static func words(_ decision: Decision, _ kind: Assessment.Kind) -> String {
    switch decision {
    case .accepted(let plaintext, _) where kind == .wrongPlaintext:
      plaintext == nil ? "accepted without a plaintext" : "accepted with another plaintext"
    case .accepted where kind != .accepted: kind.title
    case .accepted: "accepted"
    case .rejected(let code, _, _): "rejected" + (code.map { " \($0)" } ?? "")
    // The exit code of one crash can vary.
    case .failed(.ended(.exited(let code), _)) where code <= 128: "ended with an exit code"
    case .failed(.ended(let end, _)): "\(end)"
    case .failed(let failure): failure.name
    case .error: "could not decide"
    default: "\(decision)"
    }
  }
}

extension Decision {
  fileprivate var isAcceptance: Bool { if case .accepted = self { true } else { false } }
}
