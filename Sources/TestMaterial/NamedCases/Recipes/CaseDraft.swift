import Gateways
import Minting
import PaymentToken
import TestCases

/// A test case under construction: the layers of a valid token, and the context that it is verified in.
///
/// A case starts from a valid token and makes one change. A change to `layers` before `sign` or `reseal` yields a token
/// that is signed or encrypted with the change, so that only the rule under test fails; a change after them breaks the
/// signature or the tag. `json`, `text` and `requestText` edit the encoded token or request. All random bytes come from
/// `stream`, which depends on the minter and the case's seed alone: adding or reordering cases does not change them.
struct CaseDraft {
  let minter: Minter
  var layers: TokenLayers
  /// The token's bytes; nil while they follow from the layers.
  var token: [UInt8]?
  /// The request around the token; nil for a bare token.
  var request: [UInt8]?
  var now: UnixTime
  var policy = TestPolicy()
  var prelude: [[UInt8]] = []
  var anchors: [[UInt8]]?
  /// The valid tokens that the case is made of; the first is the one that the case changes.
  private(set) var origins: [TokenLayers]
  /// The case's own random bytes.
  var stream: SeededGenerator

  init(_ minter: Minter, seed: String) throws(MintingError) {
    self.minter = minter
    stream = minter.generator.stream("case \(seed)")
    now = minter.time
    layers = try minter.layers(TokenRecipe(index: stream.next()))
    origins = [layers]
  }

  /// Replaces the token by a valid one of RSA_v1 for one of the merchant's three keys.
  mutating func becomeRSA(key: Int = 0) throws {
    layers = try soundToken { ($0.version, $0.key) = (.rsaV1, key) }
    origins = [layers]
  }

  /// Another valid token of the same version, with another ephemeral or wrapped key and another transactionId.
  mutating func anotherToken() throws -> TokenLayers {
    let version = layers.version
    return try soundToken { $0.version = version }
  }

  /// A valid token of an edited recipe.
  mutating func soundToken(_ edit: (inout TokenRecipe) -> Void) throws -> TokenLayers {
    var recipe = TokenRecipe(index: stream.next())
    edit(&recipe)
    let layers = try minter.layers(recipe)
    origins.append(layers)
    return layers
  }

  var bareToken: [UInt8] { token ?? layers.token }

  // MARK: JSON

  /// Edits the token object as the layers make it: earlier edits of `token` are lost.
  mutating func json(_ edit: (inout JSONObject) -> Void) {
    var object = layers.object
    edit(&object)
    token = JSONValue.object(object).text(layers.style.spacing)
  }

  mutating func header(_ edit: (inout JSONObject) -> Void) {
    json { $0.edit("header", edit) }
  }

  /// Edits the token's bytes.
  mutating func text(_ edit: (inout [UInt8]) -> Void) {
    var bytes = bareToken
    edit(&bytes)
    token = bytes
  }

  /// Replaces the value of one of the token's members; nil removes the member.
  mutating func set(_ member: TokenMember, _ value: JSONValue?) {
    set([member: value])
  }

  /// Replaces the values of several of the token's members; nil removes one.
  mutating func set(_ values: KeyValuePairs<TokenMember, JSONValue?>) {
    json { object in for (member, value) in values { object[member.names] = value } }
  }

  /// The encoded value of one of the token's members.
  func value(_ member: TokenMember) -> [UInt8] { layers.object[member.names]?.text() ?? [] }

  /// Edits the characters of a member whose value is a string.
  mutating func characters(of member: TokenMember, _ edit: (inout [UInt8]) -> Void) {
    var text = Array(value(member).dropFirst().dropLast())
    edit(&text)
    set(member, .raw([0x22] + text + [0x22]))
  }

  // MARK: CMS

  /// Edits the layers and signs.
  mutating func sign(_ edit: (inout TokenLayers) throws -> Void = { _ in }) throws {
    try edit(&layers)
    try layers.sign()
  }

  /// Replaces one layer and signs.
  mutating func sign<Value>(_ layer: WritableKeyPath<TokenLayers, Value>, _ value: Value) throws {
    layers[keyPath: layer] = value
    try layers.sign()
  }

  /// Replaces the signature value.
  mutating func sign(value: [UInt8]) throws {
    try sign { $0.signatureRecipe.editValue = { $0 = value } }
  }

  /// Fills a member with random bytes and signs.
  mutating func sign(random member: WritableKeyPath<TokenLayers, [UInt8]>, count: Int) throws {
    try sign(member, stream.bytes(count))
  }

  /// Adds random application data, signs the token, and returns the data.
  @discardableResult
  mutating func signApplicationData(count: Int = 32) throws -> [UInt8] {
    let data = stream.bytes(count)
    try sign { $0.applicationData = data }
    return data
  }

