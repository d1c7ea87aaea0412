import CMachine
public import Differential
import HostIO
import PaymentToken
public import TestCases

/// The engines under test, with the sample signer's keys and roots. The caller makes them: this library imports no
/// engine.
package struct FuzzEngines {
  package let sampleSigner: SampleSigner
  /// Decides the expected verdict when a finding is written as a test vector.
  package let reference: any TokenDecryptor
  /// Makes a fresh fast engine, and passes the complete reference engine with it.
  package var pair: () -> (any TokenDecryptor, any TokenDecryptor)
  /// Makes a second engine for the loop that may reuse results of signature checks, with an empty cache.
  package var reusing: (() -> any TokenDecryptor)?
  /// Makes the check that decides samples again in histories, with an empty memory; nil decides each alone.
  package var histories: ((HistoryCheck.Effort) -> HistoryCheck)?
  /// The text that `assay explain` prints about an input, which must not hold secrets.
  package var explanation: ((TestInput) -> String)?

  package init(
    sampleSigner: SampleSigner, reference: any TokenDecryptor,
    pair: @escaping () -> (any TokenDecryptor, any TokenDecryptor)
  ) {
    self.sampleSigner = sampleSigner
    self.reference = reference
    self.pair = pair
  }
}

/// Runs both engines on samples and checks most of the properties listed in `Violation.Kind`.
///
/// The engines are reused for all samples, so that their caches and buffers are tested as well.
///
/// The second engine may be replaced by one that reuses results (`FuzzEngines.reusing`), because the loop would
/// otherwise spend most of its time on signatures of unchanged certificates. The complete engine then decides again:
/// one in 32 samples at random, every sample on which the verdicts differ, and every accepted sample whose CMS has a
/// new feature (`confirm`). The last are chosen because only the complete engine cross-checks with OpenSSL, which reads
/// the CMS. So every `disagreement` is one of the complete engine. A wrong verdict of the engine that reuses results is
/// a violation of the kind `reuse`.
public struct Examiner {
  /// Which engines decide a sample, and how often again in histories.
  package enum Effort {
    /// The complete engines decide each sample alone.
    case alone
    /// As the loop does: with an engine that reuses results, and some samples again in histories. The seed chooses the
    /// samples that the complete engine decides again, and those decided in histories.
    case loop(seed: UInt64)
    /// For replays: every sample is decided in histories of every mode.
    case replay(reusesResults: Bool)
  }

  /// The limits of one input.
  public struct Bounds: Sendable {
    /// Processor time of both engines together, in nanoseconds.
    public var nanoseconds: UInt64 = 500_000_000
    /// Growth of the peak memory of the process, in KiB.
    public var kibibytes = 64 << 10

    public init() {}
  }

  /// The result of examining a sample.
  public struct Examination: Sendable {
    public let comparison: Comparison
    /// Whether the complete engine decided the sample again, after one that reuses results.
    public let isConfirmed: Bool
    public let violation: Violation?
    /// The other requests of the history that showed a violation.
    let companions: [TestInput]
    /// What the engines' code reached; empty unless this is a coverage build.
    package let coverage: [CoverageFeature]
  }

  let engines: FuzzEngines
  private let bounds: Bounds
  private var pair: (any TokenDecryptor, any TokenDecryptor)
  /// The complete second engine; nil unless `pair` has one that reuses results.
  private var complete: (any TokenDecryptor)?
  /// Decides a random part of the samples again in histories.
  private(set) var histories: HistoryCheck?
  /// Chooses the samples that are decided again, by the complete engine and in histories. Separate from the generator
  /// of the mutations, so that the samples are the same without reuse.
  private var choice: QuickGenerator
  private static let confirmedShare = 32
  private static let historyShare = 8
  /// Whether every sample is decided in histories of every mode: for replays.
  private let isThorough: Bool

  package init(_ engines: FuzzEngines, _ effort: Effort = .alone, bounds: Bounds = Bounds()) {
    self.engines = engines
    self.bounds = bounds
    pair = engines.pair()
    let reusing: (() -> any TokenDecryptor)?
    var seed: UInt64 = 0
    switch effort {
    case .alone: (reusing, histories, isThorough) = (nil, nil, false)
    case .loop(let chosen):
      (reusing, histories, isThorough) = (engines.reusing, engines.histories?(.one), false)
      seed = chosen
    case .replay(let reusesResults):
      (reusing, histories, isThorough) = (reusesResults ? engines.reusing : nil, engines.histories?(.replay), true)
    }
    choice = QuickGenerator(seed: seed, stream: 0)
    if let reusing {
      complete = pair.1
      pair.1 = reusing()
    }
  }

  /// Runs both engines and checks the properties.
  ///
  /// - Parameters:
  ///   - expected: the expected verdict, if it is known.
  ///   - parent: the sample that it was mutated from, which may come before it in a history.
  package mutating func examine(
    _ sample: TestInput, expected: TestVerdict? = nil, parent: TestInput? = nil
  ) -> Examination {
    let memory = ProcessorClock.peakMemory
    CoverageCounters.reset()
    let start = ProcessorClock.nanoseconds
    let comparison = Comparison(of: sample, by: pair)
    let cost = ProcessorClock.nanoseconds - start
    // Read at once: the harness calls some of the instrumented code as well.
    let coverage = CoverageCounters.hits()
    let growth = ProcessorClock.peakMemory - memory
    let confirmation = confirmation(of: comparison, on: sample)
    var violation =
      confirmation.violation ?? violation(sample, comparison, cost: cost, growth: growth)
      ?? contradiction(comparison, expected)
    var companions: [TestInput] = []
    if violation == nil, let found = contradictionOfHistory(comparison.first, on: sample, parent) {
      violation = Violation(.batch, Self.text(comparison.first), found.text)
      companions = found.companions
    }
    return Examination(
      comparison: comparison, isConfirmed: confirmation.isComplete, violation: violation, companions: companions,
      coverage: coverage)
  }

