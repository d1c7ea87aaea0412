import Gateways
import PaymentToken

/// The layers of a token: plaintext, encrypted members, CMS and JSON, with the keys to encode them again.
///
/// Change a layer, call `encrypt` and `sign` to update the layers above it, and read `token`. To make a fault in one
/// layer only, change it and skip the step that follows.
public struct TokenLayers: Sendable {
  /// The plaintext of `data`. `encrypt` with another one replaces both.
  public private(set) var plaintext: [UInt8]
  /// The wrapping of the AES key in a token of RSA_v1; nil makes a token of EC_v1.
  package var wrapping: KeyWrapping?
  /// EC_v1: the ephemeral key pair.
  package var ephemeral: KeyPair
  /// EC_v1: the merchant's key that the token is for.
  package var merchantKey: TestMerchant.Key
  /// EC_v1: SHA-256 of the merchant identifier.
  public var merchantHash: [UInt8]
  /// The signer and the certificates in the CMS.
  package var signer: TokenSigner
  /// The CMS signingTime.
  public var signedAt: UnixTime
  /// How the CMS is written.
  package var signatureRecipe: SignedDataRecipe
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

  /// The version of the token.
  public var version: TokenVersion { wrapping == nil ? .ecV1 : .rsaV1 }

  /// What the signature covers: ephemeralPublicKey or wrappedKey ‖ data ‖ transactionId ‖ applicationData.
  public var signedContent: [UInt8] {
    (version.hasEphemeralKey ? ephemeralPublicKey : wrappedKey) + data + transactionId + (applicationData ?? [])
  }

  /// Encrypts `other`, or the current plaintext if it is nil, for the merchant's key.
  public mutating func encrypt(_ other: [UInt8]? = nil) throws(MintingError) {
    if let other { plaintext = other }
    if let wrapping {
      wrappedKey = try wrapping.wrapped()
      data = try TokenEncryption.seal(plaintext, key: wrapping.key)
      return
    }
    try encrypt(to: merchantKey.pair.point)
  }

  /// Encrypts `plaintext` of EC_v1 for a public key, 04 ‖ x ‖ y of P-256.
  public mutating func encrypt(to point: [UInt8]) throws(MintingError) {
    let secret = try ephemeral.sharedSecret(with: point)
    data = try TokenEncryption.seal(
      plaintext, key: TokenEncryption.symmetricKey(sharedSecret: secret, merchantHash: merchantHash))
  }

  /// Signs the decoded members.
  public mutating func sign() throws(MintingError) {
    signature = try signer.sign(signedContent, at: signedAt, as: signatureRecipe)
  }

  /// Replaces the ephemeral key, then encrypts and signs.
  package mutating func replaceEphemeral(with pair: KeyPair) throws(MintingError) {
    ephemeral = pair
    ephemeralPublicKey = pair.publicKeyInfo.encoded
    try encrypt()
    try sign()
  }

  /// The token as a JSON object.
  package var object: JSONObject { style.object(self) }

  /// The token's bytes.
  public var token: [UInt8] { JSONValue.object(object).text(style.spacing) }
}
