public import Differential
public import PaymentToken
public import TestCases

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    /// Secret bytes in what is said about an input.
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

/// How much processor time this thread has used: what an input costs, whatever else the machine does.
enum ProcessorClock {
  /// Nanoseconds.
  static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The most memory this process ever had, in KiB.
  static var peakMemory: Int {
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss / 1_024
    #endif
  }
}

/// Looks for what must never be said: account numbers, cryptograms, names and keys in anything written about an input.
public struct SecretSearch: Sendable {
  private let secrets: [[UInt8]]

  /// What is secret of a payment.
  public init(_ payment: Payment, plaintext: [UInt8]) {
    var texts = [payment.applicationPrimaryAccountNumber]
    switch payment.paymentData {
    case .threeDSecure(let cryptogram, _): texts.append(cryptogram)
    case .emv(let data, let pin): texts += [data, pin ?? ""]
    }
    texts.append(payment.cardholderName ?? "")
    // Short ones are found anywhere.
    secrets = texts.map { Array($0.utf8) }.filter { $0.count >= 10 } + [plaintext]
  }

  /// Whether a text holds one of them, as it is, in hexadecimal or in base64.
  public func finds(in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return secrets.contains { secret in
      [secret, Array(Hex.encode(secret).utf8), Array(Base64.encode(secret).utf8.dropLast(4))].contains {
        $0.count >= 10 && CertificateEdits.contains(bytes, $0)
      }
    }
  }
}
