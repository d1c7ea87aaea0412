import PaymentToken

extension SignerInfo {
  /// Reads the one SignerInfo, by rules 5.9-5.11; its lengths have been checked.
  ///
  /// - Throws: `MalformedSignature`.
  init(_ value: BERValue, version: TokenVersion) throws(MalformedSignature) {
    guard value.identifier == BERValue.sequenceTag else { throw MalformedSignature() }
    var members = value.children[...]
    identifier = try SignerInfo.readIdentifier(version: try members.next(), try members.next())
    try members.next().requireSHA256()
    let attributes = try members.next()
    let algorithmOID = try members.next().signatureAlgorithm(of: version)
    let signature = try members.next()
    guard attributes.identifier == BERValue.context(0), signature.identifier == BERValue.octetStringTag,
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
    switch value.identifier {
    case BERValue.sequenceTag:
      try version.requireInteger(1)
      guard value.children.count == 2, value.children[1].identifier == BERValue.integerTag else {
        throw MalformedSignature()
      }
      try value.children[0].requireName()
      return .issuerAndSerialNumber(
        issuer: Array(value.children[0].encoding), serialNumber: Array(value.children[1].contents))
    case BERValue.primitiveContext(0):
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
    guard identifier == BERValue.sequenceTag, (1...2).contains(children.count),
      children[0].identifier == BERValue.oidTag
    else { throw MalformedSignature() }
    return (children[0], children.dropFirst().first)
  }

  /// 5.10: SHA-256, parameters NULL or absent.
  func requireSHA256() throws(MalformedSignature) {
    let (oid, parameters) = try algorithmIdentifier()
    try oid.requireOID(ObjectIdentifier.sha256)
    guard parameters == nil || parameters?.identifier == BERValue.nullTag else { throw MalformedSignature() }
  }

  /// 5.10: the OID of ecdsa-with-SHA256, parameters absent, for EC_v1; of rsaEncryption or sha256WithRSAEncryption,
  /// parameters NULL or absent, for RSA_v1.
  func signatureAlgorithm(of version: TokenVersion) throws(MalformedSignature) -> [UInt8] {
    let (oid, parameters) = try algorithmIdentifier()
    let (names, allowsNull): ([[UInt8]], Bool) =
      switch version.rules.signer {
      case .ecdsa: ([ObjectIdentifier.ecdsaWithSHA256], false)
      case .rsa: ([ObjectIdentifier.rsaEncryption, ObjectIdentifier.sha256WithRSA], true)
      }
    guard let name = names.first(where: oid.contents.elementsEqual),
      parameters == nil || (allowsNull && parameters?.identifier == BERValue.nullTag)
    else { throw MalformedSignature() }
    return name
  }

  /// 5.14.
  func requireName() throws(MalformedSignature) {
    guard identifier == BERValue.sequenceTag else { throw MalformedSignature() }
    for relativeName in children {
      guard relativeName.identifier == BERValue.setTag, !relativeName.children.isEmpty else {
        throw MalformedSignature()
      }
      for attribute in relativeName.children {
        guard attribute.identifier == BERValue.sequenceTag, attribute.children.count == 2,
          attribute.children[0].identifier == BERValue.oidTag
        else { throw MalformedSignature() }
      }
    }
  }

  func requireOID(_ oid: [UInt8]) throws(MalformedSignature) {
    guard identifier == BERValue.oidTag, contents.elementsEqual(oid) else { throw MalformedSignature() }
  }

  func requireInteger(_ value: UInt8) throws(MalformedSignature) {
    guard identifier == BERValue.integerTag, contents.elementsEqual([value]), isDefiniteAndShortest else {
      throw MalformedSignature()
    }
  }

  /// 5.3, for all that is not a wrapper.
  func requireStrict() throws(MalformedSignature) -> BERValue {
    guard isDefiniteAndShortest else { throw MalformedSignature() }
    return self
  }
}

extension ArraySlice<BERValue> {
  /// Takes the first value off; one that is absent is malformed.
  mutating func next() throws(MalformedSignature) -> BERValue {
    guard let first = popFirst() else { throw MalformedSignature() }
    return first
  }
}
