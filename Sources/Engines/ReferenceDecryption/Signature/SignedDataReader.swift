import MerchantKeys
import PaymentToken

/// The CMS breaks one of rules 5.1 to 5.19.
struct MalformedSignature: Error {
  let problem: SignatureProblem
}

extension BERValue {
  /// The error that this value breaks a rule, or lacks what the rule requires.
  func breaks(_ rule: String) -> MalformedSignature {
    MalformedSignature(problem: SignatureProblem(rule: rule, offset: encoding.startIndex))
  }
}

extension CertificateError {
  /// The rule that a certificate with this error breaks.
  fileprivate var rule: String {
    switch self {
    case .tooLarge: "5.8"
    case .malformedEncoding: "5.3"
    case .malformedStructure: "5.13"
    case .malformedName: "5.14"
    case .malformedValidity: "5.12"
    case .malformedExtensions: "5.15"
    case .malformedPublicKey: "5.16"
    case .malformedKnownExtension: "5.17"
    }
  }
}

extension SignedData {
  /// 5.8.
  private static let maximumCertificateCount = 3
  private static let maximumCertificateSize = 4_096

  /// Reads a ContentInfo of SignedData, by rules 5.1 to 5.19.
  ///
  /// - Throws: `MalformedSignature`.
  init(contentInfo bytes: [UInt8], version: TokenVersion) throws(MalformedSignature) {
    let contentInfo: BERValue
    do { contentInfo = try BERValue(bytes) } catch {
      throw MalformedSignature(problem: SignatureProblem(rule: error.rule, offset: error.offset))
    }
    try self.init(contentInfo.signedData(), version: version)
    try checkSignatureSize(in: contentInfo)
  }

  /// 5.7: version, digestAlgorithms, encapContentInfo, certificates, signerInfos, nothing else.
  private init(_ value: BERValue, version: TokenVersion) throws(MalformedSignature) {
    var members = Members(of: value, rule: "5.7")
    try members.next().requireInteger(1, by: "5.7")
    try SignedData.checkDigestAlgorithms(try members.next())
    try SignedData.checkContent(try members.next())
    if members.first?.tag == .constructedContext(0) {
      certificates = try SignedData.readCertificates(try members.next())
    } else {
      certificates = []
    }
    signer = try SignedData.readSignerInfos(try members.next(), version: version)
    try members.finish()
  }

  private static func checkDigestAlgorithms(_ set: BERValue) throws(MalformedSignature) {
    guard set.tag == .set, set.children.count == 1 else { throw set.breaks("5.7") }
    try set.children[0].requireStrict().requireSHA256()
  }

  /// 5.7: EncapsulatedContentInfo of id-data without content: the signature is detached.
  private static func checkContent(_ sequence: BERValue) throws(MalformedSignature) {
    guard sequence.tag == .sequence, sequence.children.count == 1 else { throw sequence.breaks("5.7") }
    try sequence.children[0].requireStrict().requireOID(ObjectIdentifiers.data, by: "5.7")
  }

  /// 5.8, and 5.13 to 5.18 for each certificate.
  private static func readCertificates(_ set: BERValue) throws(MalformedSignature) -> [Certificate] {
    guard set.children.count <= maximumCertificateCount else { throw set.breaks("5.8") }
    var certificates: [Certificate] = []
    for child in set.children {
      let value = try child.requireStrict()
      // `Certificate` requires a SEQUENCE too, but by another rule than 5.8.
      guard value.tag == .sequence, value.encoding.count <= maximumCertificateSize else {
        throw value.breaks("5.8")
      }
      do { certificates.append(try Certificate(der: Array(value.encoding))) } catch { throw value.breaks(error.rule) }
    }
    return certificates
  }

  private static func readSignerInfos(
    _ set: BERValue, version: TokenVersion
  ) throws(MalformedSignature) -> SignerInfo {
    guard set.tag == .set, set.children.count == 1 else { throw set.breaks("5.7") }
    return try SignerInfo(try set.children[0].requireStrict(), version: version)
  }

  /// 5.19: an RSA signature is as long as the modulus of the one certificate with the leaf marker.
  private func checkSignatureSize(in contentInfo: BERValue) throws(MalformedSignature) {
    let leaves = certificates.filter { $0.firstExtension(ObjectIdentifiers.appleLeafMarker) != nil }
    guard signer.algorithm == .sha256WithRSA, leaves.count == 1, case .rsa(let modulus, _) = leaves[0].publicKey else {
      return
    }
    guard signer.signature.count == modulus.count else { throw contentInfo.breaks("5.19") }
  }
}

extension BERValue {
  /// 5.6: the SignedData inside a ContentInfo.
  fileprivate func signedData() throws(MalformedSignature) -> BERValue {
    guard tag == .sequence, children.count == 2 else { throw breaks("5.6") }
    try children[0].requireStrict().requireOID(ObjectIdentifiers.signedData, by: "5.6")
    let explicit = children[1]
    guard explicit.tag == .constructedContext(0), explicit.children.count == 1,
      explicit.children[0].tag == .sequence
    else { throw explicit.breaks("5.6") }
    return explicit.children[0]
  }
}
