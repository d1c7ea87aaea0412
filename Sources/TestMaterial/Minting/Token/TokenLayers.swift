import Gateways
import PaymentToken

/// A token taken apart: what its JSON, its base64, its CMS and its plaintext hold, and the keys to make it again.
///
/// Change a layer, then call `encrypt`, `sign` or both for what lies above it, and `token` at last: an edit without the
/// following step is how a fault in that layer alone is made.
public struct TokenLayers: Sendable {
  /// What `data` holds once opened.
  public var plaintext: [UInt8]
  /// How the AES key travels in a token of RSA_v1; nil makes it one of EC_v1.
  public var wrapping: KeyWrapping?
  /// EC_v1: the device's key of this one token.
  public var ephemeral: KeyPair
  /// EC_v1: the merchant's key that the token is for.
  public var merchantKey: TestMerchant.Key
  /// EC_v1: SHA-256 of the merchant identifier.
  public var merchantHash: [UInt8]
  /// Who signs, and which certificates travel along.
  public var signer: TokenSigner
  /// The CMS signingTime.
  public var signedAt: UnixTime
  /// How the CMS is written.
  public var signatureRecipe: SignedDataRecipe
  /// How the JSON is written.
  public var style: TokenStyle

  /// Decoded, EC_v1: 91 bytes of SubjectPublicKeyInfo.
  public var ephemeralPublicKey: [UInt8]
  /// Decoded: 32 bytes.
  public var publicKeyHash: [UInt8]
  /// Decoded: 32 bytes.
  public var transactionId: [UInt8]
  /// Decoded: 32 bytes, or none.
  public var applicationData: [UInt8]?
  /// Decoded, RSA_v1: as long as the modulus. Set by `encrypt`.
  public var wrappedKey: [UInt8] = []
  /// Decoded: ciphertext and tag. Set by `encrypt`.
  public var data: [UInt8] = []
  /// Decoded: the CMS. Set by `sign`.
  public var signature: [UInt8] = []

  /// The version that the layers make.
  public var version: TokenVersion { wrapping == nil ? .ecV1 : .rsaV1 }

  /// What the signature covers: ephemeralPublicKey or wrappedKey ‖ data ‖ transactionId ‖ applicationData.
  public var signedContent: [UInt8] {
    (version.hasEphemeralKey ? ephemeralPublicKey : wrappedKey) + data + transactionId + (applicationData ?? [])
  }

  /// Encrypts `plaintext` anew, for the merchant's key as it is.
  public mutating func encrypt() throws(MintingError) {
    if let wrapping {
      wrappedKey = try wrapping.wrapped()
      data = try TokenEncryption.seal(plaintext, key: wrapping.key)
      return
    }
    try encrypt(to: merchantKey.pair.point)
  }

  /// Encrypts `plaintext` of EC_v1 anew, for a key whose private half need not be known: 04 ‖ x ‖ y of P-256.
  public mutating func encrypt(to point: [UInt8]) throws(MintingError) {
    let secret = try ephemeral.sharedSecret(with: point)
    data = try TokenEncryption.seal(
      plaintext, key: TokenEncryption.symmetricKey(sharedSecret: secret, merchantHash: merchantHash))
  }

  /// Signs the decoded members anew.
  public mutating func sign() throws(MintingError) {
    signature = try signer.sign(signedContent, at: signedAt, as: signatureRecipe)
  }

  /// Takes another device key: its public key too, and all that follows.
  public mutating func replaceEphemeral(with pair: KeyPair) throws(MintingError) {
    ephemeral = pair
    ephemeralPublicKey = pair.publicKeyInfo.encoded
    try encrypt()
    try sign()
  }

  /// The token object as it would be written.
  public var object: JSONObject { style.object(self) }

  /// The token's bytes.
  public var token: [UInt8] { JSONValue.object(object).text(style.spacing) }
}
