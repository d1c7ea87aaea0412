/// What a gateway's answer says, and what a merchant does next.
public struct GatewayAnswer: Hashable, Sendable {
  /// How it stands with the payment, or with the order that is to be paid.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It was done: paid, approved, or the order made.
    case succeeded
    /// Less than all of it was done.
    case partial
    /// It was done, and all of it has been returned.
    case refunded
    /// It was refused, and nothing was taken.
    case refused
    /// Nobody can tell from this answer: money may have moved.
    case unknown
  }

  /// One fact of the answer, named by its path.
  public struct Fact: Hashable, Sendable {
    public let path: String
    public let value: String
  }

  /// The facts of those paths that have a value.
  static func facts(_ values: [(path: String, value: String?)]) -> [Fact] {
    values.compactMap { path, value in value.map { Fact(path: path, value: $0) } }
  }

  /// How it stands.
  public let outcome: Outcome
  /// What the answer says, in the order of the document; account numbers only as far as they are masked.
  public let facts: [Fact]
  /// What to do next, one or two sentences.
  public let advice: String

  public init(outcome: Outcome, facts: [Fact], advice: String) {
    self.outcome = outcome
    self.facts = facts
    self.advice = advice
  }

  /// The same with what else is wrong taken into account: an answer that breaks its document, or is another order's, says nothing for
  /// sure.
  ///
  /// - Parameters:
  ///   - problems: what a check of the answer found.
  ///   - differences: paths at which it says otherwise than the order that it answers.
  public func downgraded(problems: [BodyProblem] = [], differences: [String] = []) -> GatewayAnswer {
    guard !problems.isEmpty || !differences.isEmpty else { return self }
    let reason =
      differences.isEmpty
      ? "The answer is not as its document describes it" : "The answer is not one to the order that was sent"
    return GatewayAnswer(
      outcome: .unknown, facts: facts,
      advice: "\(reason): deliver nothing, show no payment sheet, and ask for the order's state.")
  }
}
