public import PaymentToken

/// The stages of one verification in their order, with what was found on the way: nothing secret, nothing decrypted.
///
/// What it says of a refused token is what the token claims, not what is so.
public struct Trace: Hashable, Sendable {
  /// Stages 1-14, each exactly once, and stage 0 before them where the token came in an envelope.
  public private(set) var stages: [StageTrace]

  package init() {
    stages = VerificationStage.allCases.filter { $0 != .envelope }.map { StageTrace(stage: $0) }
  }

  /// What happened at a stage; nil for stage 0 where there is none.
  public subscript(stage: VerificationStage) -> StageTrace? { stages.first { $0.stage == stage } }

  /// All facts in the order they were found.
  public var facts: [TraceFact] { stages.flatMap(\.facts) }

  /// A stage begins, so those before have passed.
  mutating func begin(_ stage: VerificationStage) {
    if stage == .envelope { stages.insert(StageTrace(stage: .envelope), at: 0) }
    pass { $0 < stage }
    current = stages.firstIndex { $0.stage == stage }
  }

  /// No envelope fits, so there is no stage 0.
  mutating func withdrawEnvelope() { stages.removeAll { $0.stage == .envelope } }

  /// Stages that fall away for tokens that nobody signed.
  mutating func omit(_ omitted: ClosedRange<VerificationStage>) {
    for index in stages.indices where omitted.contains(stages[index].stage) { stages[index].outcome = .omitted }
  }

  /// Something was found at the current stage.
  mutating func note(_ fact: TraceFact) {
    guard let current else { return }
    stages[current].facts.append(fact)
  }

  /// The current stage refused the token.
  mutating func fail(_ fault: TokenFault) {
    guard let current else { return }
    stages[current].outcome = .failed(fault)
  }

  /// Every stage has passed.
  mutating func succeed() {
    pass { _ in true }
  }

  private mutating func pass(where isDecided: (VerificationStage) -> Bool) {
    for index in stages.indices where stages[index].outcome == .notReached && isDecided(stages[index].stage) {
      stages[index].outcome = .passed
    }
  }

  private var current: Int?
}

/// What happened at one stage.
public struct StageTrace: Hashable, Sendable {
  public let stage: VerificationStage
  public internal(set) var outcome = Outcome.notReached
  /// In the order found.
  public internal(set) var facts: [TraceFact] = []

  init(stage: VerificationStage) {
    self.stage = stage
  }

  /// How a stage ended.
  public enum Outcome: Hashable, Sendable {
    case passed
    case failed(TokenFault)
    case notReached
    /// Not asked for, because nobody signed the token and the caller takes it all the same.
    case omitted
  }
}
