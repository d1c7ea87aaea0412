import HostIO
public import TestCases

/// Gives each test to every contender, and assesses their decisions before the next test.
public final class TestRun {
  /// The progress of a run.
  public struct Progress: Sendable {
    public let done: Int
    public let total: Int
    public let findings: Int
    /// Seconds since the start.
    public let elapsed: Double
  }

  private let engines: [EngineContender]
  private let externals: [ExternalContender]
  private let strictness: Strictness
  private let gate: Gate
  private let isWholeSuite: Bool
  private var scores: [Score]
  private var findings: [Finding] = []
  private var done = 0

  /// - Parameters:
  ///   - engines: the verdict of the first is the expected verdict of a test that has none.
  ///   - strictness: for externals; engines must always agree about codes.
  ///   - gate: which findings about externals fail the run; by default those of the default level of `strictness` and
  ///     worse.
  ///   - isWholeSuite: whether the tests are those of a whole suite; only then can the verdict be `decides correctly`.
  public init(
    engines: [EngineContender], externals: [ExternalContender], strictness: Strictness, gate: Gate? = nil,
    isWholeSuite: Bool = false
  ) {
    self.gate = gate ?? Gate(level: strictness.defaultLevel)
    self.isWholeSuite = isWholeSuite
    self.engines = engines
    self.externals = externals
    self.strictness = strictness
    scores =
      engines.map { Score(name: $0.name, isEngine: true, command: nil) }
      + externals.map { Score(name: $0.program.command, isEngine: false, command: $0.program.command) }
  }

  /// Runs all tests.
  ///
  /// - Parameters:
  ///   - progress: called after each test.
  ///   - found: called for each finding while its setting is loaded.
  ///   - isInterrupted: checked before each test; true ends the run.
  public func run(
    _ groups: [TestGroup], progress: (Progress) -> Void = { _ in }, found: (Finding, TestRun) -> Void = { _, _ in },
    isInterrupted: () -> Bool = { false }
  ) -> RunReport {
    let start = MonotonicClock.nanoseconds
    func elapsed() -> Double { MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) }
    let total = groups.reduce(0) { $0 + $1.cases.count }
    for group in groups where !isInterrupted() {
      for contender in contenders { contender.begin(group.setting, windowSeconds: group.windowSeconds) }
      for test in group.cases where !isInterrupted() {
        for finding in assess(test, group.setting, isInterrupted) {
          findings.append(finding)
          found(finding, self)
        }
        done += 1
        progress(Progress(done: done, total: total, findings: findings.count, elapsed: elapsed()))
      }
      for (index, contender) in contenders.enumerated() {
        for remark in contender.end() { scores[index].remark(remark) }
      }
    }
    for index in scores.indices {
      scores[index].notReached = total - scores[index].records.count
      scores[index].isOfWholeSuite = isWholeSuite && scores[index].notReached == 0
    }
    noteIdentities()
    return RunReport(
      strictness: strictness, gate: gate, testCount: scores.map(\.records.count).min() ?? done, plannedCount: total,
      scores: scores, findings: Self.ranked(findings), duration: elapsed())
  }

  /// The worst first; among equals forgeries first, and then those that anybody can make.
  private static func ranked(_ findings: [Finding]) -> [Finding] {
    findings.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      guard one.severity == other.severity else { return one.severity < other.severity }
      guard one.isForgery == other.isForgery else { return one.isForgery }
      return (one.makerRank, one.kind, left.offset) < (other.makerRank, other.kind, right.offset)
    }.map(\.element)
  }

  /// Shrinks the test of a finding; nil after a time-out or if nothing can be removed. The kinds of the first engine's
  /// verdict and of the contender's answer stay the same. Call it only while the finding's setting is loaded.
  public func shrink(_ finding: Finding) -> TestCase? {
    guard let arbiter = engines.first, finding.kind != .timedOut else { return nil }
    let right = arbiter.decide(finding.test)
    let contender: any Contender
    if finding.contender < engines.count {
      contender = engines[finding.contender]
    } else {
      // Another process of the program: failures while shrinking count towards no limit.
      contender = ExternalContender(externals[finding.contender - engines.count].program, failureLimit: .max)
      contender.begin(finding.setting, windowSeconds: finding.test.context.policy.windowSeconds)
    }
    defer { if finding.contender >= engines.count { _ = contender.end() } }
    let request = Shrinker().shrink(finding.test.request) { request in
      let test = finding.test.with(request: request)
      return arbiter.decide(test).resembles(right) && contender.decide(test).resembles(finding.decision)
    }
    guard request.count < finding.test.request.count else { return nil }
    let test = finding.test.with(request: request)
    return test.with(request: request, expected: arbiter.decide(test).expectation)
  }

  private var contenders: [any Contender] { engines + externals }

  private func assess(_ test: TestCase, _ setting: TestSetting, _ isInterrupted: () -> Bool) -> [Finding] {
    let decisions = contenders.map { $0.decide(test) }
    let reasons = contenders.map(\.lastReason)
    let expected = test.expected ?? (engines.isEmpty ? nil : decisions[0].expectation)
    var found: [Finding] = []
    for (index, contender) in contenders.enumerated() {
      let decision = decisions[index]
      // The interrupt came before its answer.
      if decision == .notAsked, isInterrupted() { continue }
      let identity = index < engines.count ? nil : externals[index - engines.count].identity
      let asked = test.with(request: test.request, expected: expected).asked(of: identity)
      let assessment =
        index < engines.count
        ? assess(decision, of: engines[index], expected: expected, first: decisions[0])
        : Assessment(decision, on: asked, expected: asked.expected, strictness: strictness)
      let lacking = decision == .unsupported ? identity?.lacking(for: test, setting: setting) : nil
      var finding: Finding?
      if case .finding(let kind) = assessment {
        let failed = if case .failed = decision { true } else { false }
        finding = Finding(
          contender: index, kind: kind, setting: setting, test: asked.with(request: test.request, expected: expected),
          decision: decision, lastWords: failed ? contender.lastWords : [], reason: reasons[index])
      }
      scores[index].add(
        assessment, of: decision, on: asked, finding: finding, reason: reasons[index], lacking: lacking ?? [])
      if let finding { found.append(finding) }
    }
    return found
  }

  /// Engines are held to more than programs: to stage and member of a fault, and to all contents of an accepted token.
  /// They must agree with each other and with the expected verdict.
  private func assess(
    _ decision: Decision, of engine: EngineContender, expected: TestVerdict?, first: Decision
  ) -> Assessment {
    let assessment = Assessment(decision, expected: expected, strictness: .code)
    guard assessment == .passed else { return assessment }
    guard case .rejected(_, let stage, let member) = decision else {
      guard !first.isRejection, let right = engines[0].verdict else { return .passed }
      return engine.verdict == right ? .passed : .finding(.wrongContents)
    }
    guard decision == first || !first.isRejection else { return .finding(.wrongCode) }
    guard case .reject(let right)? = expected else { return .passed }
    let isRight = stage == right.stage.rawValue && (right.member == nil || member == right.member?.path)
    return isRight ? .passed : .finding(.wrongCode)
  }

  private func noteIdentities() {
    for (offset, external) in externals.enumerated() {
      let index = engines.count + offset
      scores[index].identity = external.identity
      scores[index].restarts = external.restarts
      scores[index].lateAnswers = external.lateAnswers
      scores[index].isGivenUp = external.isGivenUp
      scores[index].couldNotRun = external.couldNotRun
    }
  }
}
