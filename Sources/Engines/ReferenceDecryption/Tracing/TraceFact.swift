import MerchantKeys
package import PaymentToken

/// A public fact that a stage found. Sizes are in bytes, distances in seconds.
package enum TraceFact: Hashable, Sendable {
  /// Stage 0: the size of the request and its limit.
  case requestSize(found: Int, limit: Int)
  /// Stage 0 with automatic selection: the names of the envelopes that match the request.
  case fittingEnvelopes([String])
  /// Stage 0: the name of the envelope that the request is read as.
  case envelope(String)
  /// Stage 0: why the request is not that envelope.
  case envelopeProblem(EnvelopeProblem)
  /// Stage 0: the route that leads to the token.
  case tokenPlace(Envelope.Route)
  /// Stages 0 and 14: a field that is present, and whether it has the expected value.
  case envelopeField(Envelope.Field, agrees: Bool)
  /// Stage 0: the path of a part that has its alternative name, and the member that it stands for.
  case renamedPart([String], TokenMember)
  /// Stage 0: the paths of parts that stand for one member and differ.
  case partsDiffer([[String]])
  /// Stage 1: the size of the token and its limit.
  case tokenSize(found: Int, limit: Int)
  /// Stage 3: the version of the token.
  case version(TokenVersion)
  /// Stage 4: the decoded size of a member, whether or not it is valid.
  case decodedSize(TokenMember, Int)
  /// Stage 5: the rule that the CMS breaks, and where.
  case signatureProblem(SignatureProblem)
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
  /// Stage 7: the rule that the chain breaks, and the certificate that breaks it.
  case chainProblem(ChainProblem)
  /// Stage 7: the trusted root of the chain.
  case root(CertificateSummary)
  /// Stage 7: the verification time, which the certificates' dates are compared with.
  case verificationTime(UnixTime)
  /// Stage 8: the digest in the signed attributes, and the digest of the token's signed members.
  case messageDigest(found: Bytes32, expected: Bytes32)
  /// Stage 8: the result of the cross-check with OpenSSL.
  case crossCheck(CrossCheckOutcome)
  /// Stage 9: the distance between signing time and verification time, and the maximum.
  case signingTimeDistance(seconds: UInt64, window: UInt32)
  /// Stage 10: the hash of the key that the token is encrypted to.
  case publicKeyHash(Bytes32)
  /// Stage 13: the rule that the payload breaks, and the form of the member that breaks it.
  case payloadProblem(PayloadProblem)
  /// Stage 14: the hash of application data in the token, and the expected one.
  case applicationData(found: Bytes32?, expected: Bytes32)
  /// Stage 14: the currency (three digits) of a payment in another currency or of another amount than expected, and the
  /// factor between the amounts, if it is exactly 10, 100, 1,000 or 10,000.
  case otherPayment(currencyCode: String, factor: Int64?)
}

/// Whether OpenSSL's certificate and CMS verification also accepts a token that stages 5 to 8 have accepted.
package enum CrossCheckOutcome: Hashable, Sendable {
  /// OpenSSL accepts it.
  case agreed
  /// OpenSSL rejects it, so one of the two is wrong. The token is rejected.
  case disagreed
  /// OpenSSL cannot read the signature, or reads it by other rules. Apple makes no such tokens.
  case notComparable
}

/// The fields that identify a certificate to people.
package struct CertificateSummary: Hashable, Sendable {
  /// The subject's Name (RFC 5280 section 4.1.2.6), the whole TLV.
  package let subject: [UInt8]
  /// The issuer's Name (RFC 5280 section 4.1.2.4), the whole TLV.
  package let issuer: [UInt8]
  /// The contents bytes of the serial number's INTEGER.
  package let serialNumber: [UInt8]
  /// The first second of the validity.
  package let notBefore: UnixTime
  /// The last second of the validity.
  package let notAfter: UnixTime
  /// SHA-256 of the certificate's DER; see `RevokedCertificates`.
  package let fingerprint: Bytes32
  /// SHA-256 of the SubjectPublicKeyInfo, the whole TLV; see `RevokedCertificates`.
  package let publicKeyHash: Bytes32

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

/// The first rule of stage 5 that a signature breaks.
package struct SignatureProblem: Hashable, Sendable {
  /// The number of the rule in Docs/Verification.md, such as `5.7`.
  package let rule: String
  /// The offset in bytes, within the CMS, of the value that breaks the rule, or of a byte of a malformed length (5.2).
  package let offset: Int
}

/// Why a request is not the envelope that it was read as (rules 0.2 to 0.5). Paths are lists of member names.
package enum EnvelopeProblem: Hashable, Sendable {
  /// The request is not a strict JSON object, or exceeds a limit of rule 2.4.
  case notJSON
  /// The name at the end of the path occurs more than once in its object.
  case repeatedName([String])
  /// None of these paths leads to a value.
  case noToken([[String]])
  /// More than one path leads to a value: these.
  case severalTokens([[String]])
  /// The value at the path has a type other than this wrapping's.
  case wrongType([String], Envelope.Wrapping)
  /// The string at the path is not strict base64.
  case notBase64([String])
}
