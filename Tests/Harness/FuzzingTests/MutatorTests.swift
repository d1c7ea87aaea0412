import Foundation
import Fuzzing
import Minting
import PaymentToken
import TestCases
import TestSupport
import Testing

@Suite(.serialized) struct MutatorTests {
  @Test func `names of mutations are unique and each names a class of bugs`() {
    #expect(Set(Mutation.all.map(\.name)).count == Mutation.all.count)
    #expect(Mutation.all.allSatisfy { $0.hunts.count > 20 })
  }

  @Test func `every mutation is in the list`() throws {
    let root = Package.folder
    let folder = root.appending(path: "Sources/Harness/Fuzzing/Mutations")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let written = try files.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).matches(of: /= Mutation\(\s*"([^"]+)"/).map { String($0.1) }
    }
    #expect(written.sorted() == Mutation.all.map(\.name).sorted())
  }

  /// `nonisolated(unsafe)`: its `SampleSigner` is not thread-safe, and the suite is serialized.
  nonisolated(unsafe) private static let bench = Result { try FuzzingBench() }

  @Test(arguments: Mutation.all.map(\.name))
  func `each mutation changes samples and the same stream gives the same bytes`(_ name: String) throws {
    let bench = try Self.bench.get()
    let mutation = try #require(Mutation.named(name))
    var samples = try bench.samples()
    // Samples in requests as well: the mutator itself puts a bare token into one only for mutations of its members.
    var random = QuickGenerator(seed: 1)
    let envelopes = try #require(Mutation.named("envelopes"))
    for sample in samples {
      samples.append(try bench.sampleSigner.mutate(sample, by: [envelopes], using: &random).sample)
    }
    var changed = 0
    for (index, sample) in samples.enumerated() {
      for stream in 0..<(Ring.isDeep ? 4 : 2) as Range<UInt64> {
        var first = QuickGenerator(seed: UInt64(index), stream: stream)
        var second = first
        let once = try bench.sampleSigner.mutate(sample, by: [mutation], using: &first)
        let again = try bench.sampleSigner.mutate(sample, by: [mutation], using: &second)
        #expect(once.sample == again.sample)
        if !once.mutations.isEmpty, once.sample != sample { changed += 1 }
      }
    }
    #expect(changed > 0)
  }

  /// The fuzzing loop mutates its own results again. These samples are such results: their signatures have empty parts.
  @Test func `a signature with empty parts is mutated like any other`() throws {
    let bench = try Self.bench.get()
    let empty = ASN1Node.sequence([])
    let signedData = ASN1Node.oid([1, 2, 840, 113549, 1, 7, 2])
    var changed = 0
    for signers in [
      [empty], [], [.sequence([.integer(1)])], [.sequence([empty, empty, empty, .context(0, []), empty])],
    ] {
      for certificates in [[], [empty], [.sequence([empty, empty, empty])]] as [[ASN1Node]] {
        let content = ASN1Node.sequence([.integer(1), .set([]), empty, .context(0, certificates), .set(signers)])
        var layers = try bench.minter.layers()
        layers.signature = ASN1Node.sequence([signedData, .context(0, [content])]).encoded
        let sample = TestInput(layers.token, TestContext(now: FuzzingBench.now))
        for mutation in Mutation.all where mutation.layer == .signature {
          for stream in 0..<40 as Range<UInt64> {
            var random = QuickGenerator(seed: 3, stream: stream)
            let mutated = try bench.sampleSigner.mutate(sample, by: [mutation], using: &random)
            if mutated.sample != sample { changed += 1 }
          }
        }
      }
    }
    #expect(changed > 1_000)
  }

  @Test func `a payload that is encrypted and signed again is accepted and known to be signed`() throws {
    let bench = try FuzzingBench()
    let mutation = try #require(Mutation.named("payload-kind"))
    var accepted = 0
    for (index, sample) in try bench.samples().enumerated() {
      var random = QuickGenerator(seed: 5, stream: UInt64(index))
      let mutated = try bench.sampleSigner.mutate(sample, by: [mutation], using: &random).sample
      let (request, now) = (mutated.request, mutated.context.now)
      guard let token = try? bench.reference.decrypt(request.span, at: now, under: VerificationPolicy()) else {
        continue
      }
      accepted += 1
      #expect(bench.sampleSigner.signed(token, in: mutated))
      // Another bench, whose ledger is empty, knows it too.
      let other = try FuzzingBench()
      #expect(other.sampleSigner.signed(token, in: mutated))
    }
    #expect(accepted > 6)
  }

  @Test func `a token signed by another key is not known to be signed`() throws {
    let bench = try FuzzingBench()
    var layers = try bench.minter.layers()
    layers.signer.key = bench.minter.foreign.leafKey
    try layers.sign()
    let sound = try bench.minter.mint()
    let sample = TestInput(layers.token, TestContext(now: bench.minter.time))
    // An engine that wrongly accepts it returns the content of the valid token of the same recipe.
    let bytes = sound.bytes
    let token = try bench.reference.decrypt(bytes.span, at: bench.minter.time, under: VerificationPolicy())
    #expect(bench.sampleSigner.signed(token, in: sample) == false)
    #expect(bench.sampleSigner.signed(token, in: TestInput(sound.bytes, sample.context)))
  }

  @Test func `every named case that is accepted is known to be signed`() throws {
    let bench = try FuzzingBench()
    let mutation = try #require(Mutation.named("named-case"))
    let sample = try bench.samples()[0]
    var accepted = 0
    for stream in 0..<1_500 as Range<UInt64> {
      var random = QuickGenerator(seed: FuzzingBench.seed, stream: stream)
      let mutated = try bench.sampleSigner.mutate(sample, by: [mutation], using: &random)
      guard case .accept? = mutated.expected else { continue }
      let (request, context) = (mutated.sample.request, mutated.sample.context)
      let policy = context.policy.verificationPolicy()
      guard let token = try? bench.fast.decrypt(request.span, at: context.now, under: policy) else { continue }
      accepted += 1
      #expect(bench.sampleSigner.signed(token, in: mutated.sample), "stream \(stream)")
    }
    #expect(accepted > 50)
  }
}
