import MerchantKeys
import PaymentToken

extension SignedAttributes {
  /// Reads the [0] of signed attributes, by rules 5.11 and 5.12.
  ///
  /// - Parameter signatureAlgorithm: the OID of the SignerInfo's signatureAlgorithm.
  /// - Throws: `MalformedSignature`.
  init(_ value: BERValue, signatureAlgorithm: [UInt8]) throws(MalformedSignature) {
    var attributes: [Attribute] = []
    for child in value.children { attributes.append(try Attribute(child)) }

    guard let contentType = try attributes.singleValue(of: ObjectIdentifiers.contentType),
      let digest = try attributes.singleValue(of: ObjectIdentifiers.messageDigest),
      let time = try attributes.singleValue(of: ObjectIdentifiers.signingTime)
    else { throw value.breaks("5.11") }
    try contentType.requireOID(ObjectIdentifiers.data, by: "5.11")
    guard digest.tag == .octetString, let messageDigest = Bytes32(Array(digest.contents)) else {
      throw digest.breaks("5.11")
    }
    self.messageDigest = messageDigest
    // 5.12
    do { signingTime = try time.element.time() } catch { throw time.breaks("5.12") }
    try attributes.singleValue(of: ObjectIdentifiers.algorithmProtection)?
      .requireAgreeingAlgorithms(signature: signatureAlgorithm)
    contents = value.contents
    isComparableWithOpenSSL =
      Set(attributes.map(\.oid)).count == attributes.count
      && attributes.allSatisfy { $0.values.count == 1 && !$0.oid.elementsEqual(ObjectIdentifiers.countersignature) }
  }
}

/// 5.11: SEQUENCE of exactly an OID and a SET.
private struct Attribute {
  let value: BERValue
  let oid: ArraySlice<UInt8>
  let values: [BERValue]

  init(_ value: BERValue) throws(MalformedSignature) {
    guard value.tag == .sequence, value.children.count == 2,
      value.children[0].tag == .objectIdentifier, value.children[1].tag == .set
    else { throw value.breaks("5.11") }
    self.value = value
    oid = value.children[0].contents
    values = value.children[1].children
  }
}

extension [Attribute] {
  /// The value of an attribute that may occur only once and with one value; nil when it is absent.
  fileprivate func singleValue(of oid: [UInt8]) throws(MalformedSignature) -> BERValue? {
    let found = filter { $0.oid.elementsEqual(oid) }
    guard let attribute = found.first else { return nil }
    guard found.count == 1, attribute.values.count == 1 else { throw attribute.value.breaks("5.11") }
    return attribute.values[0]
  }
}

extension BERValue {
  /// 5.11: CMSAlgorithmProtection (RFC 6211) with the algorithms of the SignerInfo, which rule 5.10 fixes.
  fileprivate func requireAgreeingAlgorithms(signature oid: [UInt8]) throws(MalformedSignature) {
    guard tag == .sequence, children.count == 2 else { throw breaks("5.11") }
    try children[0].requireSHA256()
    let signatureAlgorithm = children[1]
    let parts = signatureAlgorithm.children
    guard signatureAlgorithm.tag == .constructedContext(1), let name = parts.first, parts.count <= 2 else {
      throw signatureAlgorithm.breaks("5.11")
    }
    try name.requireOID(oid, by: "5.11")
    // Only RSA's algorithms may have parameters: NULL or none, independently of the SignerInfo.
    guard parts.count == 1 || (oid != ObjectIdentifiers.ecdsaWithSHA256 && parts[1].tag == .null)
    else { throw signatureAlgorithm.breaks("5.11") }
  }
}
