import CSodium
import MerchantKeys
import PaymentToken

/// Mints test tokens under test roots: the same seed and time give the same bytes, on every machine and every thread.
///
/// The certificates' names say that they are for tests, and no decryptor with Apple's root accepts them.
public struct Minter: Sendable {
  /// The seed of all keys and random bytes.
  public let seed: UInt64
  /// The default signing time of tokens.
  public let time: UnixTime
  /// The certificates that sign valid tokens.
  package private(set) var pki: TestPKI
  /// Another complete PKI, an attacker's: its root must not be trusted.
  package let foreign: TestPKI
  /// Two merchants of two keys each, of EC_v1.
  public let merchants: [TestMerchant]
  /// A merchant of RSA_v1 with three keys, which are the same for all seeds.
  public let rsaMerchants: [RSATestMerchant]
  /// The source of all other random bytes.
  package let generator: SeededGenerator

  /// Makes keys and certificates.
  ///
  /// - Parameters:
  ///   - seed: the same seed and time give the same keys and tokens.
  ///   - time: the minting time; certificates are valid around it.
  /// - Throws: when a library call fails, or for a time outside ``times``.
  public init(seed: UInt64, at time: UnixTime) throws(MintingError) {
    guard Self.times.contains(time) else { throw .recipe("the time is outside \(Self.times)") }
    guard sodium_init() >= 0 else { throw .library("sodium_init") }
    let generator = SeededGenerator(seed: seed)
    self.seed = seed
    self.time = time
    self.generator = generator
    pki = try TestPKI(
      from: generator.stream("pki"), at: time, label: "Test",
      rsaLeafKey: try FixedRSAKeys.leaf.pair)
    foreign = try TestPKI(
      from: generator.stream("foreign pki"), at: time, label: "Foreign Test",
      rsaLeafKey: try FixedRSAKeys.foreignLeaf.pair)
    merchants = [
      try TestMerchant("merchant.test.assay.one", keys: 2, from: generator.stream("merchants"), at: time),
      try TestMerchant("merchant.test.assay.two", keys: 2, from: generator.stream("merchants"), at: time),
    ]
    rsaMerchants = [
      try RSATestMerchant("merchant.test.assay.three", from: generator.stream("merchants"), at: time)
    ]
  }

  /// The times that tokens can be minted for: GeneralizedTime has four digits for the year, and the certificates are
  /// valid from ten years before to fifteen years after.
  public static let times =
    UnixTime(secondsSinceEpoch: -61_536_067_200)...UnixTime(secondsSinceEpoch: 252_802_771_199)

  /// A minter of the same keys whose certificates have their extensions in another order.
  ///
  /// - Parameter order: returns the extensions of one certificate in another order.
  package func ordering(
    extensions order: ([ASN1Node]) -> [ASN1Node]
  ) throws(MintingError) -> Minter {
    var other = self
    other.pki.rootRecipe.extensions = order(pki.rootRecipe.extensions)
    other.pki.intermediateRecipe.extensions = order(pki.intermediateRecipe.extensions)
    other.pki.leafRecipe.extensions = order(pki.leafRecipe.extensions)
    other.pki.rsaLeafRecipe.extensions = order(pki.rsaLeafRecipe.extensions)
    try other.pki.issue()
    return other
  }

  /// The root that a decryptor must trust to accept valid tokens.
  public var anchors: TrustAnchors { pki.anchors }

  /// The root that `anchors` holds, as PEM.
  public var rootPEM: String { PEM.certificate(pki.root) }

  /// Mints a valid token.
  public func mint(_ recipe: TokenRecipe = TokenRecipe()) throws(MintingError) -> MintedToken {
    let layers = try layers(recipe)
    let identifier =
      switch recipe.version {
      case .ecV1: merchants[recipe.merchant].identifier
      case .rsaV1: rsaMerchants[recipe.merchant].identifier
      }
    return MintedToken(bytes: layers.token, layers: layers, merchantIdentifier: identifier)
  }

  /// Mints a valid token of RSA_v1, whose kind is drawn from the seed and `index`.
  public func mintRSA(index: UInt64) throws(MintingError) -> MintedToken { try mint(recipe(index: index, .rsaV1)) }

