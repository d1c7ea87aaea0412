import MerchantKeys
import PaymentToken

/// A merchant's own public key, for which tokens are minted. The private key is not needed.
public struct TokenRecipient: Hashable, Sendable {
  private enum Key: Hashable {
    case p256(point: [UInt8], merchantIDHash: [UInt8])
    case rsa(RSAPublicKey)
  }

  private let key: Key

  /// The recipient with this public key: of P-256 with a merchant ID, or RSA of 2,048 to 4,096 bits; nil for others.
  ///
  /// - Parameters:
  ///   - publicKey: the merchant's key.
  ///   - merchantIDHash: SHA-256 of the merchant ID, which RSA_v1 does not need.
  public init?(_ publicKey: PublicKey, merchantIDHash: Bytes32? = nil) {
    switch publicKey {
    case .p256(let point):
      guard let merchantIDHash else { return nil }
      key = .p256(point: point, merchantIDHash: merchantIDHash.bytes)
    case .rsa(let modulus, let bits):
      guard RSAPrivateKey.allowedBits.contains(bits) else { return nil }
      key = .rsa(RSAPublicKey(modulus: modulus))
    case .p384, .other: return nil
    }
  }

  /// The version of the tokens for this key.
  public var version: TokenVersion {
    switch key {
    case .p256: .ecV1
    case .rsa: .rsaV1
    }
  }

  /// SHA-256 of the SubjectPublicKeyInfo.
  private var publicKeyHash: [UInt8] {
    switch key {
    case .p256(let point, _): Hashing.sha256(KeyPair.publicKeyInfo(.p256, point).encoded)
    case .rsa(let key): Hashing.sha256(key.publicKeyInfo.encoded)
    }
  }

  /// Encrypts the layers, which are of this key's version, to this key.
  fileprivate func encrypt(_ layers: inout TokenLayers) throws(MintingError) {
    layers.publicKeyHash = publicKeyHash
    switch key {
    case .p256(let point, let merchantIDHash):
      layers.merchantHash = merchantIDHash
      try layers.encrypt(to: point)
    case .rsa(let key):
      guard let wrapping = layers.wrapping else { throw .recipe("a token without a wrapped key") }
      layers.wrappedKey = try wrapping.wrapped(under: key)
    }
  }
}

extension Minter {
  /// Mints a valid token for a merchant's own key. A decryptor with the private key and `anchors` accepts the token.
  /// The recipe's version, merchant and key are not used.
  public func mint(_ recipe: TokenRecipe = TokenRecipe(), for recipient: TokenRecipient) throws(MintingError) -> [UInt8]
  {
    var recipe = recipe
    (recipe.version, recipe.merchant, recipe.key) = (recipient.version, 0, 0)
    var layers = try layers(recipe)
    try recipient.encrypt(&layers)
    try layers.sign()
    return layers.token
  }
}
