import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import TestCases

/// A token and its expected verdict.
struct SecretToken {
  let name: String
  let bytes: [UInt8]
  let expected: TestVerdict?

  /// Whether Z begins with at least 64 zero bits. libcrypto's number is then a word shorter, which the check reports
  /// (Docs/ThreatModel.md); the lanes have numbers of fixed length. Only who knows the merchant's key can make such a
  /// point.
  var hasShortSecret: Bool {
    let prefix = "shared-secret-of-"
    guard name.hasPrefix(prefix) else { return false }
    return (Int(name.dropFirst(prefix.count).prefix { $0.isNumber }) ?? 0) >= 8
  }

  private init(_ name: String, _ bytes: [UInt8], _ expected: TestVerdict?) {
    (self.name, self.bytes, self.expected) = (name, bytes, expected)
  }

  /// An accepted token and one with a flipped tag bit for every key of EC_v1.
  static func forKeys(_ pairs: [KeyPair], _ minter: Minter) throws -> [SecretToken] {
    var tokens: [SecretToken] = []
    for (index, pair) in pairs.enumerated() {
      var layers = try minter.layers(TokenRecipe(index: UInt64(index)))
      layers.publicKeyHash = try MerchantSecret.p256(pair.privateKey()).publicKeyHash().withUnsafeBytes { Array($0) }
      try layers.encrypt(to: pair.point)
      try layers.sign()
      let name = "chosen key \(index)"
      tokens.append(SecretToken(name, layers.token, .accept(plaintext: layers.plaintext)))
      layers.data[layers.data.count - 1] ^= 1
      try layers.sign()
      tokens.append(SecretToken("\(name), wrong tag", layers.token, .reject(TokenFault(.decryptionFailed))))
    }
    return tokens
  }

  /// The minter's named cases that reach a merchant's key, and so the secrets: stages 10 to 14 of both versions.
  static func cases(_ minter: Minter) throws -> [SecretToken] {
    let stages: Set<Substring> = ["10", "11", "12", "13", "14"]
    return try CaseRecipe.all
      .filter { stages.contains($0.clause.prefix { $0 != "." }) }
      .map { try minter.make($0) }
      .filter(\.isSingleToken)
      .map { SecretToken($0.test.name, $0.test.request, $0.test.expected) }
  }
}
