import Gateways
import Minting
import PaymentToken
import TestCases

/// A sample decoded into its layers.
///
/// A mutation changes one layer and calls `touch`. `settle` then rebuilds the layers around it, from the inside out: it
/// encrypts the payload, updates the message digest, signs the attributes, and encodes the token and the request. With
/// `isLeftStale` the signature is not renewed, which tests that it covers the change.
struct Draft {
  unowned let sampleSigner: SampleSigner
  var context: TestContext
  /// The request as the engines receive it.
  var request: [UInt8]
  /// The request as JSON; nil if it is not JSON.
  var requestTree: JSONPiece?
  /// How the request carries the token; nil if unknown.
  let location: TokenLocation?
  /// The token's JSON as text; empty if the token comes in parts.
  var tokenText: [UInt8] = []
  /// The token's JSON. If it comes in parts, they are assembled here under the names of a token.
  var token: JSONPiece?
  var version = TokenVersion.ecV1
  /// The decoded fields; nil if absent or not decodable.
  var fields = Fields()
  /// The CMS; nil if it cannot be read as BER.
  var cms: ASN1Node?
  /// The decrypted content of `data`; nil if the key is unknown.
  private(set) var payload: [UInt8]?
  /// The AES key.
  var contentKey: [UInt8]?
  /// Whether `settle` keeps the old signature after a change of the content or the attributes.
  var isLeftStale = false
  /// Whether the fields next to the token stay unchanged; rewritings set this.
  var keepsFields = false
  /// The signing key, if it is not the test signer's.
  var otherSigner: SigningKey?
  /// Whether the test authorities certified `otherSigner`.
  var isOtherSignerCertified = false
  /// The expected verdict, if the sample is a named case.
  var expected: TestVerdict?
  private var changed: Set<Layer> = []
  /// The member that the last mutation of members changed.
  private var target: [String]?
  /// The layers as they were read, by which respelling mutations find what others changed.
  private(set) var original: (payload: [UInt8]?, token: JSONPiece?, requestTree: JSONPiece?) = (nil, nil, nil)

  struct Fields {
    var data: [UInt8]?
    var signature: [UInt8]?
    /// ephemeralPublicKey or wrappedKey.
    var key: [UInt8]?
    var publicKeyHash: [UInt8]?
    var transactionId: [UInt8]?
    var applicationData: [UInt8]?
  }

  /// Decodes a sample.
  ///
  /// - Parameter origin: the sample that it was mutated from, as it was decoded. Layers whose bytes are the same are
  ///   not decoded again.
  init(_ sample: TestInput, in sampleSigner: SampleSigner, like origin: Draft? = nil) {
    let tree = JSONPiece(sample.request)
    self.init(
      sample, tree, tree.flatMap { TokenLocation(of: $0, by: sample.context.policy.envelope) }, in: sampleSigner,
      like: origin)
  }

  private init(
    _ sample: TestInput, _ tree: JSONPiece?, _ location: TokenLocation?, in sampleSigner: SampleSigner,
    like origin: Draft? = nil
  ) {
    self.sampleSigner = sampleSigner
    self.location = location
    context = sample.context
    request = sample.request
    requestTree = tree
    openToken(like: origin)
    original = (payload, token, requestTree)
  }

  /// The sample decoded in every way in which its request may carry a token, since only the engines decide which one
  /// applies.
  static func all(of sample: TestInput, in sampleSigner: SampleSigner) -> [Draft] {
    guard let tree = JSONPiece(sample.request) else { return [] }
    var envelopes = Envelope.all
    if case .named(let envelope) = sample.context.policy.envelope { envelopes.insert(envelope, at: 0) }
    let routes = envelopes.flatMap(\.routes).filter { tree[$0.path[...]] != nil }
    let locations = [TokenLocation.bare] + routes.map { .route($0) }
    return locations.map { Draft(sample, tree, $0, in: sampleSigner) }
  }

  var sample: TestInput { TestInput(request, context) }

  /// Whether the sample has a layer that can be changed.
  func has(_ layer: Layer) -> Bool {
    switch layer {
    case .payload: payload != nil
    case .content: fields.data != nil && fields.key != nil
    case .certificates: self[.certificates] != nil
    case .attributes: self[.attributes] != nil
    case .signature: cms != nil
    case .members: token != nil
    case .tokenText: !tokenText.isEmpty
    case .request: requestTree != nil
    case .requestText, .context: true
    }
  }

