import Differential
import Minting
import PaymentToken

/// A seeded run of mutations through two engines, and what it found.
public struct MutationRun: Sendable {
  /// A mutated token on which something that must hold did not.
  public struct Finding: Sendable {
    public enum Kind: String, Sendable {
      /// The engines decided differently.
      case disagreement
      /// A token was accepted with another meaning than it was made with.
      case changedMeaning
    }

    public let kind: Kind
    public let sample: String
    public let mutation: String
    /// Its number within the run: with the seed, all that is needed to make it again.
    public let number: Int
    public let token: [UInt8]
    public let comparison: Comparison
  }

  public private(set) var count = 0
  public private(set) var accepted = 0
  /// Rejections by code, of the first engine.
  public private(set) var rejected: [TokenFault.Code: Int] = [:]
  public private(set) var findings: [Finding] = []

  /// Runs the mutations numbered by `numbers`; the same seed and number give the same token.
  ///
  /// - Parameters:
  ///   - at: the time and policy of a sample, by its position.
  public init(
    seed: UInt64, numbers: some Sequence<Int>, samples: [MutationSample],
    engines: (any TokenDecryptor, any TokenDecryptor),
    at demands: (Int) -> (now: UnixTime, policy: VerificationPolicy)
  ) throws(MintingError) {
    let generator = SeededGenerator(seed: seed)
    let originals = samples.indices.map { index in
      let (now, policy) = demands(index)
      return Comparison(
        of: samples[index].token, by: engines, at: now, isUnsigned: samples[index].isUnsigned, under: { policy }
      ).first
    }
    for number in numbers {
      var random = generator.stream("mutation", UInt64(number))
      let index = Int.random(in: samples.indices, using: &random)
      let mutations = samples[index].isRequest ? Mutation.envelopes : Mutation.all
      let mutation = mutations[number % mutations.count]
      guard let mutated = try mutation.apply(samples[index], &random) else { continue }
      let (now, policy) = demands(index)
      let comparison = Comparison(
        of: mutated.token, by: engines, at: now, isUnsigned: samples[index].isUnsigned, under: { policy })
      count += 1
      note(comparison.first)
      guard let kind = Self.finding(comparison, mutated, original: originals[index]) else { continue }
      findings.append(
        Finding(
          kind: kind, sample: samples[index].name, mutation: mutation.name, number: number, token: mutated.token,
          comparison: comparison))
    }
  }

  private mutating func note(_ verdict: Verdict) {
    switch verdict {
    case .success: accepted += 1
    case .failure(let fault): rejected[fault.code, default: 0] += 1
    }
  }

  private static func finding(
    _ comparison: Comparison, _ mutated: MutatedToken, original: Verdict
  ) -> Finding.Kind? {
    guard comparison.agrees else { return .disagreement }
    guard case .success(let token) = comparison.first else { return nil }
    if let plaintext = mutated.plaintext {
      return token.plaintext == plaintext ? nil : .changedMeaning
    }
    return comparison.first == original ? nil : .changedMeaning
  }
}
