import MerchantKeys
import PaymentToken
import ReferenceDecryption
import Reports

/// How a chain breaks a rule of stage 7, in words.
struct ChainText {
  private let problem: ChainProblem
  private let facts: TraceFacts
  /// The certificates in the token's signature.
  private let certificates: [Certificate]
  private let roots: [Certificate]

  init(_ problem: ChainProblem, _ facts: TraceFacts, certificates: [Certificate], roots: [Certificate]) {
    (self.problem, self.facts, self.certificates, self.roots) = (problem, facts, certificates, roots)
  }

  /// The certificate that breaks the rule: `leaf Leaf`.
  var subject: String { "\(problem.place.rawValue) \(summary?.name ?? "")" }

  /// The value that breaks the rule, and what to do about it.
  var cause: Cause { nameCause ?? validityCause ?? signatureCause ?? Cause(found, fix: algorithmFix) }

  /// ECDSA has no parameters (RFC 5758 section 3.2).
  private var algorithmFix: String? {
    guard problem.defect == .signatureAlgorithm, algorithm.hasPrefix("ecdsa"), algorithm.hasSuffix("NULL") else {
      return nil
    }
    return "issue it again, and leave the parameters out of the algorithm, inside and outside of what is signed."
  }

  /// The cause if an issuer's name only looks the same as the name of the certificate above.
  private var nameCause: Cause? {
    guard let summary else { return nil }
    let issuer = DistinguishedName(summary.issuer)
    switch problem.defect {
    case .unknownIssuer:
      let difference = roots.lazy.compactMap { issuer.difference(from: DistinguishedName($0.subject), in: "the root") }
      return difference.first.map {
        Cause(
          "it was issued by another \(issuer.text) than the trusted one: of its issuer's name \($0)",
          fix: "issue it again with the root's subject as its issuer, byte for byte, or give the root that issued it "
            + "with --root.")
      }
    case .otherIssuer:
      return above.flatMap { issuer.difference(from: DistinguishedName($0.subject), in: "the certificate above it") }
        .map {
          Cause(
            "of its issuer's name \($0)",
            fix: "issue it again with the subject of the certificate above it as its issuer, byte for byte.")
        }
    default: return nil
    }
  }

  /// The cause if the dates of a certificate are out of order, or exclude the signing time as well.
  private var validityCause: Cause? {
    guard let summary, [.expired, .notYetValid].contains(problem.defect) else { return nil }
    guard summary.notBefore <= summary.notAfter else {
      let century = UnixTime(secondsSinceEpoch: 946_684_800)
      let value = own.flatMap { try? BERValue($0.der) }?.children.first?.children.dropFirst(4).first?.children.last
      guard let value, value.tag == .utcTime, summary.notAfter < century else {
        return Cause(
          "its notAfter, \(summary.notAfter.rfc3339), is before its notBefore, \(summary.notBefore.rfc3339)",
          fix: "issue it again with the dates in order.")
      }
      return Cause(
        "its notAfter is the UTCTime \(value.words), which means \(summary.notAfter.rfc3339)",
        fix: "issue it again with a GeneralizedTime, which dates from 2050 on need.")
    }
    guard let signedAt = facts.signingTime, !(summary.notBefore...summary.notAfter).contains(signedAt) else {
      return nil
    }
    return Cause("\(found), and the signing time \(signedAt.rfc3339)", fix: SignatureRule.fixOutsideValidity)
  }

  /// The cause if a signature by an EC key is not a SEQUENCE of two positive INTEGERs.
  private var signatureCause: Cause? {
    guard problem.defect == .signature, let value = own?.signatureValue else { return nil }
    switch certificate(above)?.publicKey {
    case .p256, .p384: break
    default: return nil
    }
    let sequence = try? BERValue(strict: value)
    guard !(sequence?.isPairOfIntegers ?? false) || sequence?.hasNegativeInteger ?? false else { return nil }
    let form = Cause(ofSignature: value)
    return Cause(
      "its signature is \(form.found), not a DER SEQUENCE of the positive INTEGERs r and s",
      fix: form.fix ?? SignatureRule.numbered("8.3")?.fix)
  }

  /// The value that breaks the rule: `its keyUsage is keyAgreement`.
  private var found: String {
    let issuer = summary.map { DistinguishedName($0.issuer).text } ?? ""
    switch problem.defect {
    case .unknownIssuer:
      let trusted = roots.map(\.words)
      if trusted.contains(issuer) { return "it was issued by another \(issuer) than the trusted one" }
      return "it was issued by \(issuer), and \(trusted.isEmpty ? "no root" : trusted.listed(atMost: 4)) is trusted"
    case .otherIssuer: return "its issuer is \(issuer), and the certificate above it is that of \(above?.name ?? "")"
    case .signatureAlgorithm:
      return
        "it is signed with \(algorithm) by \(above?.name ?? ""), whose key is \(certificate(above)?.keyWords ?? "")"
    case .signature: return "its signature does not verify with the key of \(above?.name ?? "")"
    case .authority where problem.place == .leaf: return "its basicConstraints have cA TRUE"
    case .authority:
      return own?.basicConstraints == nil ? "it has no basicConstraints" : "its basicConstraints do not have cA TRUE"
    case .pathLength: return "its pathLenConstraint is \(own?.basicConstraints?.pathLength ?? 0)"
    case .keyUsage: return "its keyUsage is \(own?.keyUsage?.words ?? "")"
    case .keyType: return "its key is \(own?.keyWords ?? "")"
    case .criticalExtension(let oid): return "its extension \(ObjectIdentifierNames.name(of: oid)) is critical"
    case .revoked:
      return
        "its SHA-256 \(summary?.fingerprint.hex ?? "") or that of its key \(summary?.publicKeyHash.hex ?? "") is listed"
    case .expired: return "it was valid until \(summary?.notAfter.rfc3339 ?? ""), and the verification time is \(time)"
    case .notYetValid:
      return "it is valid from \(summary?.notBefore.rfc3339 ?? ""), and the verification time is \(time)"
    }
  }

  private var summary: CertificateSummary? {
    switch problem.place {
    case .root: problem.root
    case .intermediate: facts.intermediate
    case .leaf: facts.leaf
    }
  }

  private var above: CertificateSummary? { problem.place == .leaf ? facts.intermediate : problem.root }

  private func certificate(_ summary: CertificateSummary?) -> Certificate? {
    (certificates + roots).first { $0.fingerprint() == summary?.fingerprint }
  }

  private var own: Certificate? { certificate(summary) }

  private var algorithm: String {
    let value = own.flatMap { try? BERValue($0.der) }?.children.dropFirst().first
    return value?.words ?? "another algorithm"
  }

  private var time: String { facts.verificationTime?.rfc3339 ?? "" }
}

extension Certificate {
  /// The key in words: `on P-256`, `RSA of 1024 bits`.
  fileprivate var keyWords: String {
    switch publicKey {
    case .p256: "on P-256"
    case .p384: "on P-384"
    case .rsa(_, let bits): "RSA of \(bits) bits"
    case .other: (try? BERValue(subjectPublicKeyInfo))?.children.first?.words ?? "of another algorithm"
    }
  }
}

extension KeyUsage {
  /// The names of the bits (RFC 5280 section 4.2.1.3).
  fileprivate var words: String {
    let names = [
      "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement", "keyCertSign",
      "cRLSign", "encipherOnly", "decipherOnly",
    ]
    let set = names.indices.filter { contains(bit: $0) }.map { names[$0] }
    return set.isEmpty ? "empty" : set.joined(separator: ", ") + " alone"
  }
}