  /// Marks a layer as changed.
  mutating func touch(_ layer: Layer) {
    changed.insert(layer)
    if layer == .members { changed.insert(.tokenText) }
  }

  /// Picks what a mutation changes: usually the member that an earlier mutation of the sample changed, if it is among
  /// the choices. Two changes of one member reach code that neither reaches alone.
  mutating func aim<Choice>(
    at choices: [Choice], _ path: (Choice) -> [String], using random: inout QuickGenerator
  ) -> Choice {
    let same = choices.filter { path($0) == target }
    let choice = same.isEmpty || random.chance(3) ? random.pick(choices) : random.pick(same)
    target = path(choice)
    return choice
  }

  /// A part of the CMS. Nil if it does not exist; setting it has no effect then.
  subscript(part: CMSPart) -> ASN1Node? {
    get { cms?[part] }
    set { cms?[part] = newValue }
  }

  /// The payload as JSON; nil if it is not JSON.
  var payloadTree: JSONPiece? {
    get { payload.flatMap { JSONPiece($0) } }
    set { if let newValue { replacePayload(with: newValue.text) } }
  }

  mutating func replacePayload(with bytes: [UInt8]) {
    payload = bytes
    touch(.payload)
  }

  // MARK: Opening

  private mutating func openToken(like origin: Draft?) {
    guard let requestTree, let location else { return }
    switch location {
    case .bare:
      token = requestTree
      tokenText = request
    case .route(let route):
      guard let value = requestTree[route.path[...]] else { return }
      switch route.wrapping {
      case .object:
        token = value
        tokenText = value.text
      case .text: tokenText = requestTree.content(at: route.path) ?? []
      case .base64: tokenText = requestTree.content(at: route.path).flatMap { LenientBase64.decode($0) } ?? []
      case .parts(let parts): token = Self.token(of: parts, in: value)
      }
      if token == nil { token = JSONPiece(tokenText) }
    }
    openFields(like: origin)
  }

  /// Assembles the token from its parts, under the token's own names.
  private static func token(of parts: [Envelope.Part], in value: JSONPiece) -> JSONPiece {
    var token = JSONPiece.object([])
    var header = JSONPiece.object([])
    for part in parts {
      guard let value = value[part.name] else { continue }
      let path = part.member.path.split(separator: ".").map { String($0) }
      if path.count == 1 { token[path[0]] = value } else { header[path[1]] = value }
    }
    token["header"] = header
    token["version"] = .string(TokenVersion.ecV1.rawValue)
    return token
  }

  private mutating func openFields(like origin: Draft?) {
    guard let token else { return }
    let name = token.content(at: ["version"]).map { String(decoding: $0, as: UTF8.self) }
    if let known = name.flatMap(TokenVersion.init(rawValue:)) { version = known }
    func base64(_ path: [String]) -> [UInt8]? { token.content(at: path).flatMap { LenientBase64.decode($0) } }
    func hex(_ path: [String]) -> [UInt8]? {
      token.content(at: path).flatMap { Hex.decode(String(decoding: $0, as: UTF8.self)) }
    }
    fields.data = base64(["data"])
    fields.signature = base64(["signature"])
    fields.key = base64(["header", keyName])
    fields.publicKeyHash = base64(["header", "publicKeyHash"])
    fields.transactionId = hex(["header", "transactionId"])
    fields.applicationData = hex(["header", "applicationData"])
    if let origin, let signature = fields.signature, signature == origin.fields.signature {
      cms = origin.cms
    } else {
      cms = fields.signature.flatMap { ASN1Node(ber: $0) }
    }
    if let origin, version == origin.version, fields.data == origin.fields.data, fields.key == origin.fields.key,
      fields.publicKeyHash == origin.fields.publicKeyHash
    {
      (contentKey, payload) = (origin.contentKey, origin.payload)
    } else {
      openPayload()
    }
  }

  var keyName: String { version.keyName }

  /// Decrypts `data`. GCM encrypts in counter mode, so encrypting the ciphertext decrypts it, without checking the tag.
  mutating func openPayload() {
    payload = nil
    guard let key = fields.key, let data = fields.data, data.count >= 16 else { return }
    contentKey = sampleSigner.contentKey(version, keyField: key, publicKeyHash: fields.publicKeyHash)
    payload = contentKey.flatMap { opened(with: $0) }
  }

  /// The content of `data` under an AES key.
  func opened(with key: [UInt8]) -> [UInt8]? {
    guard let data = fields.data, data.count >= 16 else { return nil }
    guard let sealed = try? TokenEncryption.seal(Array(data.dropLast(16)), key: key) else { return nil }
    return Array(sealed.prefix(data.count - 16))
  }

