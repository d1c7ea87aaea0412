import PaymentToken

/// The contents and the form of a valid token.
public struct TokenRecipe: Sendable {
  /// Distinguishes tokens: ephemeral key and transactionId depend only on it, the version and the minter's seed.
  public var index: UInt64
  /// The version of the token.
  public var version = TokenVersion.ecV1
  /// The merchant's position in `Minter.merchants`, or in `Minter.rsaMerchants` for RSA_v1.
  public var merchant = 0
  /// The key's position in the merchant's `keys`.
  public var key = 0
  /// The payload.
  public var payload = PayloadRecipe()
  /// Replaces the payload's plaintext when not nil.
  public var plaintext: [UInt8]?
  /// Seconds from the minter's time to the signing time.
  public var signedAfter: Int64 = 0
  /// SHA-256 of the request's application data, 32 bytes.
  public var applicationData: [UInt8]?
  /// How the CMS is written.
  package var signature = SignedDataRecipe()
  /// How the JSON is written.
  public var style = TokenStyle()

  /// A 3DSecure token for the first key of the first merchant, signed at the minting time.
  public init(index: UInt64 = 0) {
    self.index = index
  }

  /// A recipe for a valid token of RSA_v1, drawn from the stream.
  public static func randomRSA(index: UInt64, from stream: inout SeededGenerator) -> TokenRecipe {
    var recipe = random(index: index, from: &stream)
    recipe.version = .rsaV1
    recipe.merchant = 0
    recipe.key = Int.random(in: 0..<3, using: &stream)
    recipe.signature.rsaForm = SignedDataRecipe.RSAForm.allCases[Int.random(in: 0..<4, using: &stream)]
    return recipe
  }

  /// A recipe for a valid token: merchant, key, payload, form of the signature and JSON style are drawn from the
  /// stream.
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

/// Valid forms that Apple does not send, which sound decryptors may refuse.
extension TokenRecipe {
  /// What is unlike Apple's tokens, except white space, in words.
  package var oddities: [String] {
    var oddities: [String] = []
    if signature.identifier != .issuerAndSerialNumber { oddities.append("the signer named by key identifier") }
    if signature.wrappers != .indefinite { oddities.append("a CMS of definite lengths") }
    if version.hasRSASigner, signature.rsaForm != .sha256WithRSA {
      oddities.append("another name of the signature algorithm")
    }
    if signedAfter > 0 { oddities.append("a signing time in the future") }
    if style.upperCaseHex { oddities.append("hexadecimal in upper case") }
    return oddities
  }

  /// The same recipe without its oddities.
  package var plain: TokenRecipe {
    var recipe = self
    recipe.signature.identifier = .issuerAndSerialNumber
    recipe.signature.wrappers = .indefinite
    recipe.signature.rsaForm = .sha256WithRSA
    recipe.signedAfter = min(signedAfter, 0)
    recipe.style.upperCaseHex = false
    return recipe
  }
}

/// A minted token, with its layers and its merchant.
public struct MintedToken: Sendable {
  /// The token as a merchant receives it.
  public let bytes: [UInt8]
  /// The layers, which can be edited and encoded again.
  public let layers: TokenLayers
  /// The merchant identifier the token is for.
  public let merchantIdentifier: String

  /// The plaintext of `data`.
  public var plaintext: [UInt8] { layers.plaintext }
  /// Decoded: 32 bytes.
  public var transactionId: [UInt8] { layers.transactionId }
  /// The CMS signingTime.
  public var signedAt: UnixTime { layers.signedAt }
}

/// Differences between the versions that matter for making tokens.
extension TokenVersion {
  /// Whether the header has an ephemeral public key; otherwise it has the wrapped symmetric key.
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

  /// The name of this version's key in the header.
  package var keyName: String { hasEphemeralKey ? "ephemeralPublicKey" : "wrappedKey" }

  /// The name of the other version's key in the header, where it must be absent.
  package var otherKeyName: String { hasEphemeralKey ? "wrappedKey" : "ephemeralPublicKey" }
}
