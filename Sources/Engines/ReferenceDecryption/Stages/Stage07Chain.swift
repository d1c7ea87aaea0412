package import MerchantKeys
import PaymentToken

/// A chain from a trusted root down. `verifyChain` returns only verified ones.
package struct CertificateChain {
  let root: Certificate
  let intermediate: Certificate
  let leaf: Certificate

  /// A chain that is not verified yet.
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
    do throws(ChainProblem) {
      let chain = try trustedChain(certificates, version: version, roots: roots, reusing: reuse)
      trace.note(.root(CertificateSummary(chain.root)))
      try chain.check(revoked: revoked, at: time)
      return chain
    } catch {
      trace.note(.chainProblem(error))
      throw TokenFault(error.code)
    }
  }

  /// 7.1: the chain to the first root that passes 7.2 to 7.5.
  private static func trustedChain(
    _ certificates: SignerCertificates, version: TokenVersion, roots: [Certificate], reusing reuse: SignatureReuse?
  ) throws(ChainProblem) -> CertificateChain {
    let (leaf, intermediate) = (certificates.leaf, certificates.intermediate)
    var latest = ChainProblem(place: .intermediate, defect: .unknownIssuer, root: nil)
    for root in roots where root.subject == intermediate.issuer {
      let chain = CertificateChain(root: root, intermediate: intermediate, leaf: leaf)
      guard let problem = chain.problem(version: version, reusing: reuse) else { return chain }
      if latest.rule < problem.rule { latest = problem }
    }
    throw latest
  }
}

extension CertificateChain {
  /// 7.2 to 7.5 in this order. The intermediate is verified before its key is used.
  fileprivate func problem(version: TokenVersion, reusing reuse: SignatureReuse?) -> ChainProblem? {
    problem(.intermediate, intermediate.issueDefect(by: root, reusing: reuse))
      ?? problem(.leaf, leaf.issueDefect(by: intermediate, reusing: reuse))
      ?? problem(.root, root.authorityDefect(above: 1))
      ?? problem(.intermediate, intermediate.authorityDefect(above: 0))
      ?? problem(.leaf, leaf.signerDefect(of: version))
      ?? problem(.root, root.criticalDefect)
      ?? problem(.intermediate, intermediate.criticalDefect)
      ?? problem(.leaf, leaf.criticalDefect)
  }

  /// 7.6 and 7.7.
  fileprivate func check(revoked: RevokedCertificates, at time: UnixTime) throws(ChainProblem) {
    let lower = [(ChainProblem.Place.leaf, leaf), (.intermediate, intermediate)]
    for (place, certificate) in lower {
      guard !revoked.contains(SHA256.digest(certificate.der)),
        !revoked.contains(SHA256.digest(certificate.subjectPublicKeyInfo))
      else { throw broken(place, .revoked) }
    }
    for (place, certificate) in lower {
      guard time <= certificate.notAfter else { throw broken(place, .expired) }
      guard time >= certificate.notBefore else { throw broken(place, .notYetValid) }
    }
  }

  private func broken(_ place: ChainProblem.Place, _ defect: ChainProblem.Defect) -> ChainProblem {
    ChainProblem(place: place, defect: defect, root: CertificateSummary(root))
  }

  private func problem(_ place: ChainProblem.Place, _ defect: ChainProblem.Defect?) -> ChainProblem? {
    defect.map { broken(place, $0) }
  }
}

extension ChainProblem {
  fileprivate var code: TokenFault.Code {
    switch defect {
    case .revoked: .certificateRevoked
    case .expired: .certificateExpired
    case .notYetValid: .certificateNotYetValid
    case .unknownIssuer, .otherIssuer, .signatureAlgorithm, .signature, .authority, .pathLength, .keyUsage, .keyType,
      .criticalExtension:
      .untrustedChain
    }
  }
}

extension Certificate {
  /// 7.2: names byte for byte, and the signature over the exact tbsCertificate.
  fileprivate func issueDefect(by above: Certificate, reusing reuse: SignatureReuse?) -> ChainProblem.Defect? {
    guard issuer == above.subject else { return .otherIssuer }
    guard SignatureVerification.allows(signatureAlgorithm, with: above.publicKey) else { return .signatureAlgorithm }
    let isValid = SignatureVerification.isValid(
      signatureValue, over: tbsCertificate, by: signatureAlgorithm, signer: above, reusing: reuse)
    return isValid ? nil : .signature
  }

  /// 7.3: a certificate authority that may have `count` further authorities below it.
  fileprivate func authorityDefect(above count: Int) -> ChainProblem.Defect? {
    guard let basicConstraints, basicConstraints.isAuthority else { return .authority }
    if let pathLength = basicConstraints.pathLength, pathLength < count { return .pathLength }
    return keyUsage?.keyCertSign ?? true ? nil : .keyUsage
  }

  /// 7.4.
  fileprivate func signerDefect(of version: TokenVersion) -> ChainProblem.Defect? {
    if basicConstraints?.isAuthority ?? false { return .authority }
    guard keyUsage?.digitalSignature ?? true else { return .keyUsage }
    let hasFittingKey =
      switch (version.rules.signer, publicKey) {
      case (.ecdsa, .p256): true
      // 5.16 has refused longer keys.
      case (.rsa, .rsa(_, let bits)): (2_048...4_096).contains(bits)
      case (.ecdsa, .rsa), (.rsa, .p256), (_, .p384), (_, .other): false
      }
    return hasFittingKey ? nil : .keyType
  }

  /// 7.5.
  fileprivate var criticalDefect: ChainProblem.Defect? {
    let known = [
      ObjectIdentifiers.basicConstraints, ObjectIdentifiers.keyUsage, ObjectIdentifiers.appleLeafMarker,
      ObjectIdentifiers.appleIntermediateMarker,
    ]
    return extensions.first { $0.critical && !known.contains($0.oid) }.map { .criticalExtension($0.oid) }
  }
}
