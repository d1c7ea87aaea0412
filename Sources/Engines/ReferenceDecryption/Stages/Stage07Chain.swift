package import MerchantKeys
import PaymentToken

/// A verified chain, from a trusted root down.
package struct CertificateChain {
  let root: Certificate
  let intermediate: Certificate
  let leaf: Certificate

  /// For tests of the cross-check alone: the engine makes chains only from what it has verified.
  package init(root: Certificate, intermediate: Certificate, leaf: Certificate) {
    (self.root, self.intermediate, self.leaf) = (root, intermediate, leaf)
  }
}

extension ReferenceDecryptor {
  /// Stage 7.
  ///
  /// - Throws: `untrustedChain`, `certificateRevoked`, `certificateExpired`, `certificateNotYetValid`.
  static func verifyChain(
    _ certificates: SignerCertificates, version: TokenVersion, roots: [Certificate], revoked: RevokedCertificates,
    at time: UnixTime, reusing reuse: SignatureReuse?, trace: inout Trace
  ) throws(TokenFault) -> CertificateChain {
    trace.begin(.chain)
    trace.note(.verificationTime(time))
    let (leaf, intermediate) = (certificates.leaf, certificates.intermediate)
    // 7.1
    let isChain = { isTrusted(root: $0, intermediate: intermediate, leaf: leaf, version: version, reusing: reuse) }
    guard let root = roots.first(where: isChain) else {
      throw TokenFault(.untrustedChain)
    }
    trace.note(.root(CertificateSummary(root)))
    // 7.6
    for certificate in [leaf, intermediate] {
      guard !revoked.contains(SHA256.digest(certificate.der)),
        !revoked.contains(SHA256.digest(certificate.subjectPublicKeyInfo))
      else { throw TokenFault(.certificateRevoked) }
    }
    // 7.7
    for certificate in [leaf, intermediate] {
      guard time <= certificate.notAfter else { throw TokenFault(.certificateExpired) }
      guard time >= certificate.notBefore else { throw TokenFault(.certificateNotYetValid) }
    }
    return CertificateChain(root: root, intermediate: intermediate, leaf: leaf)
  }

  /// 7.2 to 7.5 for one root. The intermediate is verified before its key is used.
  private static func isTrusted(
    root: Certificate, intermediate: Certificate, leaf: Certificate, version: TokenVersion,
    reusing reuse: SignatureReuse?
  ) -> Bool {
    root.mayIssue(below: 1) && isIssued(intermediate, by: root, reusing: reuse)
      && intermediate.mayIssue(below: 0) && isIssued(leaf, by: intermediate, reusing: reuse)
      && leaf.maySignTokens(of: version)
      && [root, intermediate, leaf].allSatisfy(\.hasKnownCriticalExtensionsOnly)
  }

  /// 7.2: names byte for byte, and the signature over the exact tbsCertificate.
  private static func isIssued(
    _ certificate: Certificate, by issuer: Certificate, reusing reuse: SignatureReuse?
  ) -> Bool {
    certificate.issuer == issuer.subject
      && SignatureVerification.isValid(
        certificate.signatureValue, over: certificate.tbsCertificate, by: certificate.signatureAlgorithm,
        signer: issuer, reusing: reuse)
  }
}

extension Certificate {
  /// 7.3: a certificate authority that may have `count` further authorities below it.
  fileprivate func mayIssue(below count: Int) -> Bool {
    guard let basicConstraints, basicConstraints.isAuthority else { return false }
    if let pathLength = basicConstraints.pathLength, pathLength < count { return false }
    return keyUsage?.keyCertSign ?? true
  }

  /// 7.4.
  fileprivate func maySignTokens(of version: TokenVersion) -> Bool {
    let hasFittingKey =
      switch (version.rules.signer, publicKey) {
      case (.ecdsa, .p256): true
      // 5.16 has refused longer keys.
      case (.rsa, .rsa(_, let bits)): (2_048...4_096).contains(bits)
      case (.ecdsa, .rsa), (.rsa, .p256), (_, .p384), (_, .other): false
      }
    return hasFittingKey && !(basicConstraints?.isAuthority ?? false) && (keyUsage?.digitalSignature ?? true)
  }

  /// 7.5.
  fileprivate var hasKnownCriticalExtensionsOnly: Bool {
    let known = [
      ObjectIdentifiers.basicConstraints, ObjectIdentifiers.keyUsage, ObjectIdentifiers.appleLeafMarker,
      ObjectIdentifiers.appleIntermediateMarker,
    ]
    return extensions.allSatisfy { !$0.critical || known.contains($0.oid) }
  }
}
