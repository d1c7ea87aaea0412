import Benchmarking
import MerchantKeys
import Minting
import PaymentToken

/// Tokens of many leaf certificates under one intermediate. Apple used four leaves in eleven years.
final class SignerSweep {
  /// The measured numbers of leaves. The engine caches 1,024 chains, which the last number exceeds.
  static let counts = [1, 10, 100, 1_000, 2_000]

  private let minter: Minter
  private var entries: [TokenSet.Entry] = []

  private static let what = "the signers to measure with"

  init(seed: UInt64) throws(BenchmarkFailure) {
    minter = try BenchmarkFailure.minting(Self.what) { try Minter(seed: seed, at: TokenSet.mintingTime) }
  }

  /// One token of each of `count` leaves.
  func tokens(signers count: Int) throws(BenchmarkFailure) -> TokenSet {
    try BenchmarkFailure.minting(Self.what) {
      while entries.count < count { entries.append(try entry(UInt64(entries.count))) }
      return TokenSet(
        entries: Array(entries[..<count]), keys: try minter.merchantKeySet(), anchors: minter.anchors,
        now: TokenSet.mintingTime, policy: VerificationPolicy())
    }
  }

  private func entry(_ index: UInt64) throws(MintingError) -> TokenSet.Entry {
    var stream = minter.generator.stream("sweep leaf", index)
    var layers = try minter.layers(TokenRecipe(index: index))
    layers.signer = try TokenSigner(minter.pki.withAnotherLeaf(from: &stream))
    try layers.sign()
    return TokenSet.Entry(token: layers.token, version: .ecV1, plaintext: layers.plaintext)
  }
}
