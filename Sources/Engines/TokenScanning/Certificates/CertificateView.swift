import PaymentToken

/// A strictly read X.509 v3 certificate as ranges of the bytes it stands in (RFC 5280; Docs/Verification.md 5.13-5.18).
///
/// What needs arithmetic on a curve (whether an EC key is a point on it) is left to the caller.
public struct CertificateView: Sendable {
  /// The whole certificate, the signed part of it, and the contents of its signature's BIT STRING.
  public let whole: Range<Int>
  public let tbsCertificate: Range<Int>
  public let signatureValue: Range<Int>
  public let signatureAlgorithm: SignatureAlgorithm
  /// The INTEGER's contents.
  public let serialNumber: Range<Int>
  /// The whole Names.
  public let issuer: Range<Int>
  public let subject: Range<Int>
  public let notBefore: UnixTime
  public let notAfter: UnixTime
  /// The whole SubjectPublicKeyInfo.
  public let subjectPublicKeyInfo: Range<Int>
  public let publicKey: PublicKeyView
  public let extensions: CertificateExtensionsView

  /// A signature algorithm with the parameters that Docs/Verification.md 7.2 allows; `other` for the rest.
  public enum SignatureAlgorithm: Sendable {
    case ecdsaWithSHA256, ecdsaWithSHA384, sha256WithRSA, sha384WithRSA, other
  }

  /// The nesting of a certificate in a CMS: ContentInfo, [0], SignedData, certificates, Certificate.
  private static var depth: Int { 5 }

  /// Reads the certificate that begins at `range` of `input` and ends within it.
  public init(_ input: Span<UInt8>, in range: Range<Int>) throws(MalformedDER) {
    var outer = DERScanner(input, range)
    guard outer.nextTag == DERTag.sequence else { throw MalformedDER() }
    let certificate = try outer.walkElement(depth: Self.depth)
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

  /// NULL is empty wherever the encoding has been walked.
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
