import Fuzzing
import Minting
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Mutations at the limits of rules, and mutations that respell what others have changed.
@Suite(.serialized) struct BoundaryTests {
  /// `nonisolated(unsafe)`: its `SampleSigner` is not thread-safe, and the suite is serialized.
  nonisolated(unsafe) private static let bench = Result { try FuzzingBench() }

  private struct Outcomes {
    var accepted = 0
    var refused: [TokenFault.Code: Int] = [:]
    var requests: [[UInt8]] = []
  }

  /// Applies mutations to every valid token, bare and in requests, and decides the results.
  private func outcomes(of names: [String], streams: Range<UInt64>, inRequests: Bool = true) throws -> Outcomes {
    let bench = try Self.bench.get()
    let mutations = try names.map { try #require(Mutation.named($0)) }
    let envelopes = try #require(Mutation.named("envelopes"))
    var samples = try bench.samples()
    var random = QuickGenerator(seed: FuzzingBench.seed)
    for sample in samples where inRequests {
      samples.append(try bench.sampleSigner.mutate(sample, by: [envelopes], using: &random).sample)
    }
    var outcomes = Outcomes()
    for (index, sample) in samples.enumerated() {
      for stream in streams {
        var random = QuickGenerator(seed: FuzzingBench.seed &+ UInt64(index), stream: stream)
        let mutated = try bench.sampleSigner.mutate(sample, by: mutations, using: &random)
        guard !mutated.mutations.isEmpty else { continue }
        outcomes.requests.append(mutated.sample.request)
        let verdict = mutated.sample.verdict(by: bench.fast)
        #expect(verdict == mutated.sample.verdict(by: bench.reference), "\(names), sample \(index), stream \(stream)")
        switch verdict {
        case .success: outcomes.accepted += 1
        case .failure(let fault): outcomes.refused[fault.code, default: 0] += 1
        }
      }
    }
    return outcomes
  }

  @Test(arguments: [
    ("payload-boundaries", TokenFault.Code.malformedPayload), ("payload-limits", .malformedPayload),
    ("member-limits", .malformedJSON), ("member-boundaries", .invalidBase64), ("request-limits", .malformedEnvelope),
    ("request-boundaries", .envelopeFieldMismatch), ("respelled-payload", .malformedPayload),
    ("respelled-members", .duplicateMember), ("respelled-request", .malformedEnvelope),
  ])
  func `mutations at limits make tokens that are accepted and tokens that are refused by their rule`(
    _ name: String, _ code: TokenFault.Code
  ) throws {
    let outcomes = try outcomes(of: [name], streams: 0..<(Ring.isDeep ? 40 : 8))
    #expect(outcomes.accepted > 0, "\(outcomes.refused)")
    #expect(outcomes.refused[code, default: 0] > 0, "\(outcomes.refused)")
  }

  @Test func `earlier requests of a sample leave its request as it is`() throws {
    let bench = try Self.bench.get()
    let mutation = try #require(Mutation.named("prelude"))
    for (index, sample) in try bench.samples().enumerated() {
      var random = QuickGenerator(seed: FuzzingBench.seed, stream: UInt64(index))
      let mutated = try bench.sampleSigner.mutate(sample, by: [mutation], using: &random).sample
      #expect(mutated.request == sample.request)
      #expect(!mutated.context.prelude.isEmpty)
    }
  }

  /// Combines a value at a limit with a spelling: rules often have separate code for text with escapes.
  @Test func `a boundary and a spelling in one sample meet in the same member`() throws {
    let text = Array("\\u00".utf8)
    func escapes(_ requests: [[UInt8]]) -> Int {
      requests.count { request in
        request.indices.contains { request[$0...].starts(with: text) }
      }
    }
    let plain = try outcomes(of: ["hex"], streams: 0..<8, inRequests: false)
    let both = try outcomes(of: ["hex", "respelled-members"], streams: 0..<8, inRequests: false)
    #expect(escapes(both.requests) > both.requests.count / 4)
    #expect(escapes(both.requests) > 2 * escapes(plain.requests))
    #expect(both.refused[.invalidHex, default: 0] > 0)
  }
}
