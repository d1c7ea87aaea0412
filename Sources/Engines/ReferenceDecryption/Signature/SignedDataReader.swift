import MerchantKeys
import PaymentToken

/// The CMS breaks one of rules 5.1 to 5.19.
struct MalformedSignature: Error {}

extension SignedData {
  /// 5.8.
  private static let maximumCertificateCount = 3
  private static let maximumCertificateSize = 4_096

  /// Reads a ContentInfo of SignedData, by rules 5.1 to 5.19.
  ///
  /// - Throws: `MalformedSignature`.
  init(contentInfo bytes: [UInt8], version: TokenVersion) throws(MalformedSignature) {
    let contentInfo: BERValue
    do { contentInfo = try BERValue(bytes) } catch { throw MalformedSignature() }
    try self.init(contentInfo.signedData(), version: version)
    try checkSignatureSize()
  }

  /// 5.7: version, digestAlgorithms, encapContentInfo, certificates, signerInfos, nothing else.
  private init(_ value: BERValue, version: TokenVersion) throws(MalformedSignature) {
    var members = value.children[...]
    try members.next().requireInteger(1)
    try SignedData.checkDigestAlgorithms(try members.next())
    try SignedData.checkContent(try members.next())
    if members.first?.tag == .constructedContext(0) {
      certificates = try SignedData.readCertificates(try members.next())
    } else {
      certificates = []
    }
    signer = try SignedData.readSignerInfos(try members.next(), version: version)
    guard members.isEmpty else { throw MalformedSignature() }
  }

  private static func checkDigestAlgorithms(_ set: BERValue) throws(MalformedSignature) {
    guard set.tag == .set, set.children.count == 1 else { throw MalformedSignature() }
    try set.children[0].requireStrict().requireSHA256()
  }

  /// 5.7: EncapsulatedContentInfo of id-data without content, which is detached.
  private static func checkContent(_ sequence: BERValue) throws(MalformedSignature) {
    guard sequence.tag == .sequence, sequence.children.count == 1 else {
      throw MalformedSignature()
    }
    try sequence.children[0].requireStrict().requireOID(ObjectIdentifiers.data)
  }

  /// 5.8, and 5.13 to 5.18 for each certificate.
  private static func readCertificates(_ set: BERValue) throws(MalformedSignature) -> [Certificate] {
    guard set.children.count <= maximumCertificateCount else { throw MalformedSignature() }
    var certificates: [Certificate] = []
    for child in set.children {
      let value = try child.requireStrict()
      guard value.tag == .sequence, value.encoding.count <= maximumCertificateSize else {
        throw MalformedSignature()
      }
      do { certificates.append(try Certificate(der: Array(value.encoding))) } catch { throw MalformedSignature() }
    }
    return certificates
  }

  private static func readSignerInfos(
    _ set: BERValue, version: TokenVersion
  ) throws(MalformedSignature) -> SignerInfo {
    guard set.tag == .set, set.children.count == 1 else { throw MalformedSignature() }
    return try SignerInfo(try set.children[0].requireStrict(), version: version)
  }

  /// 5.19: an RSA signature is as long as the modulus of the one certificate with the leaf marker.
  private func checkSignatureSize() throws(MalformedSignature) {
    let leaves = certificates.filter { $0.firstExtension(ObjectIdentifiers.appleLeafMarker) != nil }
    guard signer.algorithm == .sha256WithRSA, leaves.count == 1, case .rsa(let modulus, _) = leaves[0].publicKey else {
      return
    }
    guard signer.signature.count == modulus.count else { throw MalformedSignature() }
  }
}

extension BERValue {
  /// 5.6: the SignedData inside a ContentInfo.
  fileprivate func signedData() throws(MalformedSignature) -> BERValue {
    guard tag == .sequence, children.count == 2 else { throw MalformedSignature() }
    try children[0].requireStrict().requireOID(ObjectIdentifiers.signedData)
    let explicit = children[1]
    guard explicit.tag == .constructedContext(0), explicit.children.count == 1,
      explicit.children[0].tag == .sequence
    else { throw MalformedSignature() }
    return explicit.children[0]
  }
}
