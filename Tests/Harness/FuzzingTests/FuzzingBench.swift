import Differential
import FastDecryption
import Fuzzing
import MerchantKeys
import Minting
import PaymentToken
import ReferenceDecryption
import TestCases
import TestSupport

/// Keys, engines and fuzzing loops for tests.
struct FuzzingBench {
  static let seed: UInt64 = 20_261_121
  static let now = UnixTime(secondsSinceEpoch: 1_795_000_000)

  let sampleSigner: SampleSigner
  let fast: FastDecryptor
  /// In the first ring it reuses the results of signature checks, most of which are those of the same few certificates.
  let reference: ReferenceDecryptor
  /// Makes every signature check itself.
  let completeReference: ReferenceDecryptor
  let keys: MerchantKeySet

  private static let results = ResultCache()

  /// Loaded once: checking the keys for RSA_v1 takes longer than a hundred samples.
  private static let first = Result { try minted(by: seed) }

  private static func minted(by seed: UInt64) throws -> (minter: Minter, keys: MerchantKeySet) {
    let minter = try Minter(seed: seed, at: now)
    return (minter, try minter.merchantKeySet())
  }

  init(remembersDrafts: Bool = true, seed: UInt64 = seed) throws {
    let minted = try seed == Self.seed ? Self.first.get() : Self.minted(by: seed)
    sampleSigner = try SampleSigner(minted.minter, remembersDrafts: remembersDrafts)
    keys = minted.keys
    fast = try FastDecryptor(keys: keys, anchors: sampleSigner.anchors)
    completeReference = try ReferenceDecryptor(keys: keys, anchors: sampleSigner.anchors)
    reference =
      Ring.isDeep
      ? completeReference
      : try ReferenceDecryptor(keys: keys, anchors: sampleSigner.anchors, reusing: Self.results.check)
  }

  var minter: Minter { sampleSigner.minter }
  var engines: FuzzEngines {
    FuzzEngines(sampleSigner: sampleSigner, reference: reference) { [fast, reference] in (fast, reference) }
  }

  /// A reference engine that reuses the results of `cache`.
  func reference(reusing cache: ResultCache) throws -> ReferenceDecryptor {
    try ReferenceDecryptor(keys: keys, anchors: sampleSigner.anchors, reusing: cache.check)
  }

  /// Valid tokens of both versions, bare.
  func samples() throws -> [TestInput] {
    var samples: [TestInput] = []
    for index in 0..<12 as Range<UInt64> {
      let token = try index % 4 == 3 ? minter.mintRSA(index: index) : minter.mint(index: index)
      samples.append(TestInput(token.bytes, TestContext(now: minter.time)))
    }
    return samples
  }

  func loop(
    _ pair: (() -> (any TokenDecryptor, any TokenDecryptor))? = nil, reusing: (() -> any TokenDecryptor)? = nil,
    histories: ((HistoryCheck.Effort) -> HistoryCheck)? = nil,
    startsEmpty: Bool = false, explanation: ((TestInput) -> String)? = nil
  ) throws -> FuzzLoop {
    var engines = engines
    if let pair { engines.pair = pair }
    (engines.reusing, engines.histories, engines.explanation) = (reusing, histories, explanation)
    var loop = FuzzLoop(corpus: LoopCorpus(), engines: engines, seed: Self.seed, stream: 1)
    if !startsEmpty { for sample in try samples() { _ = loop.take(sample) } }
    return loop
  }
}

extension FuzzLoop {
  /// The first violation that the loop finds, of one kind if it is given.
  mutating func firstFound(_ kind: Violation.Kind? = nil) throws -> Found {
    for _ in 0..<6_000 {
      guard case .found(let found) = try step(), kind == nil || found.violation.kind == kind else { continue }
      return found
    }
    throw NothingFound()
  }

  struct NothingFound: Error {
    let seed = FuzzingBench.seed
  }
}

/// An engine with a bug that a test plants.
struct BuggyEngine: TokenDecryptor {
  let name = "buggy"
  let engine: any TokenDecryptor
  /// Replaces the engine's verdict.
  let change: @Sendable (Result<DecryptedToken, TokenFault>) -> Result<DecryptedToken, TokenFault>

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    var result: Result<DecryptedToken, TokenFault>
    do { result = .success(try engine.decrypt(request, at: now, under: policy)) } catch { result = .failure(error) }
    return try change(result).get()
  }

  func decryptAllowingUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> SignedOrUnsignedToken {
    try engine.decryptAllowingUnsigned(request, at: now, under: policy)
  }
}
