import MerchantKeys
import PaymentToken

extension SignerInfo {
  /// Reads the one SignerInfo, by rules 5.9 to 5.11. The caller has checked its lengths (5.3).
  ///
  /// - Throws: `MalformedSignature`.
  init(_ value: BERValue, version: TokenVersion) throws(MalformedSignature) {
    guard value.tag == .sequence else { throw MalformedSignature() }
    var members = value.children[...]
    identifier = try SignerInfo.readIdentifier(version: try members.next(), try members.next())
    try members.next().requireSHA256()
    let attributes = try members.next()
    let algorithmOID = try members.next().signatureAlgorithm(of: version)
    let signature = try members.next()
    guard attributes.tag == .constructedContext(0), signature.tag == .octetString,
      members.isEmpty
    else { throw MalformedSignature() }
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
      try version.requireInteger(1)
      guard value.children.count == 2, value.children[1].tag == .integer else {
        throw MalformedSignature()
      }
      // 5.14
      do { try value.children[0].element.checkName() } catch { throw MalformedSignature() }
      return .issuerAndSerialNumber(
        issuer: Array(value.children[0].encoding), serialNumber: Array(value.children[1].contents))
    case .primitiveContext(0):
      try version.requireInteger(3)
      return .subjectKeyIdentifier(Array(value.contents))
    default:
      throw MalformedSignature()
    }
  }
}

extension BERValue {
  /// 5.10: SEQUENCE of an OID and at most one value.
  func algorithmIdentifier() throws(MalformedSignature) -> (oid: BERValue, parameters: BERValue?) {
    guard tag == .sequence, (1...2).contains(children.count),
      children[0].tag == .objectIdentifier
    else { throw MalformedSignature() }
    return (children[0], children.dropFirst().first)
  }

  /// 5.10: SHA-256, parameters NULL or absent.
  func requireSHA256() throws(MalformedSignature) {
    let (oid, parameters) = try algorithmIdentifier()
    try oid.requireOID(ObjectIdentifiers.sha256)
    guard parameters == nil || parameters?.tag == .null else { throw MalformedSignature() }
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
    else { throw MalformedSignature() }
    return name
  }

  /// Exactly this OBJECT IDENTIFIER.
  func requireOID(_ oid: [UInt8]) throws(MalformedSignature) {
    guard tag == .objectIdentifier, contents.elementsEqual(oid) else { throw MalformedSignature() }
  }

  /// Exactly this INTEGER, 0...127, its length in the shortest form.
  func requireInteger(_ value: UInt8) throws(MalformedSignature) {
    guard tag == .integer, contents.elementsEqual([value]), isDefiniteAndShortest else {
      throw MalformedSignature()
    }
  }

  /// 5.3, for everything but the wrappers of 5.2.
  func requireStrict() throws(MalformedSignature) -> BERValue {
    guard isDefiniteAndShortest else { throw MalformedSignature() }
    return self
  }
}

extension ArraySlice<BERValue> {
  /// Removes and returns the first value.
  mutating func next() throws(MalformedSignature) -> BERValue {
    guard let first = popFirst() else { throw MalformedSignature() }
    return first
  }
}