  /// Signs and verifies the token this many seconds after the minting time.
  mutating func sign(andVerifyAfter seconds: Int64) throws {
    now = minter.time.advanced(by: seconds)
    try sign(\.signedAt, now)
  }

  /// Signs with the PKI's leaf for the token's version.
  mutating func sign(under pki: TestPKI) throws {
    try sign(\.signer, TokenSigner(pki, version: layers.version))
  }

  /// The attributes that the signer signs.
  var signedAttributes: [ASN1Node] {
    layers.signer.attributes(over: layers.signedContent, at: layers.signedAt, as: layers.signatureRecipe)
  }

  /// Signs, and then edits the ContentInfo.
  mutating func signature(_ edit: @escaping @Sendable (inout ASN1Node) -> Void) throws {
    layers.signatureRecipe.editTree = edit
    try layers.sign()
  }

  /// Edits the signed attributes and signs.
  ///
  /// - Parameter sorted: whether they are sorted afterwards, as DER requires.
  mutating func attributes(sorted: Bool = true, _ edit: @escaping @Sendable (inout [ASN1Node]) -> Void) throws {
    layers.signatureRecipe.sortsAttributes = sorted
    layers.signatureRecipe.editAttributes = edit
    try layers.sign()
  }

  // MARK: Certificates

  /// The recipe of the leaf for the token's version.
  var leafRecipe: WritableKeyPath<TestPKI, CertificateRecipe> {
    switch layers.version {
    case .ecV1: \.leafRecipe
    case .rsaV1: \.rsaLeafRecipe
    }
  }

  /// Issues certificates of an edited PKI and signs with its leaf; trusts its root.
  mutating func chain(_ edit: (inout TestPKI) -> Void) throws {
    var pki = minter.pki
    edit(&pki)
    try pki.issue()
    anchors = pki.root == minter.pki.root ? nil : [pki.root]
    try sign(under: pki)
  }

  /// Issues another leaf of the token's version under the same intermediate, and signs with it.
  mutating func leaf(_ edit: (inout CertificateRecipe) -> Void) throws {
    let leaf = leafRecipe
    try issueLeaves { edit(&$0[keyPath: leaf]) }
  }

  /// Issues a leaf with a validity in seconds after the minting time; nil keeps an end as it is.
  mutating func leaf(validFrom start: Int64?, to end: Int64?) throws {
    let time = minter.time
    try leaf { $0.setValidity(time, start, end) }
  }

  /// Issues the leaves of an edited PKI under the same intermediate, and signs with its leaf.
  mutating func issueLeaves(_ edit: (inout TestPKI) -> Void) throws {
    var pki = minter.pki
    edit(&pki)
    try pki.issueLeaf()
    try sign(under: pki)
  }

  /// Issues another intermediate under the same root, and signs with the same leaf.
  mutating func intermediate(_ edit: (inout CertificateRecipe) -> Void) throws {
    try issueIntermediate { edit(&$0.intermediateRecipe) }
  }

  /// Issues an intermediate with a validity in seconds after the minting time; nil keeps an end as it is.
  mutating func intermediate(validFrom start: Int64?, to end: Int64?) throws {
    let time = minter.time
    try intermediate { $0.setValidity(time, start, end) }
  }

  /// Issues intermediate and leaves of an edited PKI under the same root, and signs with its leaf.
  mutating func issueIntermediate(_ edit: (inout TestPKI) -> Void) throws {
    var pki = minter.pki
    edit(&pki)
    try pki.issueIntermediate()
    try sign(under: pki)
  }

  /// Issues certificates with short names, without the extensions that no rule reads, and signs: so a signature fits
  /// into a token when each of its characters is an escape.
  mutating func useSmallCertificates() throws {
    let unread = [OID.authorityInformationAccess, OID.certificatePolicies, OID.crlDistributionPoints]
    let names = ["A", "B"].map { ASN1Node.sequence([Names.attribute(OID.commonName, .utf8String($0))]) }
    try issueIntermediate { pki in
      pki.intermediateRecipe.subject = names[0]
      for leaf in [\TestPKI.leafRecipe, \.rsaLeafRecipe] {
        pki[keyPath: leaf].issuer = names[0]
        pki[keyPath: leaf].subject = names[1]
      }
      for recipe in [\TestPKI.intermediateRecipe, \.leafRecipe, \.rsaLeafRecipe] {
        pki[keyPath: recipe].extensions.removeAll { node in unread.contains { $0 == node.children.first } }
      }
    }
  }

  /// Edits the list of certificates in the CMS, and signs.
  mutating func certificates(_ edit: (inout [[UInt8]]) -> Void) throws {
    edit(&layers.signer.certificates)
    try layers.sign()
  }

  /// Adds a certificate to the CMS, and signs.
  mutating func append(certificate: [UInt8]) throws {
    try certificates { $0.append(certificate) }
  }