  /// Runs the complete engine on a sample unless it has run on it already. Returns the violation, if there is one.
  mutating func confirm(_ examination: Examination, of sample: TestInput) -> Violation? {
    guard let complete, !examination.isConfirmed else { return nil }
    return Self.contradiction(of: complete, to: examination.comparison, on: sample)
  }

  /// Returns the disagreement of the engines. The complete engine decides again if the verdicts differ, and on a random
  /// part of the samples.
  private mutating func confirmation(
    of comparison: Comparison, on sample: TestInput
  ) -> (isComplete: Bool, violation: Violation?) {
    guard let complete, choice.chance(Self.confirmedShare) || !comparison.agrees else {
      return (false, Self.disagreement(comparison))
    }
    return (true, Self.contradiction(of: complete, to: comparison, on: sample))
  }

  private static func contradiction(
    of complete: any TokenDecryptor, to comparison: Comparison, on sample: TestInput
  ) -> Violation? {
    let sound = Comparison(comparison.first, sample.verdict(by: complete))
    if let disagreement = disagreement(sound) { return disagreement }
    return comparison.second == sound.second ? nil : Violation(.reuse, text(sound.second), text(comparison.second))
  }

  /// Runs both engines without checking the properties.
  public mutating func compare(_ sample: TestInput) -> Comparison {
    let comparison = Comparison(of: sample, by: pair)
    if isThorough { histories?.remember(comparison.first, on: sample) }
    return comparison
  }

  private mutating func violation(
    _ sample: TestInput, _ comparison: Comparison, cost: UInt64, growth: Int
  ) -> Violation? {
    if case .success(.signed(let token)) = comparison.first, !engines.sampleSigner.signed(token, in: sample) {
      return Violation(.forgery, "accepted", "not signed by the test signer")
    }
    if growth > bounds.kibibytes { return Violation(.memory, Self.text(comparison.first), "bound exceeded") }
    // On a busy machine a single measurement may be too high: confirm it.
    if cost > bounds.nanoseconds, confirmsCost(of: sample) {
      return Violation(.slow, Self.text(comparison.first), "bound exceeded")
    }
    return nil
  }

  private static func disagreement(_ comparison: Comparison) -> Violation? {
    comparison.agrees ? nil : Violation(.disagreement, text(comparison.first), text(comparison.second))
  }

  /// Returns what the first engine decides differently in a history. Checks only a random part of the samples.
  private mutating func contradictionOfHistory(
    _ verdict: Verdict, on sample: TestInput, _ parent: TestInput?
  ) -> HistoryCheck.Contradiction? {
    guard isThorough || choice.chance(Self.historyShare) else { return nil }
    let origins = parent.map { $0 == sample ? [] : [$0] } ?? []
    return histories?.contradiction(to: verdict, on: sample, origins: origins)
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

  private mutating func confirmsCost(of sample: TestInput) -> Bool {
    for _ in 0..<2 {
      let start = ProcessorClock.nanoseconds
      _ = compare(sample)
      if ProcessorClock.nanoseconds - start <= bounds.nanoseconds { return false }
    }
    return true
  }

  /// Runs both engines on a rewritten sample. The verdict must be that of the sample before.
  mutating func examine(_ rewritten: TestInput, by rewriting: Rewriting, answered verdict: Verdict) -> Violation? {
    let comparison = compare(rewritten)
    if let violation = confirmation(of: comparison, on: rewritten).violation { return violation }
    guard comparison.first != verdict else { return nil }
    return Violation(.rewriting, Self.text(verdict), "\(Self.text(comparison.first)) by other \(rewriting.rawValue)")
  }

  /// A verdict in words, without any content of the token.
  public static func text(_ verdict: Verdict) -> String {
    switch verdict {
    case .success(.signed): "accepted"
    case .success(.unsigned): "accepted unsigned"
    case .failure(let fault): fault.description
    }
  }
}

/// The processor time of this thread, which hardly depends on the machine's load, and the memory of this process.
enum ProcessorClock {
  /// Nanoseconds.
  static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The peak memory of this process, in KiB.
  static var peakMemory: Int { Int(assay_peak_resident_bytes() / 1_024) }
}

extension Examiner {
  /// Whether a text about an accepted input, or a description of the verdict, contains one of its secrets, verbatim, in
  /// hexadecimal or in base64: account number, cryptogram or EMV data, PIN data, name, plaintext.
  static func showsSecrets(_ text: String, about verdict: Verdict) -> Bool {
    guard case .success(let token) = verdict else { return false }
    var texts = [token.payment.applicationPrimaryAccountNumber, token.payment.cardholderName ?? ""]
    switch token.payment.paymentData {
    case .threeDSecure(let cryptogram, _): texts.append(cryptogram)
    case .emv(let data, let pin): texts += [data, pin ?? ""]
    }
    // Short ones would match by chance.
    let secrets = texts.map { Array($0.utf8) }.filter { $0.count >= 10 } + [token.plaintext]
    let bytes = Array((text + String(describing: verdict) + String(reflecting: verdict)).utf8)
    return secrets.contains { secret in
      [secret, Array(Hex.encode(secret).utf8), Array(Base64.encode(secret).utf8.dropLast(4))].contains {
        $0.count >= 10 && bytes.contains($0)
      }
    }
  }
}
