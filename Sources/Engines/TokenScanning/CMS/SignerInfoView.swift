import PaymentToken

/// The SignerInfo of a payment token's signature (RFC 5652 5.3; Docs/Verification.md 5.9-5.11).
public struct SignerInfoView: Sendable {
  /// The identifier of the signer's certificate.
  public enum Identifier: Sendable {
    /// The issuer's Name (whole element) and the serial number (contents of the INTEGER).
    case issuerAndSerialNumber(issuer: Range<Int>, serialNumber: Range<Int>)
    /// The contents of the key identifier.
    case subjectKeyIdentifier(Range<Int>)
  }

  /// The identifier of the signer's certificate.
  public let identifier: Identifier
  /// The signed attributes as encoded, with the header of [0]. The signature covers them with the tag 0x31 instead of
  /// 0xA0.
  public let signedAttributes: Range<Int>
  /// The values of the signed attributes.
  public internal(set) var attributes: SignedAttributesView
  /// The contents of the signature's OCTET STRING.
  public let signature: Range<Int>

  /// The nesting depth of a SignerInfo: ContentInfo, [0], SignedData, signerInfos, SignerInfo.
  private static var depth: Int { 5 }

  init(_ outer: inout DERScanner, version: TokenVersion) throws(MalformedDER) {
    let element = try outer.walkSequence(depth: Self.depth)
    var scanner = outer.inside(element)
    identifier = try Self.identifier(&scanner)
    try scanner.sha256AlgorithmIdentifier()
    let field = try scanner.element(DERTag.constructed0)
    signedAttributes = field.whole
    // The signature algorithm follows the attributes, one of which may repeat it. So it is read first.
    var algorithm = scanner
    let kind = try algorithm.signatureAlgorithmIdentifier(version)
    attributes = try SignedAttributesView(scanner.inside(field), signedWith: kind)
    scanner = algorithm
    signature = try scanner.element(DERTag.octetString).content
    try scanner.expectEnd()
  }

  private static func identifier(_ scanner: inout DERScanner) throws(MalformedDER) -> Identifier {
    guard scanner.consumeIfNext(DERTag.integerOne) else {
      try scanner.exactly(DERTag.integerThree)
      return .subjectKeyIdentifier(try scanner.element(DERTag.context0).content)
    }
    let element = try scanner.element(DERTag.sequence)
    var inside = scanner.inside(element)
    let issuer = try inside.name()
    let serialNumber = try inside.element(DERTag.integer)
    try inside.expectEnd()
    return .issuerAndSerialNumber(issuer: issuer, serialNumber: serialNumber.content)
  }
}

extension DERScanner {
  /// Consumes a Name whose DER has been checked, checks its structure (5.14) and returns the whole element.
  mutating func name() throws(MalformedDER) -> Range<Int> {
    let name = try element(DERTag.sequence)
    var relativeNames = inside(name)
    while !relativeNames.isAtEnd {
      let relativeName = try relativeNames.element(DERTag.set)
      var pairs = relativeNames.inside(relativeName)
      repeat {
        let pair = try pairs.element(DERTag.sequence)
        var parts = pairs.inside(pair)
        _ = try parts.element(DERTag.objectIdentifier)
        _ = try parts.element()
        try parts.expectEnd()
      } while !pairs.isAtEnd
    }
    return name.whole
  }
}
