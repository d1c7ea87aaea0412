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
  /// Whether the certificates chain to Apple's root.
  let chainsToApple: () -> Bool
  /// The hash of application data that the caller expects.
  let expectedApplicationData: Bytes32?

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
    if chainsToApple() { return Verdict(.appleRootReplaced) }
    if bearsAppleNames { return Verdict(.forgedAppleNames, DistinguishedName(intermediate.subject).text) }
    if roots.contains(where: { $0.subject == intermediate.issuer }) { return Verdict(.brokenChain) }
    return Verdict(.otherRoot, DistinguishedName(intermediate.issuer).text)
  }

  /// Whether a certificate of a chain that is not Apple's names Apple, or its payment signer.
  private var bearsAppleNames: Bool {
    let certificates = [facts.leaf, facts.intermediate].compactMap { $0 }
    let names = certificates.flatMap { [DistinguishedName($0.subject), DistinguishedName($0.issuer)] }
    return names.contains { name in
      name.contains(word: "Apple") || (name.commonName?.contains("-smp-broker-sign") ?? false)
    }
  }

  /// `certificateExpired`.
  var expiryVerdict: Verdict {
    guard let signedAt = facts.signingTime, let leaf = facts.leaf, let intermediate = facts.intermediate else {
      return Verdict(.signerCertificateExpired)
    }
    let wasValid = [leaf, intermediate].allSatisfy { $0.notBefore <= signedAt && signedAt <= $0.notAfter }
    return Verdict(wasValid ? .storedTokenCertificateExpired : .signerCertificateExpired)
  }

  /// `signatureMismatch`.
  var contentVerdict: Verdict {
    guard let digest = facts.messageDigest, digest.found != digest.expected else { return Verdict(.forgedSignature) }
    if let hex = hexMember(.data) ?? hexMember(.signature) { return hex }
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
