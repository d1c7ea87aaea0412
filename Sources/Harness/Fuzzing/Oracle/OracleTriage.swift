import Differential
import HostIO
import PaymentToken
import TestCases

/// Turns a wrong decision of an external program into a finding: replayed three times by fresh processes, and shrunk as
/// long as the engines' verdict and the program's decision stay the same.
struct OracleTriage {
  let plan: ExternalPlan
  let engines: FuzzEngines
  private static let replayCount = 3
  /// How long samples are repeated to see whether memory grows again, in seconds.
  private static let growthSeconds = 20.0

  func finding(of wrong: WrongDecision, _ test: TestCase) -> FuzzFinding<TestInput> {
    var finding = FuzzFinding(wrong.violation, test.input, mutations: test.flags)
    finding.severity = wrong.severity
    if case .failed(.ended(.killed(let signal), _)) = wrong.decision {
      finding.wasKilledExternally = CrashReport.wasKilledExternally(signal: signal)
    }
    if wrong.violation.kind.isShrunk, shows(wrong, test) {
      finding.sample.request = shrunk(wrong, test, by: Shrinker(milliseconds: 2_000))
    }
    let smallest = test.with(request: finding.sample.request, expected: test.expected)
    finding.replays = (0..<Self.replayCount).count { _ in shows(wrong, smallest) }
    return finding
  }

  /// Whether a fresh process gives no answer to a test.
  func fails(_ test: TestCase) -> Bool {
    if case .failed = decision(on: test) { true } else { false }
  }

  /// The decision of a fresh process.
  func decision(on test: TestCase) -> Decision {
    withContender { contender in
      let decision = contender.decide(test)
      _ = contender.end()
      return contender.hasAnsweredTwice ? .failed(.unasked) : decision
    }
  }

  private func shows(_ wrong: WrongDecision, _ test: TestCase) -> Bool {
    isAsWrong(decision(on: test), wrong, test)
  }

  /// Whether a decision is of the same kind, and wrong too: another plaintext than before may be the right one.
  private func isAsWrong(_ decision: Decision, _ wrong: WrongDecision, _ test: TestCase) -> Bool {
    decision.resembles(wrong.decision) && WrongDecision(decision, on: test, strictness: plan.strictness) != nil
  }

  fileprivate func shrunk(_ wrong: WrongDecision, _ test: TestCase, by shrinker: Shrinker) -> [UInt8] {
    let isForgery = wrong.violation.kind == .forgery
    return withContender { contender in
      shrinker.shrink(test.request) { request in
        let smaller = TestInput(request, test.context)
        let verdict = TestVerdict(smaller.verdict(by: engines.reference))
        // Signed content must stay signed, or it would be another finding.
        guard verdict == test.expected, isForgery || engines.sampleSigner.hasSignedContent(smaller, verdict)
        else { return false }
        let candidate = test.with(request: request, expected: verdict)
        return isAsWrong(contender.decide(candidate), wrong, candidate)
      }
    }
  }

  /// Whether a fresh process that decides these samples repeatedly grows by a quarter of the limit; nil if it does not
  /// decide all of them.
  func grows(_ tests: [TestCase]) -> Bool? {
    let window = engines.sampleSigner.defaultContext.policy.windowSeconds
    guard
      let pipeline = try? ExternalPipeline(
        plan.program, engines.sampleSigner.setting, windowSeconds: window, depth: plan.depth)
    else {
      return nil
    }
    defer { pipeline.kill() }
    let start = MonotonicClock.nanoseconds
    var baseline: Int?
    var next = 0
    while MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds) < Self.growthSeconds {
      while pipeline.hasRoom {
        pipeline.send(tests[next % tests.count])
        next += 1
      }
      let hasFailed = pipeline.events(milliseconds: 50).contains { if case .failed = $0 { true } else { false } }
      if hasFailed { return nil }
      guard pipeline.answerCount >= tests.count, let bytes = pipeline.residentBytes else { continue }
      guard let before = baseline else {
        baseline = bytes
        continue
      }
      if bytes - before > plan.growthLimit / 4 { return true }
    }
    return baseline.map { _ in false }
  }

  fileprivate func withContender<Result>(_ body: (ExternalContender) -> Result) -> Result {
    let contender = ExternalContender(plan.program, failureLimit: .max)
    contender.begin(
      engines.sampleSigner.setting, windowSeconds: engines.sampleSigner.defaultContext.policy.windowSeconds)
    defer { _ = contender.end() }
    return body(contender)
  }
}

/// A finding or a sample, decided by an external program again.
struct OracleReplay {
  let text: String
  let violation: Violation?
  /// Whether the program has accepted or refused the sample.
  let isDecided: Bool
  private let triage: OracleTriage
  private let test: TestCase
  private let wrong: WrongDecision?

  init(_ finding: FindingFiles, _ comparison: Comparison, _ engines: FuzzEngines, _ plan: ExternalPlan) {
    triage = OracleTriage(plan: plan, engines: engines)
    let expected = TestVerdict(comparison.second)
    var test = TestCase(id: "sample", input: finding.sample, expected: expected)
    if case .reject(let fault) = expected {
      let isSigned = engines.sampleSigner.hasSignedContent(finding.sample, expected)
      test.standing = SampleStanding.of(fault, isSigned: isSigned)
    }
    self.test = test
    if finding.record?.violation.kind == .memory {
      let grows = triage.grows(finding.before.map { TestCase(id: "sample", input: $0, expected: nil) } + [test])
      text =
        switch grows {
        case true?: "grew beyond a quarter of the limit"
        case false?: "did not grow beyond a quarter of the limit in 20 s"
        case nil: "did not decide the samples"
        }
      violation = grows == true ? Violation(.memory, "decided samples", "resident memory grew beyond the limit") : nil
      isDecided = grows != nil
      wrong = nil
      return
    }
    let (decision, hasStarted) = triage.withContender { ($0.decide(test), $0.identity != nil) }
    isDecided =
      switch decision {
      case .accepted, .rejected: true
      default: false
      }
    let wrong = hasStarted ? WrongDecision(decision, on: test, strictness: plan.strictness) : nil
    text = "\(decision)"
    violation = wrong.flatMap { $0.severity <= plan.level ? $0.violation : nil }
    self.wrong = wrong
  }

  /// The request, shrunk as long as the program decides it in the same way; as it is for kinds that are not shrunk.
  func shrunk(by shrinker: Shrinker) -> [UInt8] {
    guard let wrong, violation?.kind.isShrunk == true else { return test.request }
    return triage.shrunk(wrong, test, by: shrinker)
  }
}
