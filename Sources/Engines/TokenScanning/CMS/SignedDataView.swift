import PaymentToken

/// The CMS SignedData of a payment token, as ranges of its bytes (RFC 5652; Docs/Verification.md 5.1-5.12).
///
/// Of the certificates, it checks only number and sizes. `CertificateView` reads them, unless their chain is cached.
public struct SignedDataView: Sendable {
  /// The maximum number of certificates (5.8).
  public static var maximumCertificates: Int { 3 }
  /// The maximum size of a certificate, in bytes (5.8).
  public static var maximumCertificateSize: Int { 4_096 }

  /// The contents of the certificates field: the certificates, one after the other.
  public private(set) var certificates = 0..<0
  /// The number of certificates.
  public private(set) var certificateCount = 0
  /// The only SignerInfo.
  public internal(set) var signer: SignerInfoView

  /// Reads `input`, the decoded `signature` of a token of `version`.
  public init(_ input: Span<UInt8>, version: TokenVersion) throws(MalformedDER) {
    var scanner = DERScanner(input, 0..<input.count)
    let contentInfo = try scanner.open(DERTag.sequence)
    try scanner.exactly(CMSBytes.signedData)
    let content = try scanner.open(DERTag.constructed0)
    let signedData = try scanner.open(DERTag.sequence)
    try scanner.exactly(DERTag.integerOne)

    let digestAlgorithms = try scanner.open(DERTag.set)
    try scanner.sha256AlgorithmIdentifier()
    try scanner.close(digestAlgorithms)

    let encapsulated = try scanner.open(DERTag.sequence)
    try scanner.exactly(CMSBytes.data)
    try scanner.close(encapsulated)

    if scanner.nextTag == DERTag.constructed0 {
      let field = try scanner.open(DERTag.constructed0)
      let start = scanner.position
      while !scanner.isAtEnd(of: field) {
        let certificate = try scanner.element(DERTag.sequence)
        certificateCount += 1
        guard certificateCount <= Self.maximumCertificates,
          certificate.whole.count <= Self.maximumCertificateSize
        else { throw MalformedDER() }
      }
      certificates = start..<scanner.position
      try scanner.close(field)
    }

    let signerInfos = try scanner.open(DERTag.set)
    signer = try SignerInfoView(&scanner, version: version)
    try scanner.close(signerInfos)

    try scanner.close(signedData)
    try scanner.close(content)
    try scanner.close(contentInfo)
    try scanner.expectEnd()
  }
}
