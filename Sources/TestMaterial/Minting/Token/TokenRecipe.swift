import PaymentToken

/// What a sound token should be like.
public struct TokenRecipe: Sendable {
  /// Which of many: device key and transactionId follow from it and the minter's seed alone.
  public var index: UInt64
  /// RSA_v1 brings the AES key wrapped.
  public var version = TokenVersion.ecV1
  /// The merchant's position in `Minter.merchants`, or in `Minter.rsaMerchants` for RSA_v1.
  public var merchant = 0
  /// The key's position in the merchant's `keys`.
  public var key = 0
  /// What the plaintext says.
  public var payload = PayloadRecipe()
  /// The plaintext, if it is not the payload's.
  public var plaintext: [UInt8]?
  /// Seconds from the minter's time to the signing time.
  public var signedAfter: Int64 = 0
  /// SHA-256 of the request's application data, 32 bytes.
  public var applicationData: [UInt8]?
  /// How the CMS is written.
  public var signature = SignedDataRecipe()
  /// How the JSON is written.
  public var style = TokenStyle()

  /// A 3DSecure token for the first key of the first merchant, signed at the minting time.
  public init(index: UInt64 = 0) {
    self.index = index
  }

  /// A sound token of RSA_v1 of some kind.
  public static func randomRSA(index: UInt64, from stream: inout SeededGenerator) -> TokenRecipe {
    var recipe = random(index: index, from: &stream)
    recipe.version = .rsaV1
    recipe.merchant = 0
    recipe.key = Int.random(in: 0..<3, using: &stream)
    recipe.signature.rsaForm = SignedDataRecipe.RSAForm.allCases[Int.random(in: 0..<4, using: &stream)]
    return recipe
  }

  /// A sound token of some kind: merchant, key, payload, signature form and JSON style drawn from the stream.
  public static func random(index: UInt64, from stream: inout SeededGenerator) -> TokenRecipe {
    var recipe = TokenRecipe(index: index)
    recipe.merchant = Int.random(in: 0..<2, using: &stream)
    recipe.key = Int.random(in: 0..<2, using: &stream)
    recipe.payload = .random(from: &stream)
    recipe.signedAfter = Int64.random(in: -240...60, using: &stream)
    if Int.random(in: 0..<3, using: &stream) == 0 { recipe.applicationData = stream.bytes(32) }
    if Int.random(in: 0..<4, using: &stream) == 0 {
      recipe.signature.attributes = .three
      recipe.signature.nullParameters = true
    }
    if Int.random(in: 0..<8, using: &stream) == 0 { recipe.signature.wrappers = .shortest }
    if Int.random(in: 0..<16, using: &stream) == 0 { recipe.signature.identifier = .subjectKeyIdentifier }
    recipe.style = .random(from: &stream)
    return recipe
  }
}

/// A token with all that is known of it.
public struct MintedToken: Sendable {
  /// What a merchant would receive.
  public let bytes: [UInt8]
  /// The parts, to be changed and put together again.
  public let layers: TokenLayers
  /// The merchant identifier the token is for.
  public let merchantIdentifier: String

  /// What `data` holds once opened.
  public var plaintext: [UInt8] { layers.plaintext }
  /// Decoded: 32 bytes.
  public var transactionId: [UInt8] { layers.transactionId }
  /// The CMS signingTime.
  public var signedAt: UnixTime { layers.signedAt }
}

/// What whoever makes tokens does differently by their version.
extension TokenVersion {
  /// Whether the header has the sender's ephemeral key; else it has a wrapped one.
  package var hasEphemeralKey: Bool {
    switch self {
    case .ecV1: true
    case .rsaV1: false
    }
  }

  /// Whether a leaf with an RSA key signs; else one with a key of P-256.
  package var hasRSASigner: Bool {
    switch self {
    case .ecV1: false
    case .rsaV1: true
    }
  }

  /// What the header calls that key.
  package var keyName: String { hasEphemeralKey ? "ephemeralPublicKey" : "wrappedKey" }

  /// What it calls the key of the other kind, which must not stand beside it.
  package var otherKeyName: String { hasEphemeralKey ? "wrappedKey" : "ephemeralPublicKey" }
}
