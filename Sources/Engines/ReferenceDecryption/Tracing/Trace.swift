package import PaymentToken

/// The stages of one verification in order, with the facts that each found. It contains no secrets. Of the decrypted
/// data it contains only the currency of a payment that is not the expected one, the factor between its
/// amount and the expected one, and the form of a member that breaks a rule.
///
/// Facts about a rejected token are claims of the token and may be false.
package struct Trace: Hashable, Sendable {
  /// Stages 1 to 14, each exactly once, preceded by stage 0 unless the request was read as the token itself.
  package private(set) var stages: [StageTrace]

  /// A trace in which no stage has been reached.
  package init() {
    stages = VerificationStage.allCases.filter { $0 != .envelope }.map { StageTrace(stage: $0) }
  }

  /// The trace of one stage; nil for stage 0 if the request was read as the token itself.
  package subscript(stage: VerificationStage) -> StageTrace? { stages.first { $0.stage == stage } }

  /// All facts in the order they were found.
  package var facts: [TraceFact] { stages.flatMap(\.facts) }

  /// Begins a stage, which marks those before it as passed.
  mutating func begin(_ stage: VerificationStage) {
    if stage == .envelope { stages.insert(StageTrace(stage: .envelope), at: 0) }
    pass { $0 < stage }
    current = stages.firstIndex { $0.stage == stage }
  }

  /// Removes stage 0, because the request is the token itself.
  mutating func removeEnvelopeStage() { stages.removeAll { $0.stage == .envelope } }

  /// Marks the stages that are skipped for unsigned tokens.
  mutating func omit(_ omitted: ClosedRange<VerificationStage>) {
    for index in stages.indices where omitted.contains(stages[index].stage) { stages[index].outcome = .omitted }
  }

  /// Records a fact at the current stage.
  mutating func note(_ fact: TraceFact) {
    guard let current else { return }
    stages[current].facts.append(fact)
  }

  /// Records that the current stage rejected the token.
  mutating func fail(_ fault: TokenFault) {
    guard let current else { return }
    stages[current].outcome = .failed(fault)
  }

  /// Records that every stage has passed.
  mutating func succeed() { pass { _ in true } }

  private mutating func pass(where isDecided: (VerificationStage) -> Bool) {
    for index in stages.indices where stages[index].outcome == .notReached && isDecided(stages[index].stage) {
      stages[index].outcome = .passed
    }
  }

  private var current: Int?
}

/// The outcome of one stage and the facts that it found.
package struct StageTrace: Hashable, Sendable {
  /// The stage.
  package let stage: VerificationStage
  /// How the stage ended.
  package internal(set) var outcome = Outcome.notReached
  /// The facts in the order in which they were found.
  package internal(set) var facts: [TraceFact] = []

  /// How a stage ended.
  package enum Outcome: Hashable, Sendable {
    /// Every rule of the stage passed.
    case passed
    /// The stage rejected the token.
    case failed(TokenFault)
    /// An earlier stage rejected the token.
    case notReached
    /// Skipped, because the token is unsigned and the caller accepts unsigned tokens.
    case omitted
  }
}
