import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Stages 5 to 9: who signed, what and when.
struct SignatureDiagnosis {
  let facts: TraceFacts
  let text: TokenText?
  let roots: [Certificate]
  /// Whether the signature would hold with these application data in place of the token's.
  let holds: (Bytes32?) -> Bool
  /// Whether the certificates lead to Apple's root.
  let isApples: () -> Bool
  /// What the caller expects the application data to be.
  let expectedApplicationData: Bytes32?

  /// `malformedSignature`.
  var shapeVerdict: Verdict { hexMember(.signature) ?? Verdict(.malformedSignature, TokenMember.signature.path) }

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
    if isApples() { return Verdict(.appleRootReplaced) }
    if roots.contains(where: { $0.subject == intermediate.issuer }) { return Verdict(.brokenChain) }
    return Verdict(.otherRoot, DistinguishedName(intermediate.issuer).text)
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
    let hadOther = text?[.applicationData] != nil && holds(nil)
    if hadOther || (expectedApplicationData.map { holds($0) } ?? false) {
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
