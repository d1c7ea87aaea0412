import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// Diagnoses of stages 10 to 12: the key that the token is encrypted to.
struct MerchantKeyDiagnosis {
  let facts: TraceFacts
  let keyContext: KeyContext
  /// The index of the first merchant-ID hash with which the key at an index opens the token.
  let firstOpening: (Int, [Bytes32]) -> Int?
  /// Whether the key at an index opens the token with its own merchant ID.
  let opens: (Int) -> Bool

  /// The age in seconds up to which a new certificate is assumed not to be activated yet: 60 days. Apple reminds
  /// merchants 30 days before a certificate expires.
  static let activationPeriod: UInt64 = 60 * 86_400

  private var keys: [MerchantKey] { (0..<keyContext.keys.count).map { keyContext.keys[$0] } }

  // MARK: Stage 10

  /// `unknownMerchantKey`.
  var unknownKeyVerdict: Verdict {
    guard !keys.isEmpty else { return Verdict(.noKeyLoaded, facts.publicKeyHash.map { Base64.encode($0.bytes) }) }
    if let verdict = otherHashVerdict ?? openingVerdict(except: nil) { return verdict }
    let loaded = CertificateDiagnosis(certificates: keys.compactMap(\.certificate))
    let given = CertificateDiagnosis(
      certificates: loaded.certificates + keyContext.keys.unpairedCertificates.map(\.certificate))
    if let missing = given.missingKeyVerdict(facts) { return missing }
    if !loaded.certificates.contains(where: { $0.purpose == .paymentProcessing }),
      let verdict = loaded.identityVerdict ?? loaded.foreignVerdict
    {
      return verdict
    }
    let fitting = keys.filter { $0.version == facts.version }
    if fitting.isEmpty { return Verdict(.keyOfOtherVersion, facts.version?.rawValue) }
    if facts.isFromSandbox { return Verdict(.sandboxToken) }
    return datesVerdict(fitting.filter(isOfNamedMerchant)) ?? Verdict(.unknownKey)
  }

  /// The verdict if publicKeyHash is the hash of a loaded key's certificate or bare point.
  private var otherHashVerdict: Verdict? {
    for key in keys {
      let certificate = key.certificate.map { ("the loaded certificate", $0.fingerprint()) }
      var others = [certificate].compactMap { $0 }
      if case .p256(let point) = key.publicKey {
        others.append(("the bare point of the loaded key", SHA256.digest(point)))
      }
      guard let (words, _) = others.first(where: { $0.1 == facts.publicKeyHash }) else { continue }
      return Verdict(
        .unknownKey, TokenMember.publicKeyHash.path,
        remedy: "It is the SHA-256 of \(words), but must be that of the key's SubjectPublicKeyInfo in DER, "
          + "91 bytes on P-256: write that hash.")
    }
    return nil
  }

  /// The maximum number of external and RSA keys that are tried.
  private static let slowKeyLimit = 32

  /// The verdict if a key other than the one that publicKeyHash names opens the token.
  private func openingVerdict(except index: Int?) -> Verdict? {
    let keys = keys
    let others = keys.indices.filter { $0 != index && keys[$0].version == facts.version }
    let slow = others.filter { keys[$0].isExternal || keys[$0].version == .rsaV1 }
    let omitted = Set(slow.dropFirst(Self.slowKeyLimit))
    return others.first { !omitted.contains($0) && opens($0) }.map { Verdict(.publicKeyHashAltered, keys[$0].words) }
  }

  /// Whether the user named the merchant of the key's certificate. If not, the dates of the certificate say nothing
  /// about the token, because the token names no merchant.
  private func isOfNamedMerchant(_ key: MerchantKey) -> Bool {
    guard let hash = key.certificate?.certifiedMerchantIDHash else { return false }
    let named = keys.compactMap(\.merchantID) + keyContext.candidates
    return named.contains { SHA256.digest(Array($0.utf8)) == hash }
  }

  /// The verdict from the dates of the keys' certificates; nil if they explain nothing, or a key has no certificate.
  private func datesVerdict(_ keys: [MerchantKey]) -> Verdict? {
    let certificates = keys.compactMap(\.certificate)
    guard let signedAt = facts.signingTime, certificates.count == keys.count,
      let newest = keys.max(by: { $0.notBefore < $1.notBefore }), let start = newest.certificate?.notBefore
    else { return nil }
    if certificates.allSatisfy({ signedAt < $0.notBefore }) { return Verdict(.olderKeyNeeded, newest.words) }
    if certificates.allSatisfy({ $0.notAfter < signedAt }) {
      return Verdict(.merchantCertificateExpired, newest.words)
    }
    let isNew = start <= signedAt && start.absoluteDistance(to: signedAt) <= MerchantKeyDiagnosis.activationPeriod
    return isNew ? Verdict(.certificateNotActivated, newest.words) : nil
  }

  // MARK: Stage 12

  /// `decryptionFailed`.
  var decryptionVerdict: Verdict {
    guard let index = keys.firstIndex(where: { $0.publicKeyHash == facts.publicKeyHash }) else {
      return Verdict(.notForThisKey)
    }
    let key = keys[index]
    if key.needsMerchantID {
      if let given = key.merchantID, let hash = Bytes32(hex: given), firstOpening(index, [hash]) != nil {
        return Verdict(.merchantIDGivenAsHash, key.words)
      }
      let candidates = MerchantIDCandidates(for: key, among: keys, given: keyContext.candidates).all
      if let right = firstOpening(index, candidates.map(\.hash)) {
        let found = candidates[right]
        guard found.isNamed else { return Verdict(.wrongMerchantID, key.words) }
        // A merchant ID in the certificate would contradict the one that was found.
        let without =
          key.certificate?.certifiedMerchantIDHash == nil ? "" : ", with the key but without its certificate"
        return Verdict(.merchantIDFound, found.name + without)
      }
    }
    if let verdict = openingVerdict(except: index) { return verdict }
    guard key.version != .rsaV1 else { return Verdict(.notWrappedForThisKey, key.words) }
    return Verdict(key.hasCertifiedMerchantID ? .notForThisKey : .wrongMerchantID, key.words)
  }
}

extension MerchantKey {
  /// The key's name for people: the name of the certificate's subject, or the file.
  var words: String? { certificate?.words ?? file }

  /// Whether the merchant-ID hash of an EC key comes from its certificate.
  var hasCertifiedMerchantID: Bool {
    guard merchantID != nil else { return true }
    return certificate?.certifiedMerchantIDHash != nil
  }

  fileprivate var notBefore: UnixTime {
    certificate?.notBefore ?? UnixTime(secondsSinceEpoch: .min)
  }
}
