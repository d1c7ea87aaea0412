import Differential
import Foundation
import Fuzzing
import Minting
import PaymentToken
import TestCases
import TestSupport
import Testing

/// A seeded search for tokens that the engines decide differently. It prints its seed and the number of each verdict.
///
/// At the end it asks about its last token once more, with the answers of one engine altered (AlteringEngine). A hunt
/// that does not see this disagreement fails.
struct Hunt {
  /// ASSAY_SEED sets another seed.
  static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 20_261_121
  static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)

  /// How many tokens to try: `ordinary` in the second ring and a tenth of them in the first. With ASSAY_MUTATIONS=N it
  /// is `ordinary` · N / 200,000, but at least a hundredth of `ordinary`.
  static func count(_ ordinary: Int) -> Int {
    max(ordinary / 100, ordinary * Ring.count(20_000, deep: 200_000) / 200_000)
  }

  /// Whether there are too few tokens to meet every verdict. Such runs only check that the engines agree.
  static let isShortened = count(200) < 20

  private let what: String
  private var count = 0
  private var accepted = 0
  private var rejected: [TokenFault.Code: Int] = [:]
  private var disagreements: [String] = []
  /// Asks about the last token again, with the answers of one engine altered.
  private var lastAltered: (() -> Comparison)?

  init(_ what: String) {
    self.what = what
  }

  /// Runs both engines, and returns the verdict of the first. `how` describes how to make the token again.
  @discardableResult
  mutating func ask(
    _ token: [UInt8], of engines: Engines, in context: TestContext = TestContext(now: Hunt.now),
    _ how: @autoclosure () -> String
  ) -> Verdict {
    let input = TestInput(token, context)
    lastAltered = { Comparison(of: input, by: engines.alteredPair()) }
    return note(Comparison(of: input, by: engines.pair), token, how)
  }

  /// Mutates samples, one for each number, and examines the results as the fuzzer does. The same seed and number give
  /// the same result.
  ///
  /// - Parameters:
  ///   - mutations: the mutations in turn, one for each sample.
  ///   - alsoAccepts: whether a token that the test signer did not sign may be accepted, such as a genuine one.
  mutating func mutate(
    _ samples: [TestInput], _ numbers: some Sequence<Int>, by mutations: [Mutation] = Mutation.all,
    sampleSigner: SampleSigner, engines: Engines, alsoAccepts: (DecryptedToken) -> Bool = { _ in false }
  ) throws {
    func made(_ pair: (any TokenDecryptor, any TokenDecryptor)) -> Examiner {
      Examiner(FuzzEngines(sampleSigner: sampleSigner, reference: pair.1) { pair }, bounds: .ofThisBuild)
    }
    var examiner = made(engines.pair)
    var altered = made(engines.alteredPair())
    for number in numbers {
      var random = QuickGenerator(seed: Self.seed, stream: UInt64(number))
      let index = Int.random(in: samples.indices, using: &random)
      let mutated = try sampleSigner.mutate(samples[index], by: [mutations[number % mutations.count]], using: &random)
      guard !mutated.mutations.isEmpty else { continue }
      let examination = examiner.examine(mutated.sample)
      noteVerdict(examination.comparison.first)
      lastAltered = { Comparison(of: mutated.sample, by: engines.alteredPair()) }
      if count <= 60 { #expect(altered.examine(mutated.sample).violation != nil, "a planted disagreement is not seen") }
      guard let violation = examination.violation else { continue }
      if violation.kind == .forgery, case .success(.signed(let token)) = examination.comparison.first,
        alsoAccepts(token)
      {
        continue
      }
      disagreements.append(
        "number \(number), \(mutated.mutations.map(\.name)) of sample \(index): \(violation.identity): "
          + Base64.encode(mutated.sample.request))
    }
  }

  private mutating func note(_ comparison: Comparison, _ token: [UInt8], _ how: () -> String) -> Verdict {
    noteVerdict(comparison.first)
    if !comparison.agrees {
      disagreements.append(
        "\(how()): \(Examiner.text(comparison.first)) / \(Examiner.text(comparison.second)): \(Base64.encode(token))")
    }
    return comparison.first
  }

  private mutating func noteVerdict(_ verdict: Verdict) {
    count += 1
    switch verdict {
    case .success: accepted += 1
    case .failure(let fault): rejected[fault.code, default: 0] += 1
    }
  }

  /// Prints the statistics, and records the first five disagreements.
  func report() {
    let codes = rejected.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
    print("seed \(Self.seed): \(count) \(what), \(accepted) accepted; \(codes)")
    #expect(findsAlteration, "\(what): a disagreement that was planted is not seen")
    for disagreement in disagreements.prefix(5) { Issue.record("seed \(Self.seed), \(what), \(disagreement)") }
    #expect(disagreements.isEmpty)
  }

  /// Whether a further disagreement is recorded. False for a hunt that never ran the engines.
  private var findsAlteration: Bool {
    guard let lastAltered else { return false }
    var hunt = self
    _ = hunt.note(lastAltered(), []) { "altered" }
    return hunt.disagreements.count == disagreements.count + 1
  }

  /// Whether a token was rejected with this code. Always true if the hunt is shortened.
  func met(_ code: TokenFault.Code) -> Bool { Self.isShortened || rejected[code] != nil }

  /// Whether a token was accepted. Always true if the hunt is shortened.
  var metAcceptance: Bool { Self.isShortened || accepted > 0 }
}

extension RandomNumberGenerator {
  /// True with probability 1/`count`.
  mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}

extension QuickGenerator {
  /// A fast generator whose seed is the next number of `stream`, for the many small choices of a grammar.
  init(_ stream: SeededGenerator) {
    var stream = stream
    self.init(seed: stream.next())
  }
}

extension Examiner.Bounds {
  /// The bounds of a release build. Under sanitizers they are larger, since runs take more time and memory.
  static var ofThisBuild: Self {
    var bounds = Self()
    if Sanitizer.isPresent {
      bounds.nanoseconds *= 100
      bounds.kibibytes *= 16
    }
    return bounds
  }
}
