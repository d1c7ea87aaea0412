import Differential
public import Minting
public import PaymentToken
import TestCases

/// A seeded run of mutations through two engines without feedback: the same seed gives the same work, which tests need.
public struct MutationRun {
  /// A mutated sample with a violation.
  public struct Finding: Sendable {
    public let violation: Violation
    public let sample: Int
    public let mutations: [String]
    /// Its number within the run, which with the seed reproduces it.
    public let number: Int
    public let request: [UInt8]
  }

  public private(set) var count = 0
  public private(set) var accepted = 0
  /// Rejections by code, of the first engine.
  public private(set) var rejected: [TokenFault.Code: Int] = [:]
  public private(set) var findings: [Finding] = []

  /// Runs the mutations numbered by `numbers`; the same seed and number give the same sample.
  ///
  /// - Parameters:
  ///   - mutations: one of them at a time.
  ///   - bounds: the limits of one input; by default those of a release build.
  ///   - alsoAccepts: whether a token that the test signer did not sign may be accepted, such as a genuine one.
  public init(
    seed: UInt64, numbers: some Sequence<Int>, samples: [TestInput], mutations: [Mutation] = Mutation.all,
    sampleSigner: SampleSigner, engines: @escaping EnginePair, bounds: Examiner.Bounds = Examiner.Bounds(),
    alsoAccepts: (DecryptedToken) -> Bool = { _ in false }
  ) throws(MintingError) {
    let mutator = Mutator(sampleSigner)
    var examiner = Examiner(sampleSigner: sampleSigner, engines: engines, bounds: bounds)
    for number in numbers {
      var random = QuickGenerator(seed: seed, stream: UInt64(number))
      let index = random.below(samples.count)
      let mutation = mutations[number % mutations.count]
      let mutated = try mutator.mutate(samples[index], by: [mutation], using: &random)
      guard !mutated.mutations.isEmpty else { continue }
      let examination = examiner.examine(mutated.sample)
      count += 1
      switch examination.comparison.first {
      case .success: accepted += 1
      case .failure(let fault): rejected[fault.code, default: 0] += 1
      }
      guard let violation = examination.violation else { continue }
      if violation.kind == .forgery, case .success(.signed(let token)) = examination.comparison.first,
        alsoAccepts(token)
      {
        continue
      }
      findings.append(
        Finding(
          violation: violation, sample: index, mutations: mutated.mutations.map(\.name), number: number,
          request: mutated.sample.request))
    }
  }
}
