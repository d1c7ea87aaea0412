import Differential
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import Synchronization
import TestCases
import Testing

/// The check that an engine decides a request in a batch as it does alone.
@Suite struct BatchCheckTests {
  private let engine: any BatchDecryptor
  private let inputs: [TestInput]

  init() throws {
    let minter = try Minter(seed: 1, at: Hunt.now)
    engine = try Engines.minted(minter).fast
    let context = TestContext(now: Hunt.now)
    let tokens = try (0..<4).map { try minter.layers(TokenRecipe(index: $0)).token }
    inputs = (tokens + [Array("{}".utf8)] + tokens + [Array(tokens[0].dropLast())]).map { TestInput($0, context) }
  }

  /// What the check says of an engine that changes the results of its batches, over all inputs in turn.
  private func findings(_ change: @escaping BatchAlteration) -> [String] {
    let engine = AlteredBatches(engine: engine, change: change)
    var check = BatchCheck(engine)
    return inputs.compactMap { input in
      check.contradiction(to: input.verdict(by: engine), on: input, isThorough: true)
    }
  }

  @Test func `a sound engine decides batches of every arrangement like single requests`() {
    var sizes: Set<Int> = []
    #expect(
      findings { results in
        sizes.insert(results.count)
        return results
      } == [])
    #expect(sizes.isSuperset(of: [1, 2, 3, 10, 66]))
  }

  @Test func `engines of a setting share its keys, and not those of one that only looks the same`() throws {
    let seen = Mutex<[MerchantKeySet]>([])
    let contender = EngineContender(
      name: "seen",
      making: { keys, anchors throws(TrustAnchorError) in
        seen.withLock { $0.append(keys) }
        return try ReferenceDecryptor(keys: keys, anchors: anchors)
      })
    let key = try Minter(seed: 1, at: Hunt.now).merchants[0].keys[0]
    for merchantId in ["caf\u{E9}", "caf\u{E9}", "cafe\u{301}"] {
      let file = TestKey(privateKeyPem: key.pkcs8PEM, certificatePem: nil, merchantId: merchantId)
      contender.begin(TestSetting(keys: [file], rootsPem: [], hasTestKeys: true), windowSeconds: nil)
    }
    let sets = seen.withLock { $0 }
    #expect(sets.count == 3 && sets[0] === sets[1] && sets[1] !== sets[2])
  }

  @Test func `a verdict that moves to the neighbour is found`() {
    #expect(!findings { $0.reversed() }.isEmpty)
  }

  @Test func `a verdict that is wrong after a rejected request only is found`() {
    let isFound = findings { results in
      guard results.count > 1, case .failure = results[0], case .success = results[1] else { return results }
      return results.map { _ in results[0] }
    }
    #expect(!isFound.isEmpty)
  }

  @Test func `a verdict that is wrong in the second window only is found`() {
    #expect(!findings { $0.count > 64 ? $0.dropLast() + [.failure(TokenFault(.signatureMismatch))] : $0 }.isEmpty)
  }

  @Test func `a batch without a verdict for every request is found`() {
    #expect(!findings { $0.count > 9 ? $0.dropLast() : $0 }.isEmpty)
  }

  @Test func `a replay is found in a batch with its prelude, and a batch that forgets the store is a contradiction`()
    throws
  {
    var input = inputs[0]
    input.context.prelude = [input.request]
    input.context.policy.freshness = .window(seconds: 300, replay: .capacity(8))
    let verdict = input.verdict(by: engine)
    #expect(verdict == .failure(TokenFault(.replayedTransaction)))
    var check = BatchCheck(engine)
    #expect(check.contradiction(to: verdict, on: input) == nil)
    var altered = BatchCheck(AlteredBatches(engine: engine) { [$0[0], $0[0]] })
    #expect(altered.contradiction(to: verdict, on: input) != nil)
  }
}

/// Changes the results of a batch.
private typealias BatchAlteration = ([Result<DecryptedToken, TokenFault>]) -> [Result<DecryptedToken, TokenFault>]

/// An engine whose batches are altered; single requests are not.
///
/// `@unchecked Sendable`: used by one test's thread.
private struct AlteredBatches: BatchDecryptor, @unchecked Sendable {
  let engine: any BatchDecryptor
  let change: BatchAlteration

  var name: String { engine.name }

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    try engine.decrypt(request, at: now, under: policy)
  }

  func decryptUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> TokenUnderUnsignedPolicy {
    try engine.decryptUnsigned(request, at: now, under: policy)
  }

  func decryptBatch(
    _ requests: [[UInt8]], at now: UnixTime, under policy: VerificationPolicy
  ) -> [Result<DecryptedToken, TokenFault>] {
    change(engine.decryptBatch(requests, at: now, under: policy))
  }
}
