public import PaymentToken
public import TestCases

/// What two engines decided about one input.
public struct Comparison: Sendable {
  public let first: Verdict
  public let second: Verdict

  /// Asks both engines, each with a replay store of its own.
  public init(of input: TestInput, by engines: (any TokenDecryptor, any TokenDecryptor)) {
    first = input.verdict(by: engines.0)
    second = input.verdict(by: engines.1)
  }

  /// Same verdict; the same code, stage and member, or the same token to the last byte of its plaintext.
  public var agrees: Bool { first == second }
}
