import Explanation
import Gateways
import MerchantKeys
import Minting
import PaymentToken

/// A token to be explained, and the keys and options given for it.
struct Scenario {
  /// The time all tokens here are minted at.
  static let time = UnixTime(secondsSinceEpoch: 1_767_225_600)
  static let day: Int64 = 86_400

  let minter: Minter
  var token: [UInt8]
  var now = Scenario.time
  var policy = VerificationPolicy()
  var allowsUnsigned = false
  var files: [KeyFile]
  var merchantIDs: [String] = []
  var candidates: [String] = []
  var anchors: TrustAnchors

  /// A valid token with its keys.
  init(_ minter: Minter, _ recipe: TokenRecipe = TokenRecipe()) throws {
    self.minter = minter
    token = try minter.mint(recipe).bytes
    files =
      switch recipe.version {
      case .ecV1: Scenario.files(minter.merchants[recipe.merchant].keys[recipe.key])
      case .rsaV1: Scenario.files(minter.rsaMerchants[recipe.merchant].keys[recipe.key])
      }
    anchors = minter.anchors
  }

  static func files(_ key: TestMerchant.Key) -> [KeyFile] {
    [file("merchant.key", key.sec1PEM), file("merchant.pem", key.certificatePEM)]
  }

  static func files(_ key: RSATestMerchant.Key) -> [KeyFile] {
    [file("merchant.key", key.pkcs8PEM), file("merchant.pem", key.certificatePEM)]
  }

  /// A sound token of RSA_v1.
  mutating func mintRSA() throws { self = try Scenario(minter, rsaRecipe) }

  var rsaRecipe: TokenRecipe {
    var recipe = TokenRecipe()
    recipe.version = .rsaV1
    return recipe
  }

  static func file(_ name: String, _ text: String) -> KeyFile { KeyFile(name: name, bytes: Array(text.utf8)) }

  /// The explanation of the default token after a preparation.
  static func explain(_ prepare: (inout Scenario) throws -> Void) throws -> Explanation {
    var scenario = try Scenario(ScenarioTests.minter.get())
    try prepare(&scenario)
    return try scenario.explain()
  }

  func explain() throws -> Explanation {
    let keyContext: KeyContext
    do throws(KeyError) {
      let keys = try MerchantKeySet(
        files: files, merchantIDs: merchantIDs.map { MerchantIDAssignment(argument: $0) })
      keyContext = KeyContext(keys, candidates: candidates)
    } catch {
      keyContext = try KeyContext(unusable: error, files: files)
    }
    return try Explainer(keyContext, anchors: anchors).explain(
      token.span, at: now, under: policy, allowsUnsigned: allowsUnsigned)
  }

  /// A token for the second merchant ID, and a key with a certificate of the first.
  ///
  /// - Parameters:
  ///   - start: the first day of the certificate, counted from `Scenario.time`; `end` the last.
  mutating func useAnotherMerchantsCertificate(
    _ key: TestMerchant.Key, from start: Int64 = -90, to end: Int64 = 600
  ) throws {
    var recipe = TokenRecipe()
    recipe.merchant = 1
    token = try minter.mint(recipe).bytes
    files = [
      Scenario.file("other.key", key.sec1PEM),
      try MerchantCertificate.pem(minter, key, from: start * Scenario.day, to: end * Scenario.day),
    ]
  }

  /// The first merchant's second key, with a certificate of these days, counted as above.
  mutating func useNewKey(
    _ kind: MerchantCertificate.Kind = .processing, from start: Int64, to end: Int64, hasMerchantIDHash: Bool = true
  ) throws {
    let key = minter.merchants[0].keys[1]
    files = [
      Scenario.file("new.key", key.sec1PEM),
      try MerchantCertificate.pem(
        minter, key, kind, from: start * Scenario.day, to: end * Scenario.day, hasMerchantIDHash: hasMerchantIDHash),
    ]
  }

  // MARK: Edits

  /// Replaces the token by the default one, whose object is edited.
  mutating func json(_ edit: (inout JSONObject) -> Void) throws {
    var object = try minter.layers().object
    edit(&object)
    token = JSONValue.object(object).text()
  }

  /// Replaces the token by the default one, whose header is edited.
  mutating func header(_ edit: (inout JSONObject) -> Void) throws {
    try json { object in
      var header = object["header"]?.object ?? JSONObject()
      edit(&header)
      object["header"] = .object(header)
    }
  }

  /// Replaces the token by the default one, whose parts are edited before it is written.
  mutating func layers(_ edit: (inout TokenLayers) throws -> Void) throws {
    var layers = try minter.layers()
    try edit(&layers)
    token = layers.token
  }

  /// Replaces the token by the default one, whose parts are edited and then signed.
  mutating func signed(_ edit: (inout TokenLayers) throws -> Void) throws {
    try layers {
      try edit(&$0)
      try $0.sign()
    }
  }
}

/// Merchants' certificates of other dates and kinds than the minter's.
enum MerchantCertificate {
  enum Kind {
    case processing
    /// With Apple's marker and client authentication.
    case identity
  }

  static func pem(
    _ minter: Minter, _ key: TestMerchant.Key, _ kind: Kind = .processing, from start: Int64, to end: Int64,
    hasMerchantIDHash: Bool = true
  ) throws -> KeyFile {
    try pem(minter, key.pair.publicKeyInfo, kind, from: start, to: end, hasMerchantIDHash: hasMerchantIDHash)
  }

  static func pem(
    _ minter: Minter, _ publicKeyInfo: ASN1Node, _ kind: Kind, from start: Int64, to end: Int64,
    hasMerchantIDHash: Bool = true
  ) throws -> KeyFile {
    let merchant = minter.merchants[0]
    var recipe = minter.pki.leafRecipe
    recipe.notBefore = .time(Scenario.time.advanced(by: start))
    recipe.notAfter = .time(Scenario.time.advanced(by: end))
    recipe.publicKeyInfo = publicKeyInfo
    let title = kind == .identity ? "Apple Pay Merchant Identity" : "Apple Pay Payment Processing"
    recipe.subject = .sequence([
      name([0, 9, 2342, 19_200_300, 100, 1, 1], merchant.identifier),
      name([2, 5, 4, 3], "\(title):\(merchant.identifier)"),
    ])
    recipe.extensions = []
    if hasMerchantIDHash {
      let hash = ASN1Node.utf8String(Hex.encode(merchant.identifierHash).uppercased())
      recipe.extensions.append(entry([1, 2, 840, 113_635, 100, 6, 32], hash))
    }
    if kind == .identity {
      recipe.extensions.append(entry([1, 2, 840, 113_635, 100, 6, 28], .primitive(0x05, [])))
      recipe.extensions.append(entry([2, 5, 29, 37], .sequence([.oid([1, 3, 6, 1, 5, 5, 7, 3, 2])])))
    }
    let der = try recipe.issue(by: minter.pki.intermediateKey)
    return Scenario.file("certificate.pem", PEM.certificate(der))
  }

  private static func entry(_ oid: [UInt64], _ value: ASN1Node) -> ASN1Node {
    .sequence([.oid(oid), .octetString(value.encoded)])
  }

  private static func name(_ type: [UInt64], _ value: String) -> ASN1Node {
    .set([.sequence([.oid(type), .utf8String(value)])])
  }
}
