import Fuzzing
import Minting
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Each mutation of the fuzzer in turn, through both engines.
@Suite struct MutationTests {
  /// The number of samples. The tests try more, since a mutation leaves out samples that lack its layer.
  private static let count = Ring.count(1_000, deep: 200_000)

  private static let lanes = 2

  @Test(arguments: 0..<lanes) func `mutated minted tokens get one verdict and keep their meaning`(_ lane: Int) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let sampleSigner = try SampleSigner(minter)
    let samples = try (UInt64(0)..<48).map { index in
      let minted = try index % 4 == 3 ? minter.mintRSA(index: index) : minter.mint(index: index)
      return TestInput(minted.bytes, TestContext(now: Hunt.now))
    }
    let engines = try Engines.minted(minter, anchors: sampleSigner.anchors)
    let numbers = stride(from: lane, to: Self.count * 11 / 10, by: Self.lanes)
    var hunt = Hunt("mutations of minted tokens")
    try hunt.mutate(samples, numbers, sampleSigner: sampleSigner, engines: engines)
    hunt.report()
    #expect(hunt.metAcceptance)
  }

  @Test(.enabled(if: RealTokens.available), arguments: 0..<lanes)
  func `mutated genuine tokens get one verdict and keep their meaning`(_ lane: Int) throws {
    let genuine = RealTokens.all.filter(\.genuine)
    let sampleSigner = try SampleSigner(Minter(seed: Hunt.seed, at: Hunt.now))
    let samples = genuine.map { token in
      var context = TestContext(now: Hunt.now)
      context.policy.freshness = .signingTime
      return TestInput(token.token, context)
    }
    let engines = try Engines.genuine()
    let originals = samples.compactMap { sample in
      try? engines.reference.decrypt(
        sample.request.span, at: Hunt.now, under: sample.context.policy.verificationPolicy())
    }
    let numbers = stride(from: lane, to: Self.count / 5 * 4 / 3, by: Self.lanes)
    let mutations = Mutation.all.filter { $0.name != "named-case" }
    // The tests cannot sign as Apple: every accepted token must be one of these, unchanged.
    var hunt = Hunt("mutations of genuine tokens")
    try hunt.mutate(samples, numbers, by: mutations, sampleSigner: sampleSigner, engines: engines) { token in
      originals.contains {
        $0.transactionId == token.transactionId && $0.plaintext == token.plaintext && $0.signedAt == token.signedAt
          && $0.applicationData == token.applicationData && $0.ephemeralPublicKey == token.ephemeralPublicKey
      }
    }
    hunt.report()
  }
}
