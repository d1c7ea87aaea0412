import MerchantKeys
import Minting
import PaymentToken

/// A token and the answer it must get.
struct SecretToken {
  let name: String
  let bytes: [UInt8]
  let expected: MintedVerdict

  private init(_ name: String, _ bytes: [UInt8], _ expected: MintedVerdict) {
    (self.name, self.bytes, self.expected) = (name, bytes, expected)
  }

  private init(refused name: String, _ layers: TokenLayers) {
    self.init(name, layers.token, .reject(TokenFault(.decryptionFailed)))
  }

  /// An accepted token and one with a flipped tag bit for every key of EC_v1.
  static func forKeys(_ pairs: [KeyPair], _ minter: Minter) throws -> [SecretToken] {
    var tokens: [SecretToken] = []
    for (index, pair) in pairs.enumerated() {
      var layers = try minter.layers(TokenRecipe(index: UInt64(index)))
      layers.publicKeyHash = try pair.privateKey().publicKeyHash().withUnsafeBytes { Array($0) }
      try layers.encrypt(to: pair.point)
      try layers.sign()
      let name = "chosen key \(index)"
      tokens.append(SecretToken(name, layers.token, .accept(plaintext: layers.plaintext)))
      layers.data[layers.data.count - 1] ^= 1
      try layers.sign()
      tokens.append(SecretToken(refused: "\(name), wrong tag", layers))
    }
    return tokens
  }

  /// An accepted token, and one of each kind that does not unwrap, for every key of RSA_v1.
  static func forRSAKeys(_ minter: Minter) throws -> [SecretToken] {
    var tokens: [SecretToken] = []
    for index in minter.rsaMerchants[0].keys.indices {
      var recipe = TokenRecipe(index: UInt64(index))
      recipe.version = .rsaV1
      recipe.key = index
      let sound = try minter.layers(recipe)
      tokens.append(SecretToken("RSA key \(index)", sound.token, .accept(plaintext: sound.plaintext)))
      for (name, edit) in wrappings {
        var layers = sound
        if var wrapping = layers.wrapping {
          edit(&wrapping.padding)
          layers.wrapping = wrapping
        }
        try layers.encrypt()
        try layers.sign()
        tokens.append(SecretToken(refused: "RSA key \(index), \(name)", layers))
      }
      for (name, edit) in edits {
        var layers = sound
        edit(&layers)
        try layers.sign()
        tokens.append(SecretToken(refused: "RSA key \(index), \(name)", layers))
      }
    }
    return tokens
  }

  /// What is wrapped ends in 01 and the 16 octets of the key: where the 01 stands makes the key's length.
  private static let wrappings: [(String, @Sendable (inout OAEPPadding) -> Void)] = [
    ("key of 15 octets", { $0.editBlock = { $0.replaceSubrange(($0.count - 17)..., with: [0, 1] + $0.suffix(15)) } }),
    ("key of 17 octets", { $0.editBlock = { $0[$0.count - 18] = 1 } }),
    ("key of no octets", { $0.editBlock = { $0.replaceSubrange(($0.count - 17)..., with: zeros + [1]) } }),
    ("no 01", { $0.editBlock = { $0.replaceSubrange(($0.count - 17)..., with: zeros + [0]) } }),
    ("wrong label", { $0.label = [1] }),
    ("first octet 1", { $0.firstOctet = 1 }),
  ]

  private static let zeros = [UInt8](repeating: 0, count: 16)

  private static let edits: [(String, @Sendable (inout TokenLayers) -> Void)] = [
    ("another wrapped key", { $0.wrappedKey[40] ^= 1 }),
    ("wrapped key above the modulus", { $0.wrappedKey = [UInt8](repeating: 0xFF, count: $0.wrappedKey.count) }),
    ("wrong tag", { $0.data[$0.data.count - 1] ^= 1 }),
  ]

  /// The minter's named cases that reach a merchant's key, and so the secrets: stages 10 to 14.
  static func cases(_ minter: Minter) throws -> [SecretToken] {
    let stages: Set<Substring> = ["10", "11", "12", "13", "14"]
    return try CaseRecipe.all
      .filter { stages.contains($0.clause.prefix { $0 != "." }) }
      .map { try minter.make($0) }
      .filter(\.isSingleToken)
      .map { SecretToken($0.name, $0.token, $0.expected) }
  }
}
