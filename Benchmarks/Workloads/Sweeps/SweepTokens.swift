import Benchmarking
import MerchantKeys
import Minting
import PaymentToken

/// Tokens for many merchant keys, or of many signers.
final class SweepTokens {
  /// The measured numbers of keys.
  static let keyCounts = [1, 10, 100, 1_000, 10_000, 100_000]
  /// The measured numbers of signers: leaf certificates under one intermediate. Apple used four in eleven years. The
  /// engine caches 1,024 chains, which the last number exceeds.
  static let signerCounts = [1, 10, 100, 1_000, 2_000]

  private let minter: Minter
  private var keys: [MerchantKeySource] = []
  /// One token of each signer.
  private var signed: [TokenSet.Entry] = []

  /// The most tokens for a set of keys.
  private static let mostTokens = 64
  private static let merchant = "merchant.test.assay.many"
  private static let what = "the tokens of a sweep"

  init(seed: UInt64) throws(BenchmarkFailure) {
    minter = try BenchmarkFailure.minting(Self.what) { try Minter(seed: seed, at: TokenSet.mintingTime) }
  }

  /// An engine's set of `count` keys, and tokens for keys evenly spread over them.
  func tokens(keys count: Int) throws(BenchmarkFailure) -> TokenSet {
    try BenchmarkFailure.minting(Self.what) {
      while keys.count < count { keys.append(try key(keys.count)) }
      let chosen = (0..<min(count, Self.mostTokens)).map { $0 * count / min(count, Self.mostTokens) }
      return try set(chosen.map { try entry(for: $0) }, keys: MerchantKeySet(Array(keys[..<count])))
    }
  }

  /// One token of each of `count` signers.
  func tokens(signers count: Int) throws(BenchmarkFailure) -> TokenSet {
    try BenchmarkFailure.minting(Self.what) {
      while signed.count < count { signed.append(try entry(of: UInt64(signed.count))) }
      return try set(Array(signed[..<count]), keys: minter.merchantKeySet())
    }
  }

  private func set(_ entries: [TokenSet.Entry], keys: MerchantKeySet) -> TokenSet {
    TokenSet(
      entries: entries, keys: keys, anchors: minter.anchors, now: TokenSet.mintingTime, policy: VerificationPolicy())
  }

  private func key(_ index: Int) throws -> MerchantKeySource {
    var stream = minter.generator.stream("sweep key", UInt64(index))
    // 32 bytes with the first bit clear, which is below the order of the group.
    var scalar = stream.bytes(32)
    scalar[0] &= 0x7F
    scalar[31] |= 1
    return MerchantKeySource(
      privateKey: try scalar.withUnsafeBytes { try PrivateKey(scalar: $0) }, merchantID: Self.merchant)
  }

  private func entry(for index: Int) throws(MintingError) -> TokenSet.Entry {
    var layers = try minter.layers(TokenRecipe(index: UInt64(index)))
    guard case .p256(let point) = keys[index].secret.publicKey else { throw .recipe("not a key of EC_v1") }
    layers.publicKeyHash = keys[index].secret.publicKeyHash().bytes
    layers.merchantHash = Hashing.sha256(Array(Self.merchant.utf8))
    try layers.encrypt(to: point)
    try layers.sign()
    return TokenSet.Entry(token: layers.token, version: .ecV1, plaintext: layers.plaintext)
  }

  private func entry(of signer: UInt64) throws(MintingError) -> TokenSet.Entry {
    var stream = minter.generator.stream("sweep leaf", signer)
    var layers = try minter.layers(TokenRecipe(index: signer))
    layers.signer = try TokenSigner(minter.pki.withAnotherLeaf(from: &stream))
    try layers.sign()
    return TokenSet.Entry(token: layers.token, version: .ecV1, plaintext: layers.plaintext)
  }
}
