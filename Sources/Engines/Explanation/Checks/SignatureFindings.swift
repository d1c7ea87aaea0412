import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Findings of stages 5 to 9.
extension CheckList {
  /// Findings of the skipped stages of an unsigned token, shown at the first of them.
  func omissionFindings(at stage: VerificationStage) -> [Finding] {
    guard stage == .signatureShape else { return [] }
    return [Finding("signature", "none, so the origin of the token is unknown", expected: "one made by Apple")]
  }

  func signatureShapeFindings(_ fault: TokenFault?) -> [Finding] {
    guard fault == nil else {
      let size = text?.form(of: .signature)?.words ?? "bytes"
      let found = facts.signatureProblem.map { "\(size), which breaks rule \($0.rule) at byte \($0.offset)" } ?? size
      return [Finding("signature", found, expected: "a CMS SignedData as in Apple's tokens")]
    }
    var findings = [Finding("certificates", "\(facts.certificates.count)", expected: "at most 3")]
    if let time = facts.signingTime { findings.append(Finding("signing time", time.rfc3339)) }
    return findings
  }

  func certificateFindings(_ fault: TokenFault?) -> [Finding] {
    var findings: [Finding] = []
    switch fault?.code {
    case nil: break
    case .missingLeafMarker:
      findings = [Finding("with Apple's leaf marker", "\(facts.markers?.leaf ?? 0)", expected: "1")]
    case .missingIntermediateMarker:
      findings = [Finding("with Apple's intermediate marker", "\(facts.markers?.intermediate ?? 0)", expected: "1")]
    case .signerMismatch: findings = [Finding("named signer", "another certificate", expected: "the leaf")]
    default:
      findings = [Finding("other certificates", "one that is not a trusted root", expected: "none, or a trusted root")]
    }
    if let leaf = facts.leaf { findings.append(Finding("leaf", leaf.name)) }
    if let intermediate = facts.intermediate { findings.append(Finding("intermediate", intermediate.name)) }
    if facts.leaf == nil { findings += facts.certificates.map { Finding("certificate", $0.name) } }
    return findings
  }

  func chainFindings(_ fault: TokenFault?) -> [Finding] {
    if fault?.code == .untrustedChain {
      let trusted = roots.map { DistinguishedName($0.subject).text }
      let expected = trusted.isEmpty ? "a trusted root (none is loaded)" : trusted.joined(separator: ", or ")
      let issuer = facts.intermediate.map { DistinguishedName($0.issuer).text } ?? "unknown"
      if roots.contains(where: { $0.subject == facts.intermediate?.issuer }) {
        return [Finding("chain to \(issuer)", "does not verify", expected: "verifies")]
      }
      return [Finding("issuer of the intermediate", issuer, expected: expected)]
    }
    var findings = facts.root.map { [Finding("root", $0.name)] } ?? []
    if fault?.code == .certificateRevoked {
      for (name, certificate) in [("leaf", facts.leaf), ("intermediate", facts.intermediate)] {
        guard let certificate else { continue }
        findings.append(Finding("\(name) SHA-256", certificate.fingerprint.hex, expected: "not revoked"))
        findings.append(Finding("\(name) key SHA-256", certificate.publicKeyHash.hex, expected: "not revoked"))
      }
      return findings
    }
    let time = facts.verificationTime.map { "to include \($0.rfc3339)" }
    for (name, certificate) in [("leaf", facts.leaf), ("intermediate", facts.intermediate)] {
      guard let certificate else { continue }
      let validity = "\(certificate.notBefore.rfc3339) to \(certificate.notAfter.rfc3339)"
      findings.append(Finding("\(name) valid", validity, expected: time))
    }
    return findings
  }

  func signatureFindings(_ fault: TokenFault?) -> [Finding] {
    guard let digest = facts.messageDigest else { return [] }
    var findings = [
      Finding("digest of the members", digest.expected.hex, expected: "\(digest.found.hex), in the signature")
    ]
    guard digest.found == digest.expected else { return findings }
    findings.append(
      Finding("signature", fault == nil ? "made by the leaf" : "not made by the leaf", expected: "made by the leaf"))
    return findings
  }

  func signingTimeFindings(_ fault: TokenFault?) -> [Finding] {
    guard let signedAt = facts.signingTime else { return [] }
    guard let distance = facts.signingTimeDistance else {
      return [Finding("signing time", "\(signedAt.rfc3339), not checked")]
    }
    let time = facts.verificationTime.map { " of \($0.rfc3339)" } ?? ""
    return [
      Finding(
        "signing time", "\(signedAt.rfc3339), \(distance.seconds) s away",
        expected: "within \(distance.window) s\(time)")
    ]
  }
}

extension CertificateSummary {
  /// The subject's common name, or all its attributes.
  var name: String { DistinguishedName(subject).text }
}
