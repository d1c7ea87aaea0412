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
  /// The engines, then the externals.
  private let contenders: [any Contender]
  private let strictness: Strictness
  private let failurePolicy: FailurePolicy
  private let isWholeSuite: Bool
  /// The outcomes of each contender's tests, and how its processes ended.
  private var records: [[Score.Record]]
  private var remarks: [[String]]
  private var findings: [Finding] = []
  /// The record of each contender's last answer, until it is known that no other line follows that answer.
  private var unsettled: [Int?]
  private var done = 0

  /// - Parameters:
  ///   - engines: the verdict of the first is the expected verdict of a test that has none.
  ///   - strictness: for externals; engines must always agree about codes.
  ///   - failurePolicy: which findings about externals fail the run; by default those of the default level of
  ///     `strictness` and worse.
  ///   - isWholeSuite: whether the tests are those of a whole suite; only then can the verdict be `decides correctly`.
  public init(
    engines: [EngineContender], externals: [ExternalContender], strictness: Strictness,
    failurePolicy: FailurePolicy? = nil,
    isWholeSuite: Bool = false
  ) {
    self.failurePolicy = failurePolicy ?? FailurePolicy(level: strictness.defaultLevel)
    self.isWholeSuite = isWholeSuite
    self.engines = engines
    contenders = engines + externals
    self.strictness = strictness
    records = Array(repeating: [], count: contenders.count)
    remarks = Array(repeating: [], count: contenders.count)
    unsettled = Array(repeating: nil, count: contenders.count)
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
    func note(_ more: [Finding]) {
      for finding in more {
        findings.append(finding)
        found(finding, self)
      }
    }
    let total = groups.reduce(0) { $0 + $1.cases.count }
    for group in groups where !isInterrupted() {
      for contender in contenders { contender.begin(group.setting, windowSeconds: group.windowSeconds) }
      for test in group.cases where !isInterrupted() {
        note(assess(test, group.setting, isInterrupted))
        done += 1
        progress(Progress(done: done, total: total, findings: findings.count, elapsed: elapsed()))
      }
      for (index, contender) in contenders.enumerated() {
        for remark in contender.end() where !remarks[index].contains(remark) { remarks[index].append(remark) }
        note(settle(index, group.setting))
      }
    }
    let scores = contenders.enumerated().map { index, contender in
      Score(
        contender, records: records[index], remarks: remarks[index], planned: total, isWholeSuite: isWholeSuite)
    }
    return RunReport(
      strictness: strictness, failurePolicy: failurePolicy, testCount: records.map(\.count).min() ?? done,
      plannedCount: total,
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

  /// Shrinks the test of a finding; nil after a time-out, if the finding does not repeat or if nothing can be removed.
  /// The kinds of the first engine's verdict, of the contender's answer and of the finding stay the same. Call it only
  /// while the finding's setting is loaded.
  public func shrink(_ finding: Finding) -> TestCase? {
    guard let arbiter = engines.first, finding.kind != .timedOut else { return nil }
    let right = arbiter.decide(finding.test)
    var contender = contenders[finding.contender]
    if let external = contender as? ExternalContender {
      // Another process of the program: failures while shrinking count towards no limit.
      contender = ExternalContender(external.program, failureLimit: .max)
      contender.begin(finding.setting, windowSeconds: finding.test.context.policy.windowSeconds)
    }
    defer { if contender is ExternalContender { _ = contender.end() } }
    func keeps(_ request: [UInt8]) -> Bool {
      var test = finding.test.with(request: request)
      let verdict = arbiter.decide(test)
      guard verdict.resembles(right) else { return false }
      let decision = contender.decide(test)
      guard decision.resembles(finding.decision) else { return false }
      // What is returned for a valid token must be wrong as before.
      guard case .accepted = decision, !verdict.isRejection, finding.test.expected?.isAccepted == true else {
        return true
      }
      test.expected = finding.contender == 0 ? finding.test.expected : arbiter.expectation
      return assess(decision, of: contender, on: test, first: verdict) == .finding(finding.kind)
    }
    guard keeps(finding.test.request) else { return nil }
    let request = Shrinker().shrink(finding.test.request, keeps: keeps)
    guard request.count < finding.test.request.count else { return nil }
    _ = arbiter.decide(finding.test.with(request: request))
    return finding.test.with(request: request, expected: arbiter.expectation)
  }

  private func assess(_ test: TestCase, _ setting: TestSetting, _ isInterrupted: () -> Bool) -> [Finding] {
    let decisions = contenders.map { $0.decide(test) }
    var found: [Finding] = []
    for (index, contender) in contenders.enumerated() {
      let decision = decisions[index]
      let external = contender as? ExternalContender
      // A test that the program was not asked ends nothing.
      if decision != .unsupported || external?.hasAnsweredTwice == true { found += settle(index, setting) }
      // The interrupt came before its answer.
      if decision == .notAsked, isInterrupted() { continue }
      let expected = expected(of: test, by: engines.isEmpty ? decision : decisions[0])
      let asked = test.with(request: test.request, expected: expected).asked(of: external?.identity)
      let assessment = assess(decision, of: contender, on: asked, first: decisions[0])
      let lacking = decision == .unsupported ? external?.identity?.lacking(for: test, setting: setting) : nil
      let failed = if case .failed = decision { true } else { false }
      if decision != .unsupported { unsettled[index] = records[index].count }
      records[index].append(
        Score.Record(
          test: asked, expected: expected, decision: decision, assessment: assessment,
          standardErrorTail: failed ? external?.standardErrorTail ?? [] : [], reason: external?.lastReason,
          lacking: lacking ?? []))
    }
    return found
  }

  /// Ends the wait for another line after the last answer of a contender. If one came, the answer is void.
  private func settle(_ index: Int, _ setting: TestSetting) -> [Finding] {
    guard let position = unsettled[index] else { return [] }
    unsettled[index] = nil
    var record = records[index][position]
    if (contenders[index] as? ExternalContender)?.hasAnsweredTwice == true {
      (record.decision, record.assessment) = (.failed(.unasked), .finding(.brokeProtocol))
    }
    record.finding = Finding(record, of: index, under: setting)
    records[index][position] = record
    return [record.finding].compactMap(\.self)
  }

  /// The verdict of a test, else that of the first engine. Vectors do not say whether a token that the unsigned policy
  /// accepts is signed: the first engine does, and without engines any answer is right.
  private func expected(of test: TestCase, by arbiter: Decision) -> TestVerdict? {
    guard let written = test.expected else { return engines.first?.expectation }
    guard test.context.policy.isUnsigned, case .accept(let plaintext) = written,
      case .accepted(_, isSigned: false) = arbiter
    else { return written }
    return .acceptUnsigned(plaintext: plaintext)
  }

  /// Engines are held to more than programs: to stage and member of a fault, and to all contents of an accepted token.
  /// They must agree with each other and with the expected verdict.
  private func assess(
    _ decision: Decision, of contender: any Contender, on test: TestCase, first: Decision
  ) -> Assessment {
    guard let engine = contender as? EngineContender else {
      return Assessment(decision, on: test, expected: test.expected, strictness: strictness)
    }
    let assessment = Assessment(decision, expected: test.expected, strictness: .code)
    guard assessment == .passed else { return assessment }
    guard case .rejected(_, let stage, let member) = decision else {
      guard !first.isRejection, let right = engines[0].verdict else { return .passed }
      return engine.verdict == right ? .passed : .finding(.wrongContents)
    }
    guard decision == first || !first.isRejection else { return .finding(.wrongCode) }
    guard case .reject(let right)? = test.expected else { return .passed }
    let isRight = stage == right.stage.rawValue && (right.member == nil || member == right.member?.path)
    return isRight ? .passed : .finding(.wrongCode)
  }
}
