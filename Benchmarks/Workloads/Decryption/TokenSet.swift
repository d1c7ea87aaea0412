public import Benchmarking
public import MerchantKeys
import Minting
import NamedCases
public import PaymentToken
public import TestCases

/// Tokens to measure with, and their keys, roots and policy.
public struct TokenSet: Sendable {
  /// A token, with its plaintext if known.
  public struct Entry: Sendable {
    /// The bytes of `PKPaymentToken.paymentData`, or the request that they came in.
    public let token: [UInt8]
    /// The token version, which selects the benchmarks.
    public let version: TokenVersion
    /// The plaintext; nil if only the engines know it.
    public let plaintext: [UInt8]?
    /// The token with one character of the ciphertext changed, which every engine must refuse; nil if it has no
    /// member `data`.
    public let altered: [UInt8]?

    /// The token with one character of the signature value changed (in EC_v1 of the number s), which every engine must
    /// refuse although the data decrypts; nil if it has no signature.
    let forged: [UInt8]?

    fileprivate static func forged(_ token: [UInt8]) -> [UInt8]? {
      guard let start = end(of: "signature", in: token),
        let quote = token[start...].dropFirst(8).firstIndex(of: UInt8(ascii: "\""))
      else { return nil }
      // The signature value is at the end, before a few bytes that end indefinite lengths. An escape such as `\u002f`
      // is skipped.
      let letter = (start..<max(start, quote - 40)).last { position in
        !token[(position - 5)..<position].contains(UInt8(ascii: "\\"))
          && Character(UnicodeScalar(token[position])).isLetter
      }
      return letter.flatMap { changed(token, at: $0) }
    }

    fileprivate static func altered(_ token: [UInt8]) -> [UInt8]? {
      end(of: "data", in: token).flatMap { changed(token, at: $0 + 20) }
    }

    /// The position after a member's name.
    private static func end(of member: String, in token: [UInt8]) -> Int? {
      let name = Array("\"\(member)\"".utf8)
      return token.indices.first { token[$0...].starts(with: name) }.map { $0 + name.count }
    }

    private static func changed(_ token: [UInt8], at position: Int) -> [UInt8]? {
      guard token.indices.contains(position) else { return nil }
      var altered = token
      altered[position] = altered[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      return altered
    }
  }

  /// The tokens, decrypted in rotation.
  public private(set) var entries: [Entry]
  /// The merchant keys.
  public let keys: MerchantKeySet
  /// The trust anchors.
  public let anchors: TrustAnchors
  /// The verification time.
  public let now: UnixTime
  /// The policy, which must not detect replays.
  public let policy: VerificationPolicy
  /// Whether the tokens have no signature, and are decrypted under the unsigned policy.
  let isUnsigned: Bool
  /// Keys and root as text, for external programs; nil unless they are public test keys.
  public private(set) var setting: TestSetting?

  /// Creates a set.
  ///
  /// - Parameter isUnsigned: whether the tokens have no signature, and are decrypted under the unsigned policy.
  public init(
    entries: [Entry], keys: MerchantKeySet, anchors: TrustAnchors, now: UnixTime, policy: VerificationPolicy,
    isUnsigned: Bool = false
  ) {
    self.entries = entries
    self.keys = keys
    self.anchors = anchors
    self.now = now
    self.policy = policy
    self.isUnsigned = isUnsigned
  }

  /// The set with only the tokens of one version.
  func restricted(to version: TokenVersion) -> TokenSet {
    var set = self
    set.entries.removeAll { $0.version != version }
    return set
  }

  /// The time at which minted tokens are signed and verified. Benchmarks read no clock for this.
  static let mintingTime = UnixTime(secondsSinceEpoch: 1_767_225_600)

  /// Distinct tokens from a seed, all signed by one leaf certificate.
  ///
  /// Those of EC_v1 are for two merchants with two keys each. Those of RSA_v1 are for the first (2,048 bits) of one
  /// merchant's three keys. All keys are loaded.
  ///
  /// - Throws: `BenchmarkFailure` when minting fails or the minted keys cannot be loaded.
  public static func minted(
    count: Int = 64, version: TokenVersion = .ecV1, seed: UInt64
  ) throws(BenchmarkFailure) -> TokenSet {
    try BenchmarkFailure.minting("the tokens to measure with") {
      let minter = try Minter(seed: seed, at: mintingTime)
      let entries = try (0..<count).map { index in
        let stream = minter.generator.stream("benchmark", UInt64(index))
        let minted = try minter.mint(recipe(UInt64(index), version, from: stream))
        return Entry(token: minted.bytes, version: version, plaintext: minted.plaintext)
      }
      let setting = TestSetting(of: minter, keys: TestKey.all(of: minter, version))
      var set = TokenSet(
        entries: entries, keys: try setting.merchantKeySet(), anchors: minter.anchors, now: mintingTime,
        policy: VerificationPolicy())
      set.setting = setting
      return set
    }
  }

  /// A typical token with its own amount and cryptogram.
  private static func recipe(_ index: UInt64, _ version: TokenVersion, from stream: SeededGenerator) -> TokenRecipe {
    var stream = stream
    var recipe = TokenRecipe(index: index)
    recipe.version = version
    switch version {
    case .ecV1: (recipe.merchant, recipe.key) = (Int(index % 2), Int(index / 2 % 2))
    case .rsaV1: break
    }
    recipe.payload.transactionAmount = String(Int.random(in: 1...1_000_000, using: &stream))
    recipe.payload.kind = .threeDSecure(cryptogram: stream.bytes(20), eciIndicator: "7")
    return recipe
  }
}

extension TokenSet.Entry {
  /// A token and its plaintext.
  public init(token: [UInt8], version: TokenVersion, plaintext: [UInt8]?) {
    self.init(
      token: token, version: version, plaintext: plaintext, altered: Self.altered(token), forged: Self.forged(token))
  }
}
