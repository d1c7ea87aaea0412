/// What must hold on every input, and did not.
public struct Violation: Hashable, Sendable {
  /// Which property was violated.
  public enum Kind: String, CaseIterable, Sendable {
    /// The engines decided differently.
    case disagreement
    /// Accepted, though the test signer never signed it.
    case forgery
    /// Both engines said the same, and it is not what the case is known to be.
    case verdict
    /// Written otherwise without another meaning, and answered otherwise.
    case rewriting
    /// More processor time than any input may cost.
    case slow
    /// More memory than any input may cost.
    case memory
    /// A process ended.
    case crash
    /// A process did not come back.
    case hang
    /// Secret octets in what is said about an input.
    case secret
    /// Two readers of one format differ: targets other than whole tokens.
    case readers
  }

  public let kind: Kind
  /// What the first engine said, or what is to be said; nothing of the input in it.
  public let first: String
  /// What the second said.
  public let second: String

  public init(_ kind: Kind, _ first: String, _ second: String) {
    self.kind = kind
    self.first = first
    self.second = second
  }

  /// What makes two findings the same one: the kind, and both verdicts with their stages.
  public var identity: String { "\(kind.rawValue): \(first) / \(second)" }
}
