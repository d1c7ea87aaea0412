import PaymentToken

/// An X.509 v3 certificate in strict DER, as ranges of its bytes (RFC 5280; Docs/Verification.md 5.13-5.18).
///
/// Does not check that an EC key is a point on its curve: the caller does.
public struct CertificateView: Sendable {
  /// The whole certificate.
  public let whole: Range<Int>
  /// The signed part.
  public let tbsCertificate: Range<Int>
  /// The contents of the signature's BIT STRING.
  public let signatureValue: Range<Int>
  /// The algorithm of the issuer's signature.
  public let signatureAlgorithm: SignatureAlgorithm
  /// The contents of the INTEGER.
  public let serialNumber: Range<Int>
  /// The whole Name of the issuer.
  public let issuer: Range<Int>
  /// The whole Name of the subject.
  public let subject: Range<Int>
  /// The beginning of the validity, inclusive.
  public let notBefore: UnixTime
  /// The end of the validity, inclusive.
  public let notAfter: UnixTime
  /// The whole SubjectPublicKeyInfo.
  public let subjectPublicKeyInfo: Range<Int>
  /// The subject's key.
  public let publicKey: PublicKeyView
  /// The extensions that are checked.
  public let extensions: CertificateExtensionsView

  /// A signature algorithm with parameters allowed by Docs/Verification.md 7.2, or `other`.
  public enum SignatureAlgorithm: Sendable {
    case ecdsaWithSHA256, ecdsaWithSHA384, sha256WithRSA, sha384WithRSA, other
  }

  /// The nesting depth of a certificate in a CMS: ContentInfo, [0], SignedData, certificates, Certificate.
  private static var depth: Int { 5 }

  /// Reads the certificate at the beginning of `range`, which it need not fill.
  public init(_ input: Span<UInt8>, in range: Range<Int>) throws(MalformedDER) {
    var outer = DERScanner(input, range)
    let certificate = try outer.walkSequence(depth: Self.depth)
    whole = certificate.whole

    var parts = outer.inside(certificate)
    let tbs = try parts.element(DERTag.sequence)
    tbsCertificate = tbs.whole
    let algorithm = try parts.algorithmIdentifier()
    signatureValue = try parts.bytesOfBitString()
    try parts.expectEnd()

    var fields = parts.inside(tbs)
    let version = try fields.element(DERTag.constructed0)
    var versionFields = fields.inside(version)
    try versionFields.exactly(DERTag.integerTwo)
    try versionFields.expectEnd()
    serialNumber = try fields.element(DERTag.integer).content
    let inner = try fields.algorithmIdentifier()
    guard input.extracting(inner.whole).elementsEqual(input.extracting(algorithm.whole)) else {
      throw MalformedDER()
    }
    signatureAlgorithm = SignatureAlgorithm(algorithm, in: fields)
    issuer = try fields.name()
    let validity = try fields.element(DERTag.sequence)
    var times = fields.inside(validity)
    notBefore = try times.time()
    notAfter = try times.time()
    try times.expectEnd()
    subject = try fields.name()
    let keyInfo = try fields.element(DERTag.sequence)
    subjectPublicKeyInfo = keyInfo.whole
    publicKey = try PublicKeyView(fields.inside(keyInfo))
    if fields.isAtEnd {
      extensions = CertificateExtensionsView()
    } else {
      let field = try fields.element(DERTag.constructed3)
      extensions = try CertificateExtensionsView(fields.inside(field))
    }
    try fields.expectEnd()
  }
}

extension CertificateView.SignatureAlgorithm {
  fileprivate init(_ algorithm: AlgorithmIdentifierView, in scanner: borrowing DERScanner) {
    let type = algorithm.type
    if scanner.holds(CertificateBytes.ecdsaWithSHA256, in: type) {
      self = algorithm.parameters == nil ? .ecdsaWithSHA256 : .other
    } else if scanner.holds(CertificateBytes.ecdsaWithSHA384, in: type) {
      self = algorithm.parameters == nil ? .ecdsaWithSHA384 : .other
    } else if scanner.holds(CertificateBytes.sha256WithRSAEncryption, in: type) {
      self = algorithm.hasNullOrNoParameters ? .sha256WithRSA : .other
    } else if scanner.holds(CertificateBytes.sha384WithRSAEncryption, in: type) {
      self = algorithm.hasNullOrNoParameters ? .sha384WithRSA : .other
    } else {
      self = .other
    }
  }
}

/// An AlgorithmIdentifier: an OID and at most one value (5.10).
struct AlgorithmIdentifierView {
  let whole: Range<Int>
  /// The OID's contents.
  let type: Range<Int>
  let parameters: DERElement?

  /// Whether the parameters are NULL or absent. Checking the DER has made sure that NULL is empty.
  var hasNullOrNoParameters: Bool { parameters == nil || parameters?.tag == DERTag.null }
}

extension DERScanner {
  mutating func algorithmIdentifier() throws(MalformedDER) -> AlgorithmIdentifierView {
    let element = try element(DERTag.sequence)
    var parts = inside(element)
    let type = try parts.element(DERTag.objectIdentifier).content
    let parameters: DERElement? = parts.isAtEnd ? nil : try parts.element()
    try parts.expectEnd()
    return AlgorithmIdentifierView(whole: element.whole, type: type, parameters: parameters)
  }

  /// Consumes a BIT STRING of whole bytes and returns them.
  mutating func bytesOfBitString() throws(MalformedDER) -> Range<Int> {
    let content = try element(DERTag.bitString).content
    guard let first = content.first, input[first] == 0 else { throw MalformedDER() }
    return content.dropFirst()
  }
}
