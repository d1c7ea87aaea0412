/// What a gateway's response says, and what the merchant should do next.
public struct GatewayAnswer: Hashable, Sendable {
  /// The state of the payment, or of the order to be paid, from the best to the worst.
  @nonexhaustive
  public enum Outcome: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Paid, approved, or the order was made.
    case succeeded
    /// Only a part was paid or approved, or a part was returned.
    case partial
    /// Paid and refunded or charged back in full.
    case refunded
    /// Refused; no money was taken.
    case refused
    /// The response does not say; money may have moved.
    case unknown

    /// Whether an outcome is better than another.
    public static func < (outcome: Outcome, other: Outcome) -> Bool { outcome.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }
  }

  /// A fact in the response, named by its path.
  public struct Fact: Hashable, Sendable {
    public let path: String
    public let value: String
  }

  /// Two members that contradict each other, or a member and the order that was sent.
  public struct Contradiction: Hashable, Sendable {
    public let path: String
    /// Another path, or words for the order.
    public let other: String
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
  /// What makes the outcome unknown: members that contradict each other or the order.
  public let contradictions: [Contradiction]
  /// What makes the outcome unknown: paths whose value cannot be read or is not described.
  public let unclear: [String]
  /// The paths that were compared with the order that was sent; none if no order was given. If none of the
  /// names of a given order was compared, or not the amount of an order without names, a success is unknown instead.
  public let compared: [String]
  /// What the order has and the response lacks, by the names of an order document.
  public let uncompared: [String]
  /// The paths of `compared` whose values contradict the order.
  public let differences: [String]
}
