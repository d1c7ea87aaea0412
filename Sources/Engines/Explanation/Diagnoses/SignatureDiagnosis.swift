import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Diagnoses of stages 5 to 9: the signer, the signed members and the signing time.
///
/// The sentence names the rule, the value that breaks it and what the rule demands. Its end depends on the roots: under
/// a tester's own root it says how to fix the token, under Apple's it says what such a token is.
struct SignatureDiagnosis {
  /// Nil for a fault of stage 9.
  let breach: RuleBreach?
  let facts: TraceFacts
  let text: TokenText?
  let roots: [Certificate]
  /// Whether the signed digest is that of the members with this application data instead of the token's.
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
    /// The certificates chain to a root, but stages 5 to 8 reject the token.
    case rejected(Verdict)
  }

  /// A diagnosis of the broken rule that ends with the diagnosis' sentence.
  func verdict(_ diagnosis: Diagnosis) -> Verdict {
    guard let breach else { return Verdict(diagnosis) }
    return verdict(diagnosis, breach, diagnosis.sentence)
  }

  /// A diagnosis that ends with what to do about the rule if the token is a tester's own.
  private func fixableVerdict(_ diagnosis: Diagnosis) -> Verdict {
    guard let breach, roots.areOwn(for: text) else { return verdict(diagnosis) }
    return verdict(diagnosis, breach, breach.fix)
  }

  private func verdict(_ diagnosis: Diagnosis, _ breach: RuleBreach, _ end: String) -> Verdict {
    Verdict(diagnosis, breach.numberedSubject, remedy: "\(breach.found), but \(breach.rule.demand): \(end)")
  }

  /// `malformedSignature`.
  var shapeVerdict: Verdict {
    if let hex = hexMember(.signature) { return hex }
    return fixableVerdict(breach?.isContent ?? false ? .embeddedContent : .malformedSignature)
  }

  /// `missingLeafMarker`, `missingIntermediateMarker`, `signerMismatch`.
  var selectionVerdict: Verdict { fixableVerdict(.notSignedByApple) }

  /// `certificateRevoked`.
  var revokedVerdict: Verdict { fixableVerdict(.certificateRevoked) }

  private func hexMember(_ member: TokenMember) -> Verdict? {
    guard text?.form(of: member)?.isHex ?? false else { return nil }
    return Verdict(.hexInsteadOfBase64, member.path)
  }

  /// `untrustedChain`.
  var chainVerdict: Verdict {
    let named = roots.filter { $0.subject == facts.intermediate?.issuer }
    // The issuer has the name of a tester's root, so the token is taken for the tester's own.
    if named.contains(where: \.isOwnRoot) { return fixableVerdict(.brokenChain) }
    switch underApple() {
    case .verified: return verdict(.appleRootReplaced)
    case .rejected(let verdict): return verdict
    case .otherChain, nil: break
    }
    switch facts.chainProblem?.defect {
    // Apple signed both certificates: their signatures are verified before these rules are checked.
    case .authority, .pathLength, .keyUsage, .keyType, .criticalExtension: return verdict(.brokenChain)
    default: break
    }
    return bearsAppleNames ? verdict(.forgedAppleNames) : fixableVerdict(.otherRoot)
  }

  /// `unexpectedCertificate`. A third certificate is accepted only if it is a trusted root.
  var thirdCertificateVerdict: Verdict {
    guard let other = facts.otherCertificate, other.subject == facts.intermediate?.issuer else {
      return selectionVerdict
    }
    return chainVerdict
  }

  /// Whether the leaf or the intermediate, which Apple did not issue, names Apple or its payment signer.
  private var bearsAppleNames: Bool {
    let certificates = [facts.leaf, facts.intermediate].compactMap { $0 }
    let names = certificates.flatMap { [DistinguishedName($0.subject), DistinguishedName($0.issuer)] }
    return names.contains { $0.bearsNameOfApple || ($0.commonName?.contains("-smp-broker-sign") ?? false) }
  }

  /// `certificateExpired`.
  var expiryVerdict: Verdict {
    guard let signedAt = facts.signingTime, let leaf = facts.leaf, let intermediate = facts.intermediate,
      [leaf, intermediate].allSatisfy({ $0.notBefore <= signedAt && signedAt <= $0.notAfter })
    else { return fixableVerdict(.signerCertificateExpired) }
    // Until the signature is verified, anyone may have written the signing time.
    if case .rejected(let verdict) = atSigningTime() { return verdict }
    return verdict(.storedTokenCertificateExpired)
  }

  /// `certificateNotYetValid`.
  var earlyVerdict: Verdict { fixableVerdict(.certificateNotYetValid) }

  /// `signatureMismatch`.
  var contentVerdict: Verdict {
    guard let digest = facts.messageDigest, digest.found != digest.expected else {
      return fixableVerdict(.forgedSignature)
    }
    if let hex = hexMember(.data) ?? hexMember(.wrappedKey) ?? hexMember(.signature) { return hex }
    // Only a signed digest shows what the members were when the token was signed.
    guard areAttributesSigned() else { return fixableVerdict(.forgedSignature) }
    let hadOther = text?[.applicationData] != nil && verifies(nil)
    if hadOther || (expectedApplicationData.map { verifies($0) } ?? false) {
      return Verdict(.applicationDataBreaksSignature, TokenMember.applicationData.path)
    }
    return fixableVerdict(.signedMemberAltered)
  }

  /// `signingTimeOutsideWindow`.
  var windowVerdict: Verdict {
    guard facts.isOutsideWindow else { return Verdict(.signingTimeOutsideRange) }
    guard let signedAt = facts.signingTime, let time = facts.verificationTime, time < signedAt else {
      let diagnosis = Diagnosis.storedTokenOutsideWindow
      return Verdict(
        diagnosis,
        remedy: isLocalTime
          ? diagnosis.sentence.dropLast() + ", or write signingTime in UTC, if a local time was written with a Z." : nil
      )
    }
    return Verdict(.signedInFuture)
  }

  /// Whether the age of a test token is a time difference between UTC and a zone west of it: one to 28 half hours,
  /// within three minutes.
  private var isLocalTime: Bool {
    guard let seconds = facts.signingTimeDistance?.seconds, roots.areOwn(for: text) else { return false }
    let halfHours = (seconds + 180) / 1_800
    return (1...28).contains(halfHours) && (seconds + 180) % 1_800 <= 360
  }
}

extension Certificate {
  /// Whether this root is a tester's, not one of Apple's.
  var isOwnRoot: Bool { !TrustAnchors.apple.certificates.contains(der) }
}

extension [Certificate] {
  /// Whether a token is taken for a tester's own: no root is Apple's, or a root that is not Apple's has the name of an
  /// issuer in the token's certificates.
  func areOwn(for text: TokenText?) -> Bool {
    let own = filter(\.isOwnRoot)
    guard own.count < count else { return !own.isEmpty }
    let cms = text?.form(of: .signature)?.base64 ?? []
    return SignatureTree(cms)?.certificates.contains { held in own.contains { $0.subject == held.issuer } } ?? false
  }
}
