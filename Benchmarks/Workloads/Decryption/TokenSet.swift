public import Benchmarking
public import MerchantKeys
import Minting
public import PaymentToken

/// Tokens to measure with, and what opens them.
public struct TokenSet: Sendable {
  /// A token, and its plaintext where that is known.
  public struct Entry: Sendable {
    /// The bytes of `PKPaymentToken.paymentData`.
    public let token: [UInt8]
    /// What it decrypts to; nil when only the engines can tell.
    public let plaintext: [UInt8]?

    /// A token and its plaintext.
    public init(token: [UInt8], plaintext: [UInt8]?) {
      self.token = token
      self.plaintext = plaintext
    }
  }

  /// The tokens, opened in this order again and again.
  public let entries: [Entry]
  /// The keys that open them.
  public let keys: MerchantKeySet
  /// The roots they are verified under.
  public let anchors: TrustAnchors
  /// The verification time.
  public let now: UnixTime
  /// What is demanded of them; must not detect replays.
  public let policy: VerificationPolicy

  /// A set of tokens with what opens them.
  public init(
    entries: [Entry], keys: MerchantKeySet, anchors: TrustAnchors, now: UnixTime, policy: VerificationPolicy
  ) {
    self.entries = entries
    self.keys = keys
    self.anchors = anchors
    self.now = now
    self.policy = policy
  }

  /// The time minted tokens are signed and verified at: benchmarks do not read a clock to decide.
  static let mintingTime = UnixTime(secondsSinceEpoch: 1_767_225_600)

  /// Different tokens from a seed: two merchants of two keys each, one leaf, as in Apple's tokens.
  ///
  /// - Throws: `BenchmarkFailure` when minting fails or the minted keys cannot be loaded.
  public static func minted(count: Int = 64, seed: UInt64) throws(BenchmarkFailure) -> TokenSet {
    do {
      let minter = try Minter(seed: seed, at: mintingTime)
      let entries = try (0..<count).map { index in
        let minted = try minter.mint(recipe(UInt64(index), from: minter.generator.stream("benchmark", UInt64(index))))
        return Entry(token: minted.bytes, plaintext: minted.plaintext)
      }
      let files = minter.merchants.enumerated().flatMap { number, merchant in
        merchant.keys.enumerated().flatMap { index, key in
          [
            KeyFile(name: "merchant \(number) key \(index)", bytes: Array(key.pkcs8PEM.utf8)),
            KeyFile(name: "merchant \(number) certificate \(index)", bytes: Array(key.certificatePEM.utf8)),
          ]
        }
      }
      return TokenSet(
        entries: entries, keys: try MerchantKeySet.load(files: files), anchors: minter.anchors, now: mintingTime,
        policy: VerificationPolicy())
    } catch {
      throw BenchmarkFailure("the tokens to measure with could not be minted: \(error)")
    }
  }

  /// A token as wallets make them, with an amount and a cryptogram of its own.
  private static func recipe(_ index: UInt64, from stream: SeededGenerator) -> TokenRecipe {
    var stream = stream
    var recipe = TokenRecipe(index: index)
    recipe.merchant = Int(index % 2)
    recipe.key = Int(index / 2 % 2)
    recipe.payload.transactionAmount = String(Int.random(in: 1...1_000_000, using: &stream))
    recipe.payload.kind = .threeDSecure(cryptogram: stream.bytes(20), eciIndicator: "7")
    return recipe
  }
}
