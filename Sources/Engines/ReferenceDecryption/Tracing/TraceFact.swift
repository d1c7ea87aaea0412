import MerchantKeys
public import PaymentToken

/// Something a stage found that is no secret. Sizes in bytes, distances in seconds.
public enum TraceFact: Hashable, Sendable {
  /// Stage 0.
  case requestSize(found: Int, limit: Int)
  /// Stage 0, where none was named: the envelopes that fit the request's shape.
  case fittingEnvelopes([String])
  /// Stage 0: the envelope the request is read by.
  case envelope(String)
  /// Stage 0: why it is not that envelope.
  case envelopeProblem(EnvelopeProblem)
  /// Stage 0: the route that leads to the token.
  case tokenPlace(Envelope.Route)
  /// Stages 0 and 14: a field that is there, and whether it is what it must be.
  case envelopeField(Envelope.Field, agrees: Bool)
  /// Stage 0: a part of the token that stands there under its other name.
  case renamedPart([String], TokenMember)
  /// Stage 0: parts that stand for one member and are not the same.
  case partsDiffer([[String]])
  /// Stage 1.
  case tokenSize(found: Int, limit: Int)
  /// Stage 3: a version that is known, supported or not.
  case version(TokenVersion)
  /// Stage 4: a member that decoded, whether or not its length is right.
  case decodedSize(TokenMember, Int)
  /// Stage 5: the CMS signingTime.
  case signingTime(UnixTime)
  /// Stage 5: a certificate of the CMS, in the order received.
  case certificate(CertificateSummary)
  /// Stage 6: how many certificates carry the leaf marker, and how many the intermediate marker.
  case markers(leaf: Int, intermediate: Int)
  /// Stage 6: the certificate with the leaf marker.
  case leaf(CertificateSummary)
  /// Stage 6: the certificate with the intermediate marker.
  case intermediate(CertificateSummary)
  /// Stage 7: the pinned root the chain ends in.
  case root(CertificateSummary)
  /// Stage 7: the time the certificates' dates are compared with.
  case verificationTime(UnixTime)
  /// Stage 8: the digest in the signed attributes, and that of the token's signed members.
  case messageDigest(found: Bytes32, expected: Bytes32)
  /// Stage 8: OpenSSL's opinion.
  case crossCheck(CrossCheckOutcome)
  /// Stage 9: how far the signing time is from the verification time.
  case signingTimeDistance(seconds: UInt64, window: UInt32)
  /// Stage 10: the hash of the key the token was made for, and how many keys are loaded.
  case publicKeyHash(Bytes32, loadedKeys: Int)
  /// Stage 11: the hash of the merchant ID that goes into the key; a wrong one shows at stage 12 only.
  case merchantIDHash(Bytes32)
  /// Stage 12.
  case plaintextSize(Int)
  /// Stage 14.
  case applicationData(found: Bytes32?, expected: Bytes32)
}

/// Whether OpenSSL's certificate and CMS verification came to the same end as stages 5-8, which had accepted.
public enum CrossCheckOutcome: Hashable, Sendable {
  case agreed
  /// The token is refused, and one of the two is wrong.
  case disagreed
  /// OpenSSL cannot read, or reads by other rules, what the rules here allow; no token of Apple's is like that.
  case notComparable
}

/// What people need to recognise a certificate by.
public struct CertificateSummary: Hashable, Sendable {
  /// The Name as a whole TLV.
  public let subject: [UInt8]
  /// The Name as a whole TLV.
  public let issuer: [UInt8]
  /// Contents bytes.
  public let serialNumber: [UInt8]
  public let notBefore: UnixTime
  public let notAfter: UnixTime
  /// SHA-256 of the certificate, as revoked lists have it.
  public let fingerprint: Bytes32
  /// SHA-256 of its SubjectPublicKeyInfo, as revoked lists may have it.
  public let publicKeyHash: Bytes32

  init(_ certificate: Certificate) {
    subject = certificate.subject
    issuer = certificate.issuer
    serialNumber = certificate.serialNumber
    notBefore = certificate.notBefore
    notAfter = certificate.notAfter
    fingerprint = SHA256.digest(certificate.der)
    publicKeyHash = SHA256.digest(certificate.subjectPublicKeyInfo)
  }
}

/// Why a request is no envelope of the kind it was read as (rules 0.2 to 0.5). Names and paths are the envelope's own.
public enum EnvelopeProblem: Hashable, Sendable {
  /// No strict JSON object, or one that nests too deep.
  case notJSON
  /// The name at the end of the path occurs more than once in its object.
  case repeatedName([String])
  /// None of these paths leads to anything.
  case noToken([[String]])
  /// Each of these paths leads to something.
  case severalTokens([[String]])
  /// What stands there is not of the type in which the token would be wrapped so.
  case wrongType([String], Envelope.Wrapping)
  /// The string there is not strict base64.
  case notBase64([String])
}
