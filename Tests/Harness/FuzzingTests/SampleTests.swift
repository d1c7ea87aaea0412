import Foundation
import Fuzzing
import Gateways
import Minting
import PaymentToken
import TestCases
import Testing

@Suite struct SampleTests {
  @Test func `a sample with any context is read back from its file`() throws {
    let bench = try FuzzingBench()
    let defaults = bench.sampleSigner.defaultContext
    var contexts = [defaults, TestContext(now: UnixTime(secondsSinceEpoch: -1))]
    var policy = TestPolicy()
    policy.envelope = .named(.mpgs)
    policy.isUnsigned = true
    policy.revoked = [Bytes32([UInt8](repeating: 7, count: 32))].compactMap { $0 }
    policy.expectations = Expectations(
      applicationData: Bytes32([UInt8](repeating: 9, count: 32)), currencyCode: "978", transactionAmount: 1_250)
    for freshness in [
      .window(seconds: 0, replay: .capacity(3)), .window(seconds: 300, replay: .silent), .windowOff, .signingTime,
      .window(seconds: .max, replay: nil),
    ] as [TestPolicy.Freshness] {
      policy.freshness = freshness
      var other = defaults
      other.policy = policy
      other.prelude = [[1, 2, 3], Array("\n//assay at=1".utf8)] + (0..<14).map { [UInt8($0)] }
      contexts.append(other)
    }
    // A caller's policy may hold any currency text and any list of envelopes.
    for (currency, envelopes) in [(" 36", [.mpgs, .apple]), ("", Envelope.ofCallers), ("é=\n", [])] {
      var other = defaults
      other.policy.expectations.currencyCode = currency
      other.policy.envelope = .automatic(envelopes)
      contexts.append(other)
    }
    for request in [[], [0x7B, 0x7D], Array("{}\n//assay at=5".utf8), Array("{}\n//assay ".utf8)] as [[UInt8]] {
      for context in contexts {
        let sample = TestInput(request, context)
        let bytes = sample.file(defaults: defaults)
        #expect(TestInput(file: bytes, defaults: defaults) == sample)
      }
    }
  }

  @Test func `the year 0 is for the engines alone`() {
    #expect(TestContext(now: UnixTime(secondsSinceEpoch: -62_135_596_800)).isForOtherPrograms)
    let before = TestContext(now: UnixTime(secondsSinceEpoch: -62_135_596_801))
    #expect(before.isExpressible && !before.isForOtherPrograms)
  }

  @Test func `a plain request is a sample`() throws {
    let bench = try FuzzingBench()
    let token = try bench.minter.mint().bytes
    #expect(
      TestInput(token, bench.sampleSigner.defaultContext).file(defaults: bench.sampleSigner.defaultContext) == token)
    #expect(TestInput(file: token, defaults: bench.sampleSigner.defaultContext).request == token)
  }

  /// A token in a string is full of escapes.
  @Test func `a string with escapes is escaped further and keeps its content`() throws {
    let text = #""a\"b\\u0041\u0041\u00e9\ud83d\ude00é😀/\/""#
    let content = try JSONDecoder().decode([String].self, from: Data("[\(text)]".utf8))
    var random = QuickGenerator(seed: 1, stream: 1)
    var written: Set<[UInt8]> = []
    for _ in 0..<200 {
      let other = JSONTextEdits.escaped(Array(text.utf8), oneIn: 2, using: &random)
      #expect(try JSONDecoder().decode([String].self, from: Data("[".utf8 + other + "]".utf8)) == content)
      written.insert(other)
    }
    #expect(written.count > 100)
  }
}
