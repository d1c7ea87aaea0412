import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Diagnoses of stages 5 to 9: the signer, the signed members and the signing time.
struct SignatureDiagnosis {
  let facts: TraceFacts
  let text: TokenText?
  let roots: [Certificate]
  /// Whether the signature would verify with this application data instead of the token's.
  let verifies: (Bytes32?) -> Bool
  /// Whether the leaf signed the signed attributes, among them the digest.
  let areAttributesSigned: () -> Bool
  /// The signature under the same roots, at the token's signing time.
  let atSigningTime: () -> Attempt
  /// The signature under Apple's root, at the token's signing time; nil if that cannot be tried.
  let underApple: () -> Attempt?
  /// The hash of application data that the caller expects.
  let expectedApplicationData: Bytes32?

  /// What stages 5 to 8 say of the token with other roots, or at another time.
  enum Attempt {
    case verified
    /// The certificates do not chain to a root.
    case otherChain
    /// They do, but the signature does not verify.
    case rejected(Verdict)
  }

  /// `malformedSignature`.
  var shapeVerdict: Verdict {
    let member = TokenMember.signature.path
    if let hex = hexMember(.signature) { return hex }
    guard let problem = facts.signatureProblem else { return Verdict(.malformedSignature, member) }
    if hasContent(problem) { return Verdict(.embeddedContent, member) }
    return Verdict(.malformedSignature, "\(member), rule \(problem.rule), byte \(problem.offset)")
  }

  /// Whether the CMS holds its content. OpenSSL writes large content as a constructed OCTET STRING, which breaks an
  /// earlier rule and occurs nowhere else.
  private func hasContent(_ problem: SignatureProblem) -> Bool {
    if problem.hasContent { return true }
    let constructedOctetString: UInt8 = 0x24
    return text?.form(of: .signature)?.base64?.dropFirst(problem.offset).first == constructedOctetString
  }

  /// `certificateRevoked`.
  var revokedVerdict: Verdict {
    Verdict(.certificateRevoked, facts.leaf.map { DistinguishedName($0.subject).text })
  }

  private func hexMember(_ member: TokenMember) -> Verdict? {
    guard text?.form(of: member)?.isHex ?? false else { return nil }
    return Verdict(.hexInsteadOfBase64, member.path)
  }

  /// `untrustedChain`.
  var chainVerdict: Verdict {
    guard let intermediate = facts.intermediate else { return Verdict(.notSignedByApple) }
    switch underApple() {
    case .verified: return Verdict(.appleRootReplaced)
    case .rejected(let verdict): return verdict
    case .otherChain, nil: break
    }
    if bearsAppleNames { return Verdict(.forgedAppleNames, DistinguishedName(intermediate.subject).text) }
    if roots.contains(where: { $0.subject == intermediate.issuer }) { return Verdict(.brokenChain) }
    return Verdict(.otherRoot, DistinguishedName(intermediate.issuer).text)
  }

  /// `unexpectedCertificate`. A third certificate is accepted if it is the root, which has to be trusted.
  var thirdCertificateVerdict: Verdict {
    let marked = [facts.leaf, facts.intermediate].compactMap { $0?.fingerprint }
    let others = facts.certificates.filter { !marked.contains($0.fingerprint) }
    guard marked.count == 2, others.count == 1, let issuer = facts.intermediate?.issuer, others[0].subject == issuer
    else { return Verdict(.notSignedByApple) }
    return chainVerdict
  }

  /// Whether a certificate of a chain that is not Apple's names Apple, or its payment signer.
  private var bearsAppleNames: Bool {
    let certificates = [facts.leaf, facts.intermediate].compactMap { $0 }
    let names = certificates.flatMap { [DistinguishedName($0.subject), DistinguishedName($0.issuer)] }
    return names.contains { $0.bearsNameOfApple || ($0.commonName?.contains("-smp-broker-sign") ?? false) }
  }

  /// `certificateExpired`.
  var expiryVerdict: Verdict {
    guard let signedAt = facts.signingTime, let leaf = facts.leaf, let intermediate = facts.intermediate else {
      return Verdict(.signerCertificateExpired)
    }
    let wasValid = [leaf, intermediate].allSatisfy { $0.notBefore <= signedAt && signedAt <= $0.notAfter }
    guard wasValid else { return Verdict(.signerCertificateExpired) }
    // Until the signature is verified, the signing time is anyone's claim.
    if case .rejected(let verdict) = atSigningTime() { return verdict }
    return Verdict(.storedTokenCertificateExpired)
  }

  /// `signatureMismatch`.
  var contentVerdict: Verdict {
    guard let digest = facts.messageDigest, digest.found != digest.expected else { return Verdict(.forgedSignature) }
    if let hex = hexMember(.data) ?? hexMember(.signature) { return hex }
    // Only a digest that was signed says what the token was before.
    guard areAttributesSigned() else { return Verdict(.forgedSignature) }
    let hadOther = text?[.applicationData] != nil && verifies(nil)
    if hadOther || (expectedApplicationData.map { verifies($0) } ?? false) {
      return Verdict(.applicationDataBreaksSignature, TokenMember.applicationData.path)
    }
    return Verdict(.signedMemberAltered)
  }

  /// `signingTimeOutsideWindow`.
  var windowVerdict: Verdict {
    guard let signedAt = facts.signingTime, let time = facts.verificationTime, time < signedAt else {
      return Verdict(.storedTokenOutsideWindow)
    }
    return Verdict(.signedInFuture)
  }
}
