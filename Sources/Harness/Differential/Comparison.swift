public import PaymentToken
public import TestCases

/// The verdicts of two engines on one input.
public struct Comparison: Sendable {
  public let first: Verdict
  public let second: Verdict

  package init(_ first: Verdict, _ second: Verdict) {
    self.first = first
    self.second = second
  }

  /// Runs both engines, each with its own replay store.
  public init(of input: TestInput, by engines: (any TokenDecryptor, any TokenDecryptor)) {
    first = input.verdict(by: engines.0)
    second = input.verdict(by: engines.1)
  }

  /// Whether the verdicts are equal: the same code, stage and member, or the same token including its plaintext.
  public var agrees: Bool { first == second }
}
