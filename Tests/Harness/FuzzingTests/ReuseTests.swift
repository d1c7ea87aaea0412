import Differential
import FastDecryption
import Fuzzing
import Minting
import PaymentToken
import ReferenceDecryption
import TestCases
import TestSupport
import Testing

/// The loop's reference engine reuses results of signature checks; these tests compare it with the complete one.
@Suite struct ReuseTests {
  private static let certificateMutations = [
    "certificate-bag", "certificate-fields", "certificate-extensions", "certificate-dates", "certificate-signature",
    "other-root", "leaf-key", "crossed-signer", "signature-value", "attribute-values",
  ]

  @Test func `an engine that reuses results decides thousands of mutated samples like the complete one`() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("seed \(seed)")
    let bench = try FuzzingBench()
    let cache = ResultCache()
    let reusing = try bench.reference(reusing: cache)
    let samples = try bench.samples()
    let mutations = Mutation.all + Mutation.all.filter { Self.certificateMutations.contains($0.name) }
    var decided = 0
    for number in 0..<(Ring.isDeep ? 40_000 : 2_500) {
      var random = QuickGenerator(seed: seed, stream: UInt64(number))
      let sample = samples[Int(random.next() % UInt64(samples.count))]
      let mutated = try bench.sampleSigner.mutate(sample, by: [mutations[number % mutations.count]], using: &random)
      guard !mutated.mutations.isEmpty else { continue }
      decided += 1
      #expect(
        mutated.sample.verdict(by: reusing) == mutated.sample.verdict(by: bench.completeReference),
        "seed \(seed), number \(number): \(mutated.mutations.map(\.name))")
    }
    #expect(decided > 1_500)
    #expect(cache.hits > decided / 4)
  }

  /// Flips every single bit of both certificates and of the signature.
  @Test func `a flipped bit is never taken for the unchanged certificate`() throws {
    let bench = try FuzzingBench()
    let reusing = try bench.reference(reusing: ResultCache())
    var layers = try bench.minter.layers()
    let context = TestContext(now: bench.minter.time)
    let sound = TestInput(layers.token, context)
    guard case .success = sound.verdict(by: reusing) else {
      Issue.record("the unchanged token is rejected")
      return
    }
    let signature = layers.signature
    let step = Ring.isDeep ? 1 : 37
    for bit in stride(from: 0, to: signature.count * 8, by: step) {
      layers.signature = signature
      layers.signature[bit / 8] ^= 1 << UInt8(bit % 8)
      let sample = TestInput(layers.token, context)
      let verdict = sample.verdict(by: reusing)
      #expect(verdict == sample.verdict(by: bench.completeReference), "bit \(bit)")
    }
    #expect(sound.verdict(by: reusing) == sound.verdict(by: bench.completeReference))
  }

  @Test func `remembered RSA operations change no verdict`() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("seed \(seed)")
    let bench = try FuzzingBench()
    let keys = try bench.minter.merchantKeySet()
    #expect(RememberedUnwrapping.replaceOperation(in: keys))
    let fast = try FastDecryptor(keys: keys, anchors: bench.sampleSigner.anchors)
    let reference = try ReferenceDecryptor(keys: keys, anchors: bench.sampleSigner.anchors)
    let hits = RememberedUnwrapping.hits
    let samples = try (0..<3 as Range<UInt64>).map { index in
      TestInput(try bench.minter.mintRSA(index: index).bytes, TestContext(now: bench.minter.time))
    }
    let mutations = ["wrapped-key", "merchant-key", "payload-members", "attribute-values"].compactMap(Mutation.named)
    #expect(mutations.count == 4)
    var accepted = 0
    for number in 0..<(Ring.isDeep ? 8_000 : 400) {
      var random = QuickGenerator(seed: seed, stream: UInt64(number))
      let sample = samples[number % samples.count]
      let mutated = try bench.sampleSigner.mutate(sample, by: [mutations[number / samples.count % 4]], using: &random)
        .sample
      let verdict = mutated.verdict(by: bench.completeReference)
      #expect(mutated.verdict(by: fast) == verdict, "seed \(seed), number \(number)")
      #expect(mutated.verdict(by: reference) == verdict, "seed \(seed), number \(number)")
      if case .success = verdict { accepted += 1 }
    }
    #expect(accepted > 20)
    #expect(RememberedUnwrapping.hits - hits > 100)
  }

  @Test func `histories reuse remembered RSA operations, and decide as each request alone`() throws {
    let bench = try FuzzingBench()
    let setting = TestSetting(of: bench.minter, anchors: bench.sampleSigner.anchors.certificates)
    var prepared = 0
    var check = HistoryCheck(effort: .every) { keys in
      if RememberedUnwrapping.replaceOperation(in: keys) { prepared += 1 }
    }
    check.begin(setting)
    let hits = RememberedUnwrapping.hits
    let sample = TestInput(try bench.minter.mintRSA(index: 7).bytes, TestContext(now: bench.minter.time))
    let verdict = sample.verdict(by: bench.reference)
    #expect(check.contradiction(to: verdict, on: sample)?.text == nil)
    #expect(prepared > 0 && RememberedUnwrapping.hits - hits > 4)
    // The same check detects a wrong verdict.
    #expect(check.contradiction(to: .failure(TokenFault(.decryptionFailed)), on: sample) != nil)
  }

  @Test func `results belong to all of their inputs in order`() {
    let cache = ResultCache()
    #expect(cache.result(of: [[1, 2], [3]]) { true })
    #expect(!cache.result(of: [[1], [2, 3]]) { false })
    #expect(!cache.result(of: [[3], [1, 2]]) { false })
    #expect(!cache.result(of: [[1, 2], [3], []]) { false })
    #expect(cache.hits == 0)
    #expect(cache.result(of: [[1, 2], [3]]) { false })
    #expect(cache.hits == 1)
  }

  @Test func `results that are used again stay when many others are recorded`() {
    let cache = ResultCache()
    #expect(cache.result(of: [[1]]) { true })
    for number in 0..<20_000 {
      _ = cache.result(of: [[2], [UInt8(number & 0xFF), UInt8(number >> 8)]]) { false }
      if number % 1_000 == 0 { #expect(cache.result(of: [[1]]) { false }) }
    }
    #expect(!cache.result(of: [[2], [0, 0]]) { false })
    #expect(cache.hits == 20)
  }

  @Test func `the loop finds a wrong result that is reused`() throws {
    let bench = try FuzzingBench()
    // The planted bug: the cache's key leaves out the signature value and the message.
    var loop = try bench.loop(reusing: {
      let cache = ResultCache()
      let wrong = try? ReferenceDecryptor(
        keys: bench.keys, anchors: bench.sampleSigner.anchors,
        reusing: { inputs, verify in cache.result(of: Array(inputs.dropFirst(2)), compute: verify) })
      return wrong ?? bench.completeReference
    })
    let found = try loop.firstFound()
    #expect(found.violation.kind == .reuse)
    let finding = Triage(loop).finding(of: found)
    #expect(finding.replays == 3)
    #expect(!finding.history.isEmpty)
  }

  /// Both engines accept what the complete engine rejects, so only a confirmation shows it.
  @Test func `the complete engine finds what both engines of the loop miss`() throws {
    let bench = try FuzzingBench()
    let known = Set(
      try bench.samples().compactMap { sample in try? sample.verdict(by: bench.completeReference).get().plaintext })
    #expect(!known.isEmpty)
    // A mutation of the payload keeps the structure of the CMS.
    let refusing = BuggyEngine(engine: bench.completeReference) { result in
      guard case .success(let token) = result, !known.contains(token.plaintext) else { return result }
      return .failure(TokenFault(.signatureMismatch))
    }
    let reusing = try bench.reference(reusing: ResultCache())
    var loop = try bench.loop({ [fast = bench.fast] in (fast, refusing) }, reusing: { reusing })
    let found = try loop.firstFound()
    #expect(found.violation.kind == .disagreement)
    #expect(Triage(loop).finding(of: found).replays == 3)
  }

  @Test func `the complete engine confirms the first accepted sample with a new form of the signature`() throws {
    let bench = try FuzzingBench()
    let refusing = BuggyEngine(engine: bench.completeReference) { result in
      guard case .success(let token) = result, token.version == .rsaV1 else { return result }
      return .failure(TokenFault(.signatureMismatch))
    }
    let reusing = try bench.reference(reusing: ResultCache())
    var loop = try bench.loop(
      { [fast = bench.fast] in (fast, refusing) }, reusing: { reusing }, startsEmpty: true)
    // Every fourth sample is of RSA_v1.
    for (index, sample) in try bench.samples().prefix(4).enumerated() {
      guard case .found(let found) = loop.take(sample) else {
        #expect(index < 3)
        continue
      }
      #expect(index == 3)
      #expect(found.violation.kind == .disagreement)
      #expect(Triage(loop).finding(of: found).replays == 3)
    }
  }

  @Test func `samples are the same with and without reuse`() throws {
    func requests(reuses: Bool) throws -> [TestInput] {
      let bench = try FuzzingBench(remembersDrafts: reuses)
      let reusing = try bench.reference(reusing: ResultCache())
      var loop = try bench.loop(reusing: reuses ? { reusing } : nil)
      var samples: [TestInput] = []
      for _ in 0..<(Ring.isDeep ? 4_000 : 500) { _ = try loop.step { samples.append($0) } }
      return samples
    }
    #expect(try requests(reuses: true) == requests(reuses: false))
  }

  @Test func `a key pair with a leading zero follows within the limit`() throws {
    let minter = try Minter(seed: FuzzingBench.seed, at: FuzzingBench.now)
    let (pair, other) = (minter.pki.leafKey, minter.merchants[0].keys[0].pair)
    let byPoint = try #require(try pair.nextWithLeadingZero())
    #expect(byPoint.point[1] == 0)
    let bySecret = try #require(try pair.nextWithLeadingZero(inSecretWith: other.point))
    #expect(try bySecret.sharedSecret(with: other.point).first == 0)
  }
}
