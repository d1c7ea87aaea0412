/// What a gateway's response says, and what the merchant should do next.
public struct GatewayAnswer: Hashable, Sendable {
  /// The state of the payment, or of the order to be paid.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Paid, approved, or the order was made.
    case succeeded
    /// Only a part was paid or approved.
    case partial
    /// Paid and refunded in full.
    case refunded
    /// Refused; no money was taken.
    case refused
    /// The response does not say; money may have moved.
    case unknown
  }

  /// A fact in the response, named by its path.
  public struct Fact: Hashable, Sendable {
    public let path: String
    public let value: String
  }

  static func facts(_ values: [(path: String, value: String?)]) -> [Fact] {
    values.compactMap { path, value in value.map { Fact(path: path, value: $0) } }
  }

  /// The state of the payment or order.
  public let outcome: Outcome
  /// The facts in the order of the document; account numbers only if masked.
  public let facts: [Fact]
  /// What to do next, one or two sentences.
  public let advice: String

  public init(outcome: Outcome, facts: [Fact], advice: String) {
    self.outcome = outcome
    self.facts = facts
    self.advice = advice
  }

  /// The answer, with an unknown outcome if the response violates its document or belongs to another order.
  ///
  /// - Parameters:
  ///   - problems: what a check of the response found.
  ///   - differences: paths at which it differs from the order that was sent.
  public func downgraded(problems: [BodyProblem] = [], differences: [String] = []) -> GatewayAnswer {
    guard !problems.isEmpty || !differences.isEmpty else { return self }
    let reason =
      differences.isEmpty
      ? "The response violates the gateway's document" : "The response does not match the order that was sent"
    return GatewayAnswer(
      outcome: .unknown, facts: facts,
      advice: "\(reason): deliver nothing, show no payment sheet, and ask for the order's state.")
  }
}
