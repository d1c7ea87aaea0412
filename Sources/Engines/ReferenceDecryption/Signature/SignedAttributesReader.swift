import PaymentToken

extension SignedAttributes {
  /// Reads the [0] of signed attributes, by rules 5.11 and 5.12.
  ///
  /// - Parameter signatureAlgorithm: the OID of the SignerInfo's.
  /// - Throws: `MalformedSignature`.
  init(_ value: BERValue, signatureAlgorithm: [UInt8]) throws(MalformedSignature) {
    var attributes: [Attribute] = []
    for child in value.children { attributes.append(try Attribute(child)) }

    guard let contentType = try attributes.singleValue(of: ObjectIdentifier.contentType),
      let digest = try attributes.singleValue(of: ObjectIdentifier.messageDigest),
      let time = try attributes.singleValue(of: ObjectIdentifier.signingTime)
    else { throw MalformedSignature() }
    try contentType.requireOID(ObjectIdentifier.data)
    guard digest.identifier == BERValue.octetStringTag, let messageDigest = Bytes32(Array(digest.contents)) else {
      throw MalformedSignature()
    }
    self.messageDigest = messageDigest
    signingTime = try time.time()
    try attributes.singleValue(of: ObjectIdentifier.algorithmProtection)?
      .requireAgreeingAlgorithms(signature: signatureAlgorithm)
    contents = value.contents
    // OpenSSL sorts values, and knows attributes that may not be repeated, or not be here at all.
    isPlain =
      Set(attributes.map(\.oid)).count == attributes.count
      && attributes.allSatisfy { $0.values.count == 1 && !$0.oid.elementsEqual(ObjectIdentifier.countersignature) }
  }
}

/// 5.11: SEQUENCE of exactly an OID and a SET.
private struct Attribute {
  let oid: ArraySlice<UInt8>
  let values: [BERValue]

  init(_ value: BERValue) throws(MalformedSignature) {
    guard value.identifier == BERValue.sequenceTag, value.children.count == 2,
      value.children[0].identifier == BERValue.oidTag, value.children[1].identifier == BERValue.setTag
    else { throw MalformedSignature() }
    oid = value.children[0].contents
    values = value.children[1].children
  }
}

extension [Attribute] {
  /// The value of an attribute that may occur once and with one value only; nil when it does not occur.
  fileprivate func singleValue(of oid: [UInt8]) throws(MalformedSignature) -> BERValue? {
    let found = filter { $0.oid.elementsEqual(oid) }
    guard let attribute = found.first else { return nil }
    guard found.count == 1, attribute.values.count == 1 else { throw MalformedSignature() }
    return attribute.values[0]
  }
}

extension BERValue {
  /// 5.11: CMSAlgorithmProtection (RFC 6211) that says what the SignerInfo says, whose algorithms rule 5.10 has fixed.
  fileprivate func requireAgreeingAlgorithms(signature oid: [UInt8]) throws(MalformedSignature) {
    guard identifier == BERValue.sequenceTag, children.count == 2 else { throw MalformedSignature() }
    try children[0].requireSHA256()
    let signatureAlgorithm = children[1]
    let parts = signatureAlgorithm.children
    guard signatureAlgorithm.identifier == BERValue.context(1), let name = parts.first, parts.count <= 2 else {
      throw MalformedSignature()
    }
    try name.requireOID(oid)
    // Only RSA's algorithms have parameters, NULL or none, here and in the SignerInfo each as it likes.
    guard parts.count == 1 || (oid != ObjectIdentifier.ecdsaWithSHA256 && parts[1].identifier == BERValue.nullTag)
    else { throw MalformedSignature() }
  }

  /// 5.12: UTCTime `YYMMDDhhmmssZ` or GeneralizedTime `YYYYMMDDhhmmssZ`.
  func time() throws(MalformedSignature) -> UnixTime {
    let text = Array(contents)
    let yearDigits =
      switch identifier {
      case BERValue.utcTimeTag: 2
      case BERValue.generalizedTimeTag: 4
      default: throw MalformedSignature()
      }
    guard text.count == yearDigits + 11, text.last == UInt8(ascii: "Z"), text.dropLast().allSatisfy(\.isASCIIDigit)
    else {
      throw MalformedSignature()
    }
    func number(_ range: Range<Int>) -> Int {
      text[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let written = number(0..<yearDigits)
    let century = yearDigits == 4 ? 0 : written < 50 ? 2000 : 1900
    let fields = (0..<5).map { number(yearDigits + 2 * $0..<yearDigits + 2 * $0 + 2) }
    guard
      let time = UnixTime(
        year: century + written, month: fields[0], day: fields[1], hour: fields[2], minute: fields[3],
        second: fields[4])
    else { throw MalformedSignature() }
    return time
  }
}
