/// The first rule of stage 7 that a chain breaks. If several roots have the name of the intermediate's issuer, it is
/// the problem of the root whose chain breaks the latest rule.
package struct ChainProblem: Error, Hashable, Sendable {
  /// The place of a certificate in the chain.
  package enum Place: String, Hashable, Sendable {
    case root, intermediate, leaf
  }

  /// What is wrong with the certificate.
  package enum Defect: Hashable, Sendable {
    /// No trusted root has the name of its issuer (7.1).
    case unknownIssuer
    /// Its issuer is not named like the certificate above it (7.2).
    case otherIssuer
    /// The algorithm of its signature is not allowed, or not with its issuer's key (7.2).
    case signatureAlgorithm
    /// Its signature does not verify with its issuer's key (7.2).
    case signature
    /// A root or an intermediate that is no authority (7.3), or a leaf that is one (7.4).
    case authority
    /// pathLenConstraint allows too few authorities below it (7.3).
    case pathLength
    /// keyUsage lacks keyCertSign (7.3), or a leaf's lacks digitalSignature (7.4).
    case keyUsage
    /// The leaf's key is not of the type or the size for the version (7.4).
    case keyType
    /// A critical extension that rule 7.5 does not allow; the contents bytes of its OID.
    case criticalExtension([UInt8])
    /// It is on the list of revoked certificates, or its key is (7.6).
    case revoked
    /// The verification time is after its notAfter (7.7).
    case expired
    /// The verification time is before its notBefore (7.7).
    case notYetValid
  }

  /// The certificate that breaks the rule.
  package let place: Place
  /// How it breaks the rule.
  package let defect: Defect
  /// The root of the chain; nil for `unknownIssuer`.
  package let root: CertificateSummary?

  /// The number of the rule in Docs/Verification.md, such as `7.5`.
  package var rule: String {
    switch defect {
    case .unknownIssuer: "7.1"
    case .otherIssuer, .signatureAlgorithm, .signature: "7.2"
    case .authority, .keyUsage: place == .leaf ? "7.4" : "7.3"
    case .pathLength: "7.3"
    case .keyType: "7.4"
    case .criticalExtension: "7.5"
    case .revoked: "7.6"
    case .expired, .notYetValid: "7.7"
    }
  }
}
