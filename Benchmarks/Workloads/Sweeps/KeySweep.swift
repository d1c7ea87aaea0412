import Benchmarking
import MerchantKeys
import Minting
import PaymentToken

/// Merchant keys, and tokens for keys evenly spread over them.
final class KeySweep {
  /// The measured numbers of keys.
  static let counts = [1, 10, 100, 1_000, 10_000, 100_000]

  private let minter: Minter
  private var keys: [MerchantKeySource] = []

  private static let mostTokens = 64
  private static let merchant = "merchant.test.assay.many"
  private static let what = "the keys to measure with"

  init(seed: UInt64) throws(BenchmarkFailure) {
    minter = try BenchmarkFailure.minting(Self.what) { try Minter(seed: seed, at: TokenSet.mintingTime) }
  }

  /// An engine's set of `count` keys.
  func tokens(keys count: Int) throws(BenchmarkFailure) -> TokenSet {
    try BenchmarkFailure.minting(Self.what) {
      while keys.count < count { keys.append(try source(keys.count)) }
      let chosen = (0..<min(count, Self.mostTokens)).map { $0 * count / min(count, Self.mostTokens) }
      let entries = try chosen.map { try entry(for: $0) }
      return TokenSet(
        entries: entries, keys: try MerchantKeySet(Array(keys[..<count])), anchors: minter.anchors,
        now: TokenSet.mintingTime, policy: VerificationPolicy())
    }
  }

  /// 32 bytes with the first bit clear, which is below the order of the group.
  private func scalar(_ index: Int) -> [UInt8] {
    var stream = minter.generator.stream("sweep key", UInt64(index))
    var bytes = stream.bytes(32)
    bytes[0] &= 0x7F
    bytes[31] |= 1
    return bytes
  }

  private func source(_ index: Int) throws -> MerchantKeySource {
    let key = try scalar(index).withUnsafeBytes { try PrivateKey(scalar: $0) }
    return MerchantKeySource(privateKey: key, merchantID: Self.merchant)
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
}
