public import Differential
public import PaymentToken
public import TestCases

/// Makes a pair of engines that have seen nothing yet, over the workshop's keys and roots.
public typealias EnginePair = () -> (any TokenDecryptor, any TokenDecryptor)

/// Puts samples to both engines and holds the answers against what must hold.
///
/// The engines stay the same, so that what they remember is put to the test as well.
public struct Examiner {
  /// What one input may cost.
  public struct Bounds: Sendable {
    /// Processor time of both engines together, in nanoseconds.
    public var nanoseconds: UInt64 = 500_000_000
    /// Growth of the process, in KiB.
    public var kibibytes = 64 << 10

    public init() {}
  }

  /// What came of a sample.
  public struct Examination: Sendable {
    public let comparison: Comparison
    /// Processor time of both engines, in nanoseconds.
    public let cost: UInt64
    public let violation: Violation?
  }

  let workshop: Workshop
  private let make: EnginePair
  private let bounds: Bounds
  private var engines: (any TokenDecryptor, any TokenDecryptor)

  public init(workshop: Workshop, engines: @escaping EnginePair, bounds: Bounds = Bounds()) {
    self.workshop = workshop
    self.bounds = bounds
    make = engines
    self.engines = engines()
  }

  /// The same properties with engines that have seen nothing yet.
  public func fresh() -> Examiner { Examiner(workshop: workshop, engines: make, bounds: bounds) }

  /// Asks both engines and judges.
  ///
  /// - Parameter expected: what must be said, where that is known.
  package mutating func examine(_ sample: TestInput, expected: TestVerdict? = nil) -> Examination {
    let memory = ProcessorClock.peakMemory
    let start = ProcessorClock.nanoseconds
    let comparison = compare(sample)
    let cost = ProcessorClock.nanoseconds - start
    let growth = ProcessorClock.peakMemory - memory
    return Examination(
      comparison: comparison, cost: cost,
      violation: violation(sample, comparison, cost: cost, growth: growth) ?? contradiction(comparison, expected))
  }

  /// Asks both engines.
  public func compare(_ sample: TestInput) -> Comparison { Comparison(of: sample, by: engines) }

  private func violation(
    _ sample: TestInput, _ comparison: Comparison, cost: UInt64, growth: Int
  ) -> Violation? {
    guard comparison.agrees else {
      return Violation(.disagreement, Self.text(comparison.first), Self.text(comparison.second))
    }
    if case .success(.signed(let token)) = comparison.first, !workshop.signed(token, in: sample) {
      return Violation(.forgery, "accepted", "signed by nobody")
    }
    if growth > bounds.kibibytes { return Violation(.memory, Self.text(comparison.first), "bound exceeded") }
    // A machine that was busy is asked again.
    if cost > bounds.nanoseconds, confirmsCost(of: sample) {
      return Violation(.slow, Self.text(comparison.first), "bound exceeded")
    }
    return nil
  }

  private func contradiction(_ comparison: Comparison, _ expected: TestVerdict?) -> Violation? {
    guard let expected, TestVerdict(comparison.first) != expected else { return nil }
    let known =
      switch expected {
      case .accept: "to be accepted"
      case .acceptUnsigned: "to be accepted unsigned"
      case .reject(let fault): "to be \(fault)"
      }
    return Violation(.verdict, Self.text(comparison.first), known)
  }

  private func confirmsCost(of sample: TestInput) -> Bool {
    for _ in 0..<2 {
      let start = ProcessorClock.nanoseconds
      _ = compare(sample)
      if ProcessorClock.nanoseconds - start <= bounds.nanoseconds { return false }
    }
    return true
  }

  /// Writes the sample otherwise and asks again; the answer must be the same.
  mutating func examine(
    _ rewriting: Rewriting, of sample: TestInput, answered verdict: Verdict, using random: inout QuickGenerator
  ) -> (sample: TestInput, violation: Violation)? {
    guard rewriting.applies(to: verdict),
      let rewritten = rewriting.apply(to: Draft(sample, in: workshop), using: &random)
    else { return nil }
    let comparison = compare(rewritten)
    guard comparison.agrees else {
      return (rewritten, Violation(.disagreement, Self.text(comparison.first), Self.text(comparison.second)))
    }
    guard comparison.first != verdict else { return nil }
    return (
      rewritten,
      Violation(.rewriting, "\(Self.text(verdict))", "\(Self.text(comparison.first)) by other \(rewriting.rawValue)")
    )
  }

  /// A verdict in words: nothing of the token.
  public static func text(_ verdict: Verdict) -> String {
    switch verdict {
    case .success(.signed): "accepted"
    case .success(.unsigned): "accepted unsigned"
    case .failure(let fault): fault.description
    }
  }
}
