import MerchantKeys
import PaymentToken

extension SignerInfo {
  /// Reads the one SignerInfo, by rules 5.9 to 5.11. The caller has checked its lengths (5.3).
  ///
  /// - Throws: `MalformedSignature`.
  init(_ value: BERValue, version: TokenVersion) throws(MalformedSignature) {
    guard value.tag == .sequence else { throw value.breaks("5.9") }
    var members = Members(of: value, rule: "5.9")
    identifier = try SignerInfo.readIdentifier(version: try members.next(), try members.next())
    try members.next().requireSHA256()
    let attributes = try members.next()
    guard attributes.tag == .constructedContext(0) else { throw attributes.breaks("5.9") }
    let algorithmOID = try members.next().signatureAlgorithm(of: version)
    let signature = try members.next()
    guard signature.tag == .octetString else { throw signature.breaks("5.9") }
    try members.finish()
    self.attributes = try SignedAttributes(attributes, signatureAlgorithm: algorithmOID)
    algorithm =
      switch version.rules.signer {
      case .ecdsa: .ecdsaWithSHA256
      case .rsa: .sha256WithRSA
      }
    self.signature = Array(signature.contents)
  }

  /// 5.9: version 1 names issuer and serial number, version 3 the key.
  private static func readIdentifier(
    version: BERValue, _ value: BERValue
  ) throws(MalformedSignature) -> SignerIdentifier {
    switch value.tag {
    case .sequence:
      try version.requireInteger(1, by: "5.9")
      guard value.children.count == 2, value.children[1].tag == .integer else { throw value.breaks("5.9") }
      // 5.14
      do { try value.children[0].element.checkName() } catch { throw value.breaks("5.14") }
      return .issuerAndSerialNumber(
        issuer: Array(value.children[0].encoding), serialNumber: Array(value.children[1].contents))
    case .primitiveContext(0):
      try version.requireInteger(3, by: "5.9")
      return .subjectKeyIdentifier(Array(value.contents))
    default:
      throw value.breaks("5.9")
    }
  }
}

extension BERValue {
  /// 5.10: SEQUENCE of an OID and at most one value.
  func algorithmIdentifier() throws(MalformedSignature) -> (oid: BERValue, parameters: BERValue?) {
    guard tag == .sequence, (1...2).contains(children.count),
      children[0].tag == .objectIdentifier
    else { throw breaks("5.10") }
    return (children[0], children.dropFirst().first)
  }

  /// 5.10: SHA-256, parameters NULL or absent.
  func requireSHA256() throws(MalformedSignature) {
    let (oid, parameters) = try algorithmIdentifier()
    try oid.requireOID(ObjectIdentifiers.sha256, by: "5.10")
    guard parameters == nil || parameters?.tag == .null else { throw breaks("5.10") }
  }

  /// 5.10: the OID of ecdsa-with-SHA256, parameters absent, for EC_v1; of rsaEncryption or sha256WithRSAEncryption,
  /// parameters NULL or absent, for RSA_v1.
  func signatureAlgorithm(of version: TokenVersion) throws(MalformedSignature) -> [UInt8] {
    let (oid, parameters) = try algorithmIdentifier()
    let (names, allowsNull): ([[UInt8]], Bool) =
      switch version.rules.signer {
      case .ecdsa: ([ObjectIdentifiers.ecdsaWithSHA256], false)
      case .rsa: ([ObjectIdentifiers.rsaEncryption, ObjectIdentifiers.sha256WithRSA], true)
      }
    guard let name = names.first(where: oid.contents.elementsEqual),
      parameters == nil || (allowsNull && parameters?.tag == .null)
    else { throw breaks("5.10") }
    return name
  }

  /// Requires exactly this OBJECT IDENTIFIER.
  func requireOID(_ oid: [UInt8], by rule: String) throws(MalformedSignature) {
    guard tag == .objectIdentifier, contents.elementsEqual(oid) else { throw breaks(rule) }
  }

  /// Requires exactly this INTEGER, 0...127, with its length in the shortest form.
  func requireInteger(_ value: UInt8, by rule: String) throws(MalformedSignature) {
    guard tag == .integer, contents.elementsEqual([value]) else { throw breaks(rule) }
    _ = try requireStrict()
  }

  /// 5.3: requires lengths in the shortest form. For everything but the wrappers of 5.2.
  func requireStrict() throws(MalformedSignature) -> BERValue {
    guard isDefiniteAndShortest else {
      throw MalformedSignature(problem: SignatureProblem(rule: "5.3", offset: offsetOfLooseLength))
    }
    return self
  }
}

/// The unread members of a value whose members a rule lists.
struct Members {
  private let parent: BERValue
  private let rule: String
  private var rest: ArraySlice<BERValue>

  init(of parent: BERValue, rule: String) {
    self.parent = parent
    self.rule = rule
    rest = parent.children[...]
  }

  /// The next member; nil at the end.
  var first: BERValue? { rest.first }

  /// Removes and returns the next member.
  mutating func next() throws(MalformedSignature) -> BERValue {
    guard let first = rest.popFirst() else { throw parent.breaks(rule) }
    return first
  }

  /// Requires that no member is left.
  func finish() throws(MalformedSignature) {
    if let surplus = rest.first { throw surplus.breaks(rule) }
  }
}
