import FastDecryption
import Foundation
import Fuzzing
import Gateways
import Minting
import NamedCases
import PaymentToken
import TestCases
import Testing

/// The loop reports an accepted token as a forgery if the test signer did not sign it.
struct LedgerTests {
  /// The tokens of these cases are signed with leaf keys or nonces that only the cases have.
  @Test(arguments: ["ecdsa-s-1-that-verifies", "ecdsa-last-addition-is-a-doubling-among-many-of-the-same-leaf"])
  func `a token of a named case is no forgery in a resumed run, whose ledger is empty`(name: String) throws {
    let bench = try FuzzingBench()
    let made = try bench.minter.make(try #require(CaseRecipe.named(name))).test
    let sample = TestInput(made.request, TestContext(now: made.context.now))
    let token = try bench.fast.decrypt(sample.request.span, at: sample.context.now, under: VerificationPolicy())
    #expect(bench.sampleSigner.signed(token, in: sample))
  }

  /// The mutation has test authorities issue the foreign intermediate certificate, which certifies the leaf below it.
  @Test func `a token of the foreign leaf is a forgery until a test authority has issued the certificate above it`()
    throws
  {
    let bench = try FuzzingBench()
    let recipe = try #require(CaseRecipe.named("forgery-e-certificates-of-the-attacker-alone"))
    let made = try bench.minter.make(recipe).test
    let sample = TestInput(made.request, TestContext(now: made.context.now))
    let mutation = try #require(Mutation.named("other-root"))
    var examiner = Examiner(bench.engines)
    var accepted = 0
    for number in 0..<200 as Range<UInt64> {
      var random = QuickGenerator(seed: FuzzingBench.seed, stream: number)
      let mutated = try bench.sampleSigner.mutate(sample, by: [mutation], using: &random)
      guard !mutated.mutations.isEmpty else { continue }
      let examination = examiner.examine(mutated.sample)
      if case .success = examination.comparison.first { accepted += 1 }
      #expect(examination.violation == nil)
    }
    #expect(accepted > 20)
    let anchors = TrustAnchors(certificates: [bench.minter.foreign.root])
    let trusting = try FastDecryptor(keys: bench.keys, anchors: anchors)
    let token = try trusting.decrypt(sample.request.span, at: sample.context.now, under: VerificationPolicy())
    let isSigned = bench.sampleSigner.signed(token, in: sample)
    #expect(!isSigned)
  }

  /// How often the loop rewrites a sample, which it takes so many times. It must accept each and find nothing.
  private func rewritings(of sample: TestInput, times: Int, in bench: FuzzingBench) throws -> Int {
    var loop = try bench.loop(startsEmpty: true)
    for _ in 0..<times {
      if case .found(let found) = loop.take(sample) { Issue.record("\(found.violation.identity)") }
    }
    #expect(loop.statistics[.accepted] == times)
    return loop.statistics[.rewritings]
  }

  /// The request has 32 nested objects. An unknown member with an object in the innermost one is a level too many.
  @Test func `a request at the limit of depth is rewritten within it`() throws {
    let bench = try FuzzingBench()
    let made = try bench.minter.make(try #require(CaseRecipe.named("callers-depth-of-32"))).test
    #expect(try rewritings(of: made.input, times: 1_000, in: bench) > 50)
  }

  @Test func `a token near the limit of values is rewritten within it`() throws {
    let bench = try FuzzingBench()
    var token = Data(try bench.minter.mint(index: 1).bytes.dropLast())
    token.append(contentsOf: Array(#","padding":[\#(String(repeating: "0,", count: 2_037))0]}"#.utf8))
    let sample = TestInput(Array(token), TestContext(now: bench.minter.time))
    #expect(try rewritings(of: sample, times: 300, in: bench) > 15)
  }

  /// A rewritten request has no white space around the token. So it may be smaller than the original although its token
  /// is too large.
  @Test func `a token near the limit of size is rewritten within it, also in a request with much white space`() throws {
    let bench = try FuzzingBench()
    var token = Data(try bench.minter.mint(index: 1).bytes.dropLast())
    let padding = String(repeating: "x", count: 16_000 - token.count)
    token.append(contentsOf: Array(#","padding":"\#(padding)"}"#.utf8))
    let (text, space) = (token.base64EncodedString(), String(repeating: " ", count: 20_000))
    let request: String = #"{"apple-wallet":{"payment-token":"\#(text)"},\#(space)"amount":1}"#
    var context = TestContext(now: bench.minter.time)
    context.policy.envelope = .named(.bambora)
    #expect(try rewritings(of: TestInput(Array(request.utf8), context), times: 400, in: bench) > 20)
  }

  @Test func `a token of another signer is a forgery`() throws {
    let bench = try FuzzingBench()
    let other = try FuzzingBench(seed: 7)
    let foreign = try other.minter.mint(index: 1)
    let sample = TestInput(foreign.bytes, TestContext(now: other.minter.time))
    let token = try other.fast.decrypt(sample.request.span, at: sample.context.now, under: VerificationPolicy())
    #expect(!bench.sampleSigner.signed(token, in: sample))
    #expect(other.sampleSigner.signed(token, in: sample))
  }
}