  /// Mints a valid token of EC_v1, whose kind is drawn from the seed and `index`.
  public func mint(index: UInt64) throws(MintingError) -> MintedToken { try mint(recipe(index: index, .ecV1)) }

  /// A recipe for a valid token, drawn from the seed and `index`.
  package func recipe(index: UInt64, _ version: TokenVersion) -> TokenRecipe {
    switch version {
    case .ecV1:
      var stream = generator.stream("recipe", index)
      return .random(index: index, from: &stream)
    case .rsaV1:
      var stream = generator.stream("rsa recipe", index)
      return .randomRSA(index: index, from: &stream)
    }
  }

  /// The layers of a valid token.
  public func layers(_ recipe: TokenRecipe = TokenRecipe()) throws(MintingError) -> TokenLayers {
    switch recipe.version {
    case .ecV1: try ecLayers(recipe)
    case .rsaV1: try rsaLayers(recipe)
    }
  }

  private func ecLayers(_ recipe: TokenRecipe) throws(MintingError) -> TokenLayers {
    guard merchants.indices.contains(recipe.merchant),
      merchants[recipe.merchant].keys.indices.contains(recipe.key)
    else { throw .recipe("no such merchant or key") }
    let merchant = merchants[recipe.merchant]
    let key = merchant.keys[recipe.key]
    var stream = generator.stream("token", recipe.index)
    let ephemeral = try KeyPair(.p256, from: &stream)
    var layers = TokenLayers(
      plaintext: recipe.plaintext ?? recipe.payload.plaintext, ephemeral: ephemeral, merchantKey: key,
      merchantHash: merchant.identifierHash, signer: TokenSigner(pki),
      signedAt: time.advanced(by: recipe.signedAfter), signatureRecipe: recipe.signature, style: recipe.style,
      ephemeralPublicKey: ephemeral.publicKeyInfo.encoded, publicKeyHash: key.publicKeyHash,
      transactionId: stream.bytes(32), applicationData: recipe.applicationData)
    try layers.encrypt()
    try layers.sign()
    return layers
  }

  /// The layers of a valid token of RSA_v1; members that only EC_v1 has are not used.
  private func rsaLayers(_ recipe: TokenRecipe) throws(MintingError) -> TokenLayers {
    guard rsaMerchants.indices.contains(recipe.merchant),
      rsaMerchants[recipe.merchant].keys.indices.contains(recipe.key)
    else { throw .recipe("no such merchant or key") }
    let key = rsaMerchants[recipe.merchant].keys[recipe.key]
    var other = recipe
    other.merchant = 0
    other.key = 0
    var layers = try ecLayers(other)
    var stream = generator.stream("rsa token", recipe.index)
    layers.wrapping = KeyWrapping(stream.bytes(16), under: key, seed: stream.bytes(32))
    layers.publicKeyHash = key.publicKeyHash
    layers.transactionId = stream.bytes(32)
    layers.signer = TokenSigner(pki, version: .rsaV1)
    try layers.encrypt()
    try layers.sign()
    return layers
  }
}

extension Minter {
  /// The keys of all merchants, loaded by the same PEM reader as users' keys.
  ///
  /// - Throws: `KeyError`, only if memory or an algorithm of libcrypto is missing.
  public func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    let files = merchants.flatMap { $0.files(\.sec1PEM) } + rsaMerchants.flatMap { $0.files(\.pkcs8PEM) }
    return try MerchantKeySet(files: files)
  }

  /// The keys of the merchants for EC_v1, and external ones for RSA_v1.
  package func merchantKeySet(externalRSA: [ExternalRSAKey]) throws(KeyError) -> MerchantKeySet {
    try MerchantKeySet(files: merchants.flatMap { $0.files(\.sec1PEM) }, externalRSAKeys: externalRSA)
  }
}

extension MintedMerchant {
  /// Every key in this encoding, and its certificate.
  fileprivate func files(_ pem: KeyPath<Key, String>) -> [KeyFile] {
    keys.enumerated().flatMap { index, key in
      [("key", key[keyPath: pem]), ("certificate", key.certificatePEM)].map { kind, text in
        KeyFile(name: "\(identifier) \(index + 1) \(kind)", bytes: Array(text.utf8))
      }
    }
  }
}
