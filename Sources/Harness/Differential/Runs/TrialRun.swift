import PaymentToken

/// Asks every contender about every trial, and judges at once.
public final class TrialRun {
  /// How far a run is.
  public struct Progress: Sendable {
    public let done: Int
    public let total: Int
    public let findings: Int
    /// Seconds.
    public let elapsed: Double
  }

  private let engines: [EngineContender]
  private let externals: [ExternalContender]
  private let strictness: Strictness
  private var scores: [Score]
  private var findings: [Finding] = []
  private var done = 0

  /// - Parameters:
  ///   - engines: the first one's verdict counts where nobody has said what is right.
  ///   - strictness: of externals; engines are always held to codes.
  public init(engines: [EngineContender], externals: [ExternalContender], strictness: Strictness) {
    self.engines = engines
    self.externals = externals
    self.strictness = strictness
    scores =
      engines.map { Score(name: $0.name, isEngine: true, command: nil) }
      + externals.map { Score(name: $0.program.command, isEngine: false, command: $0.program.command) }
  }

  /// Runs them all.
  ///
  /// - Parameters:
  ///   - progress: called after each trial.
  ///   - found: called for each finding at once, while the setting is loaded.
  ///   - isInterrupted: asked before each trial: whether to end here.
  public func run(
    _ groups: [TrialGroup], progress: (Progress) -> Void = { _ in }, found: (Finding, TrialRun) -> Void = { _, _ in },
    isInterrupted: () -> Bool = { false }
  ) -> RunReport {
    let clock = ContinuousClock()
    let start = clock.now
    let total = groups.reduce(0) { $0 + $1.trials.count }
    for group in groups where !isInterrupted() {
      for contender in contenders { contender.begin(group.setting) }
      for trial in group.trials where !isInterrupted() {
        for finding in judge(trial, group.setting) {
          findings.append(finding)
          found(finding, self)
        }
        done += 1
        progress(
          Progress(done: done, total: total, findings: findings.count, elapsed: Self.seconds(clock.now - start)))
      }
      for (index, contender) in contenders.enumerated() {
        for remark in contender.end() { scores[index].remark(remark) }
      }
    }
    noteIdentities()
    return RunReport(
      strictness: strictness, trials: done, scores: scores, findings: findings.sorted { $0.kind < $1.kind },
      duration: Self.seconds(clock.now - start), isInterrupted: done < total)
  }

  /// The trial of a finding made smaller, with the same verdict of the first engine and the same kind of answer of the
  /// contender. Only while the finding's setting is loaded.
  public func shrink(_ finding: Finding, shrinker: Shrinker = Shrinker()) -> Trial? {
    guard let arbiter = engines.first, finding.kind != .timedOut else { return nil }
    let right = arbiter.decide(finding.trial)
    // A process of its own: what it fails at here does not count.
    let contender: any Contender
    if finding.contender < engines.count {
      contender = engines[finding.contender]
    } else {
      contender = ExternalContender(externals[finding.contender - engines.count].program, failureLimit: .max)
      contender.begin(finding.setting)
    }
    defer { if finding.contender >= engines.count { _ = contender.end() } }
    let token = shrinker.shrink(finding.trial.token) { token in
      let trial = finding.trial.with(token: token)
      return arbiter.decide(trial).resembles(right) && contender.decide(trial).resembles(finding.decision)
    }
    guard token.count < finding.trial.token.count else { return nil }
    let trial = finding.trial.with(token: token)
    return trial.with(token: token, expected: Self.expectation(of: arbiter.decide(trial)))
  }

  private var contenders: [any Contender] { engines + externals }

  private func judge(_ trial: Trial, _ setting: TrialSetting) -> [Finding] {
    let decisions = contenders.map { $0.decide(trial) }
    let expected = trial.expected ?? (engines.isEmpty ? nil : Self.expectation(of: decisions[0]))
    var found: [Finding] = []
    for (index, contender) in contenders.enumerated() {
      let decision = decisions[index]
      let judgement = judge(decision, expected: expected, isEngine: index < engines.count, first: decisions[0])
      scores[index].add(judgement, of: decision, on: trial)
      guard case .finding(let kind) = judgement else { continue }
      let failed = if case .failed = decision { true } else { false }
      found.append(
        Finding(
          contender: index, kind: kind, setting: setting, trial: trial.with(token: trial.token, expected: expected),
          decision: decision, lastWords: failed ? contender.lastWords : []))
    }
    return found
  }

  private func judge(
    _ decision: Decision, expected: Trial.Expectation?, isEngine: Bool, first: Decision
  ) -> Judgement {
    guard let expected else {
      // The first engine did not decide: there is nothing to be held against, but failing is a finding all the same.
      let judgement = Judgement(decision, expected: .reject(nil), strictness: .accept)
      return judgement == .finding(.acceptedForgery) || judgement == .held ? .unsupported : judgement
    }
    let judgement = Judgement(decision, expected: expected, strictness: isEngine ? .code : strictness)
    // Engines name stage and member, have to agree about them, and to be right where they are known.
    guard isEngine, judgement == .held, case .rejected(_, let stage, let member) = decision else { return judgement }
    guard decision == first || !first.isRejection else { return .finding(.wrongCode) }
    guard case .reject(let right?) = expected else { return .held }
    let isRight = stage == right.stage.rawValue && (right.member == nil || member == right.member?.path)
    return isRight ? .held : .finding(.wrongCode)
  }

  private func noteIdentities() {
    for (offset, external) in externals.enumerated() {
      let index = engines.count + offset
      scores[index].identity = external.identity
      scores[index].restarts = external.restarts
      scores[index].isGivenUp = external.isGivenUp
      scores[index].couldNotRun = external.couldNotRun
    }
  }

  private static func expectation(of decision: Decision) -> Trial.Expectation? {
    switch decision {
    case .accepted(let plaintext): return .accept(plaintext: plaintext)
    case .rejected(let code, let stage, let member):
      guard let code = code.flatMap(TokenFault.Code.init(rawValue:)) else { return nil }
      return .reject(
        TokenFault(
          code, stage: stage.flatMap(VerificationStage.init(rawValue:)) ?? code.stage,
          member: member.flatMap(TokenMember.init(rawValue:))))
    default: return nil
    }
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}