  /// Turns replay detection on.
  mutating func detectReplays(by store: TestPolicy.Store = .capacity(10)) {
    policy.freshness = .window(seconds: 300, replay: store)
  }

  /// Revokes the certificate or public key with this encoding.
  mutating func revoke(_ encoding: [UInt8]) {
    policy.revoked = [Bytes32(Hashing.sha256(encoding))].compactMap { $0 }
  }

  // MARK: Encryption

  /// Encrypts a plaintext, the same as before if none is given, and signs.
  mutating func reseal(_ plaintext: [UInt8]? = nil) throws {
    try layers.encrypt(plaintext)
    try layers.sign()
  }

  /// Edits the default payload (`PayloadRecipe`), then encrypts and signs.
  mutating func payload(_ edit: (inout JSONObject) -> Void) throws {
    var object = PayloadRecipe().object
    edit(&object)
    try reseal(JSONValue.object(object).text())
  }

  /// Encrypts with the key derived from this shared secret.
  mutating func seal(withSecret secret: [UInt8]) throws {
    let key = TokenEncryption.symmetricKey(sharedSecret: secret, merchantHash: layers.merchantHash)
    layers.data = try TokenEncryption.seal(layers.plaintext, key: key)
  }

  /// Uses these bytes as the ephemeral public key and signs. If `point` is given, first encrypts with the secret that
  /// the merchant derives from it.
  mutating func ephemeral(_ publicKeyInfo: [UInt8], point: [UInt8]? = nil) throws {
    layers.ephemeralPublicKey = publicKeyInfo
    if let point {
      try seal(withSecret: layers.merchantKey.pair.sharedSecret(with: point))
    }
    try layers.sign()
  }

  /// Encodes the token's own point with other parameters than those of P-256.
  mutating func ephemeral(parameters: ASN1Node) throws {
    let point = layers.ephemeral.point
    try ephemeral(CaseList.info(point, [parameters]).encoded, point: point)
  }
}

extension SigningKey {
  /// The EC key; a minter's authorities all have one.
  var pair: KeyPair {
    get throws {
      guard case .ec(let key) = self else { throw MintingError.recipe("an EC key") }
      return key
    }
  }
}

extension TestPKI {
  /// Replaces the root's key.
  mutating func setRoot(_ key: SigningKey) {
    rootKey = key
    rootRecipe.publicKeyInfo = key.publicKeyInfo
  }

  /// Replaces the intermediate's key.
  mutating func setIntermediate(_ key: SigningKey) {
    intermediateKey = key
    intermediateRecipe.publicKeyInfo = key.publicKeyInfo
  }
}

extension CertificateRecipe {
  /// Replaces the extension of the same OID, or adds this one.
  mutating func replaceExtension(_ replacement: ASN1Node) {
    replaceExtension(replacement[0], with: replacement)
  }

  /// Sets the validity in seconds after a time; nil keeps an end as it is.
  mutating func setValidity(_ time: UnixTime, _ start: Int64?, _ end: Int64?) {
    if let start { notBefore = .time(time.advanced(by: start)) }
    if let end { notAfter = .time(time.advanced(by: end)) }
  }
}

extension [UInt8] {
  /// The sum of two big-endian numbers, one byte longer than the longer of them.
  func adding(_ other: [UInt8]) -> [UInt8] {
    var sum = zeros(Swift.max(count, other.count) + 1)
    var carry = 0
    for place in 1...sum.count {
      for number in [self, other] where place <= number.count { carry += Int(number[number.count - place]) }
      sum[sum.count - place] = UInt8(carry & 0xFF)
      carry >>= 8
    }
    return sum
  }

  /// Replaces the first occurrence of a text. Every case has one; without one the bytes stay as they are.
  mutating func replace(_ old: String, with new: [UInt8]) {
    replace(old.utf8, with: new, maxReplacements: 1)
  }

  mutating func replace(_ old: String, with new: String) {
    replace(old, with: Array(new.utf8))
  }
}

extension JSONObject {
  /// Adds unknown members until there are `count`.
  mutating func fill(to count: Int) {
    for index in members.count..<count { append("unknown\(index)", .raw("0")) }
  }
}

extension JSONValue {
  /// `[[[…]]]`, `depth` arrays deep.
  static func arrays(_ depth: Int) -> JSONValue {
    .raw(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
  }

  /// `{"a":{"a":…{}}}`, `depth` objects deep.
  static func objects(_ depth: Int) -> JSONValue {
    .raw(String(repeating: "{\"a\":", count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1))
  }

  /// An object of `count` members.
  static func wide(_ count: Int) -> JSONValue {
    .object(JSONObject((0..<count).map { .init("member\($0)", .raw("0")) }))
  }
}
