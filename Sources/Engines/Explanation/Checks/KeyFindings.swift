import MerchantKeys
import PaymentToken

/// Findings of stages 10, 11 and 14, and of `keyUnavailable`, which any stage that uses libcrypto can report.
extension CheckList {
  /// The maximum number of loaded keys that are listed.
  private static let maximumListedKeys = 8

  func merchantKeyFindings(_ fault: TokenFault?) -> [Finding] {
    var findings: [Finding] = []
    let all = (0..<keys.count).map { keys[$0] }
    if let hash = facts.publicKeyHash {
      let expected = fault == nil ? nil : "the hash of a loaded key"
      findings.append(Finding("publicKeyHash", Base64.encode(hash.bytes), expected: expected))
    }
    if let keyError {
      let file = keyError.file.map { "\($0): " } ?? ""
      return findings + [Finding("keys", "\(file)\(keyError.code.rawValue): \(keyError.advice)", expected: "loaded")]
    }
    guard fault != nil else {
      return findings
        + all.filter { $0.publicKeyHash == facts.publicKeyHash }.map { Finding("key", description(of: $0)) }
    }
    findings.append(Finding("loaded keys", "\(all.count)"))
    for key in all.prefix(CheckList.maximumListedKeys) {
      findings.append(Finding("loaded key", "\(Base64.encode(key.publicKeyHash.bytes)), \(description(of: key))"))
    }
    return findings
  }

  func symmetricKeyFindings(_ fault: TokenFault?) -> [Finding] {
    guard fault == nil else {
      return [Finding("ephemeral key", "not a point on P-256", expected: "a point on P-256")]
    }
    guard let key = usedKey, let hash = key.merchantIDHash, key.needsMerchantID else { return [] }
    let source = key.hasCertifiedMerchantID ? "from the certificate" : "from the given merchant ID"
    return [Finding("merchant-ID hash", "\(hash.hex), \(source)")]
  }

  /// The finding of `keyUnavailable`: at stage 11 with an external key its device did not answer; otherwise libcrypto
  /// failed.
  func unavailableFindings(at stage: VerificationStage) -> [Finding] {
    stage == .symmetricKey && usedKey?.isExternal == true
      ? [Finding("external key", "no answer", expected: "an answer")]
      : [Finding("libcrypto", "no memory, random numbers or algorithm", expected: "all of them")]
  }

  /// The loaded key that the token names.
  private var usedKey: MerchantKey? {
    (0..<keys.count).lazy.map { keys[$0] }.first { $0.publicKeyHash == facts.publicKeyHash }
  }

  func expectationFindings(_ fault: TokenFault?) -> [Finding] {
    var findings = fieldFindings(at: .expectations)
    if fault?.code == .envelopeFieldMismatch { return findings }
    for fact in trace.facts {
      if case .applicationData(let found, let expected) = fact {
        findings.append(Finding("applicationData", found?.hex ?? "none", expected: expected.hex))
      }
    }
    if fault?.code == .applicationDataMismatch { return findings }
    // An explanation must not reveal the payment: of the decrypted data it shows only an unexpected currency, the
    // factor between two amounts, and whether a value is as expected.
    if let code = expectations.currencyCode {
      let differs = fault?.code == .currencyMismatch
      let found = differs ? facts.otherPayment?.currencyName ?? "another" : "as expected"
      findings.append(Finding("currencyCode", found, expected: code))
      if differs { return findings }
    }
    if let amount = expectations.transactionAmount {
      let differs = fault?.code == .amountMismatch
      let factor = differs ? facts.otherPayment?.unitFactor : nil
      let other = factor.map { "another, by exactly \($0)" } ?? "another"
      let expected = expectations.amountWords ?? "\(amount)"
      let found = differs ? other : expectations.amountWords.map { "\($0), as expected" } ?? "as expected"
      findings.append(Finding("transactionAmount", found, expected: expected))
      if differs { return findings }
    }
    switch fault?.code {
    case .replayedTransaction: findings.append(Finding("transactionId", "seen before", expected: "new"))
    case .replayStoreFull: findings.append(Finding("replay store", "full", expected: "room for the transaction"))
    case .replayStoreUnavailable: findings.append(Finding("replay store", "no answer", expected: "an answer"))
    default: break
    }
    return findings.isEmpty ? [Finding("expectations", "none")] : findings
  }

  /// The key's version, the name and validity of its certificate, with a remark on an identity certificate or a missing
  /// one, and its file.
  private func description(of key: MerchantKey) -> String {
    var parts = [key.version.rawValue]
    if let certificate = key.certificate {
      parts.append(DistinguishedName(certificate.subject).text)
      if certificate.purpose == .merchantIdentity { parts.append("an identity certificate") }
      parts.append("valid \(certificate.notBefore.rfc3339) to \(certificate.notAfter.rfc3339)")
    } else {
      parts.append("no certificate")
    }
    if let file = key.file { parts.append(file) }
    return parts.joined(separator: ", ")
  }
}
