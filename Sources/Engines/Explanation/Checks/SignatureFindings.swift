import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Findings of stages 5 to 9.
extension CheckList {
  /// The finding of the stages that are omitted for an unsigned token, shown at the first of them.
  func omissionFindings(at stage: VerificationStage) -> [Finding] {
    guard stage == .signatureShape else { return [] }
    return [Finding("signature", "none, so the origin of the token is unknown", expected: "one made by Apple")]
  }

  func signatureShapeFindings(_ fault: TokenFault?) -> [Finding] {
    guard fault == nil else {
      let size = text?.form(of: .signature)?.words ?? "bytes"
      return breachFindings + [Finding("signature", size)]
    }
    var findings = [Finding("certificates", "\(facts.certificates.count)", expected: "at most 3")]
    if let time = facts.signingTime { findings.append(Finding("signing time", time.rfc3339)) }
    return findings
  }

  /// The finding about the broken rule (`breach`); empty if that is unknown.
  private var breachFindings: [Finding] { breach.map { [$0.finding] } ?? [] }

  func certificateFindings(_ fault: TokenFault?) -> [Finding] {
    var findings = fault == nil ? [] : breachFindings
    if let leaf = facts.leaf { findings.append(Finding("leaf", leaf.name)) }
    if let intermediate = facts.intermediate { findings.append(Finding("intermediate", intermediate.name)) }
    if facts.leaf == nil { findings += facts.certificates.map { Finding("certificate", $0.name) } }
    return findings
  }

  func chainFindings(_ fault: TokenFault?) -> [Finding] {
    let root = facts.root ?? facts.chainProblem?.root
    let isOwn = root.map { root in roots.contains { $0.isOwnRoot && $0.fingerprint() == root.fingerprint } } ?? false
    let origin = root.map { [Finding("root", isOwn ? "\($0.name), not Apple's" : $0.name)] } ?? []
    guard fault == nil else { return breachFindings + origin }
    let time = facts.verificationTime.map { "to include \($0.rfc3339)" }
    return origin
      + [("leaf", facts.leaf), ("intermediate", facts.intermediate)].compactMap { name, certificate in
        certificate.map {
          Finding("\(name) valid", "\($0.notBefore.rfc3339) to \($0.notAfter.rfc3339)", expected: time)
        }
      }
  }

  func signatureFindings(_ fault: TokenFault?) -> [Finding] {
    guard fault == nil else { return breachFindings }
    guard let digest = facts.messageDigest else { return [] }
    return [Finding("digest of the members", digest.expected.hex), Finding("signature", "made by the leaf")]
  }

  /// The policy may have a window, a range (`signingTimes`) or both. A failure shows the limit that was broken, a
  /// success the window if there is one.
  func signingTimeFindings(_ fault: TokenFault?) -> [Finding] {
    guard let signedAt = facts.signingTime else { return [] }
    let isWindowChecked = fault != nil ? facts.isOutsideWindow : facts.signingTimeDistance != nil
    if !isWindowChecked, let times = signingTimes {
      let range = "from \(times.lowerBound.rfc3339), before \(times.upperBound.rfc3339)"
      return [Finding("signing time", signedAt.rfc3339, expected: range)]
    }
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
