import Fuzzing
import Minting
import PaymentToken
import TestCases

/// A seeded run of mutations through two engines, without coverage feedback.
struct MutationRun {
  /// A mutated sample with a violation.
  struct Finding: Sendable {
    let violation: Violation
    let sample: Int
    let mutations: [String]
    /// The number of the mutation, which reproduces the finding together with the seed.
    let number: Int
    let request: [UInt8]
  }

  private(set) var count = 0
  private(set) var accepted = 0
  /// The number of rejections by the first engine, by code.
  private(set) var rejected: [TokenFault.Code: Int] = [:]
  private(set) var findings: [Finding] = []

  /// Makes the samples numbered by `numbers`; the same seed and number give the same sample.
  ///
  /// - Parameters:
  ///   - mutations: the mutations in turn, one for each sample.
  ///   - bounds: the limits of one input; by default those of a release build.
  ///   - alsoAccepts: whether a token that the test signer did not sign may be accepted, such as a genuine one.
  init(
    seed: UInt64, numbers: some Sequence<Int>, samples: [TestInput], mutations: [Mutation] = Mutation.all,
    sampleSigner: SampleSigner, engines: @escaping EnginePair, bounds: Examiner.Bounds = Examiner.Bounds(),
    alsoAccepts: (DecryptedToken) -> Bool = { _ in false }
  ) throws(MintingError) {
    let mutator = Mutator(sampleSigner)
    var examiner = Examiner(sampleSigner: sampleSigner, engines: engines, bounds: bounds)
    for number in numbers {
      var random = QuickGenerator(seed: seed, stream: UInt64(number))
      let index = Int.random(in: samples.indices, using: &random)
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
