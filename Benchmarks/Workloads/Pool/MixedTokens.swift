import Benchmarking
import Minting
import PaymentToken

/// Kinds of tokens that a pool treats differently.
enum TokenKind: Int, CaseIterable, Sendable {
  case ecV1, rsaV1, unknownCertificates

  /// The name in reports.
  var name: String {
    switch self {
    case .ecV1: "EC_v1"
    case .rsaV1: "RSA_v1"
    case .unknownCertificates: "unknown certificates"
    }
  }
}

/// A token to load a pool with, and the right answer.
struct LoadSample: Sendable {
  let token: [UInt8]
  let kind: TokenKind
  /// The length of the plaintext; nil for a token that must be refused.
  let length: Int?
}

/// Tokens of all kinds for one engine.
///
/// The tokens with unknown certificates have valid chains, but their transactionId was altered after signing: all of
/// the chain must be verified, and it is never cached.
struct MixedTokens {
  let ecV1: [LoadSample]
  let rsaV1: [LoadSample]
  let unknown: [LoadSample]
  /// Keys, roots, time and policy; the tokens of EC_v1.
  let checked: CheckedTokens

  /// - Throws: `BenchmarkFailure` when minting fails, or an engine gives a wrong answer.
  init(seed: UInt64) throws(BenchmarkFailure) {
    let ec = try CheckedTokens(TokenSet.minted(count: 64, version: .ecV1, seed: seed))
    ecV1 = Self.samples(ec, .ecV1)
    rsaV1 = Self.samples(try CheckedTokens(TokenSet.minted(count: 16, version: .rsaV1, seed: seed)), .rsaV1)
    (unknown, checked) = try BenchmarkFailure.minting("the tokens of a mixed load") {
      let minter = try Minter(seed: seed, at: TokenSet.mintingTime)
      let unknown = try (0..<16).map { (index: UInt64) in
        var stream = minter.generator.stream("unknown leaf", index)
        var layers = try minter.layers(TokenRecipe(index: index))
        layers.signer = try TokenSigner(minter.pki.withAnotherLeaf(from: &stream))
        try layers.sign()
        layers.transactionId[0] ^= 1
        return LoadSample(token: layers.token, kind: .unknownCertificates, length: nil)
      }
      let set = TokenSet(
        entries: ec.set.entries, keys: try minter.merchantKeySet(), anchors: minter.anchors, now: ec.set.now,
        policy: ec.set.policy)
      return (unknown, CheckedTokens(set, lengths: ec.lengths))
    }
  }

  private static func samples(_ tokens: CheckedTokens, _ kind: TokenKind) -> [LoadSample] {
    zip(tokens.set.entries, tokens.lengths).map { LoadSample(token: $0.token, kind: kind, length: $1) }
  }
}