  // MARK: Settling

  /// Rebuilds the layers up to `layer` from the changed inner ones.
  mutating func settle(to layer: Layer, using random: inout QuickGenerator) throws(MintingError) {
    if layer > .payload, changed.remove(.payload) != nil { try encrypt(using: &random) }
    if layer > .attributes { try settleSignature() }
    if layer > .signature, changed.remove(.signature) != nil, let cms {
      fields.signature = cms.encoded
      write("signature", fields.signature.map { Base64.encode($0) })
    }
    if layer > .members, changed.remove(.members) != nil, let token, !carriesTokenInParts { tokenText = token.text }
    if layer > .tokenText { settleRequest(using: &random) }
    if layer > .request, changed.remove(.request) != nil, let requestTree { request = requestTree.text }
  }

  private mutating func settleSignature() throws(MintingError) {
    let contentChanged = changed.remove(.content) != nil
    if changed.remove(.certificates) != nil { touch(.signature) }
    if contentChanged {
      write("data", fields.data.map { Base64.encode($0) })
      write(keyName, fields.key.map { Base64.encode($0) }, inHeader: true)
      write("publicKeyHash", fields.publicKeyHash.map { Base64.encode($0) }, inHeader: true)
      write("transactionId", fields.transactionId.map { Hex.encode($0) }, inHeader: true)
      write("applicationData", fields.applicationData.map { Hex.encode($0) }, inHeader: true)
    }
    let attributesChanged = changed.remove(.attributes) != nil
    guard contentChanged || attributesChanged, !isLeftStale else {
      if attributesChanged { touch(.signature) }
      return
    }
    try sign(digesting: contentChanged)
  }

  private mutating func settleRequest(using random: inout QuickGenerator) {
    let textChanged = changed.remove(.tokenText) != nil
    guard textChanged, let location, var tree = requestTree else { return }
    switch location {
    case .bare:
      request = tokenText
      requestTree = token
      return
    case .route(let route):
      switch route.wrapping {
      case .object: tree[route.path[...]] = .scalar(tokenText)
      case .text: tree[route.path[...]] = .string(tokenText)
      case .base64: tree[route.path[...]] = .string(Base64.encode(tokenText))
      case .parts(let parts): write(parts, to: &tree, at: route.path)
      }
      settleTransaction(route, in: &tree, using: &random)
    }
    requestTree = tree
    touch(.request)
  }

  /// Updates the field next to the token that repeats its transactionId, five times out of six.
  private func settleTransaction(
    _ route: Envelope.Route, in tree: inout JSONPiece, using random: inout QuickGenerator
  ) {
    guard !keepsFields, let id = fields.transactionId, !random.chance(6) else { return }
    for field in route.fields where field.rule == .transactionId && tree[field.path[...]] != nil {
      tree[field.path[...]] = .string(Hex.encode(id))
    }
  }

  private func write(_ parts: [Envelope.Part], to tree: inout JSONPiece, at path: [String]) {
    guard let token else { return }
    for part in parts {
      let value = token[part.member.path.split(separator: ".").map { String($0) }[...]]
      let place = (path + [part.name])[...]
      // If a member has two names, the second is written only where it is present.
      let isFirst = parts.first { $0.member == part.member }?.name == part.name
      guard isFirst || tree[place] != nil else { continue }
      tree[place] = value
    }
  }

  /// Writes a member of the token. If its content is unchanged, its text is kept.
  private mutating func write(_ name: String, _ text: String?, inHeader: Bool = false) {
    guard token != nil else { return }
    let path = (inHeader ? ["header"] : []) + [name]
    if let text, token?.content(at: path).map({ Self.sameValue($0, text) }) == true { return }
    if text == nil, token?[path[...]] == nil { return }
    token?[path[...]] = text.map { JSONPiece.string($0) }
    touch(.members)
  }

  private static func sameValue(_ content: [UInt8], _ text: String) -> Bool {
    content.elementsEqual(text.utf8)
      || (content.count == 64 && String(decoding: content, as: UTF8.self).lowercased() == text)
  }

  /// Whether the request has the token in a string, as text or as base64.
  var isTokenInString: Bool {
    guard case .route(let route)? = location else { return false }
    return route.wrapping == .text || route.wrapping == .base64
  }

  private var carriesTokenInParts: Bool {
    if case .route(let route)? = location, case .parts = route.wrapping { return true }
    return false
  }
}
