import MerchantKeys
import PaymentToken

/// Stages 10 to 12: whom the token was made for.
struct MerchantKeyDiagnosis {
  let facts: TraceFacts
  let circumstances: KeyCircumstances
  /// Which of these merchant-ID hashes lets the key at a position open the token.
  let firstOpening: (Int, [Bytes32]) -> Int?
  /// Whether the key at a position opens the token as it was loaded.
  let opens: (Int) -> Bool

  /// How long a new certificate may be there before the token, and still be thought not to be activated: 60 days.
  /// Apple reminds merchants 30 days before a certificate expires.
  static let activationPeriod: UInt64 = 60 * 86_400

  private var keys: [MerchantKey] { (0..<circumstances.keys.count).map { circumstances.keys[$0] } }

  // MARK: Stage 10

  /// `unknownMerchantKey`.
  var unknownKeyVerdict: Verdict {
    guard !keys.isEmpty else { return Verdict(.noKeyLoaded, facts.publicKeyHash.map { Base64.encode($0.bytes) }) }
    let purposes = keys.map(\.certificate?.purpose)
    if let identity = purposes.firstIndex(of: .merchantIdentity), !purposes.contains(.paymentProcessing) {
      return Verdict(.identityCertificate, keys[identity].words)
    }
    let fitting = keys.filter { $0.version == facts.version }
    if fitting.isEmpty { return Verdict(.keyOfOtherVersion, facts.version?.rawValue) }
    if facts.isFromSandbox { return Verdict(.sandboxToken) }
    return datesVerdict(fitting) ?? Verdict(.unknownKey)
  }

  /// What the dates of the certificates tell, when every key has one.
  private func datesVerdict(_ keys: [MerchantKey]) -> Verdict? {
    let certificates = keys.compactMap(\.certificate)
    guard let signedAt = facts.signingTime, certificates.count == keys.count,
      let newest = keys.max(by: { $0.notBefore < $1.notBefore }), let start = newest.certificate?.notBefore
    else { return nil }
    if certificates.allSatisfy({ signedAt < $0.notBefore }) { return Verdict(.olderKeyNeeded, newest.words) }
    if certificates.allSatisfy({ $0.notAfter < signedAt }) {
      return Verdict(.merchantCertificateExpired, newest.words)
    }
    let isNew = start <= signedAt && start.distance(to: signedAt) <= MerchantKeyDiagnosis.activationPeriod
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
      let candidates = MerchantIDCandidates(for: key, among: keys, given: circumstances.candidates).all
      if let right = firstOpening(index, candidates.map(\.hash)) {
        return Verdict(.wrongMerchantID, candidates[right].name)
      }
    }
    let others = keys.indices.filter { $0 != index && keys[$0].version == key.version }
    if let other = others.first(where: { opens($0) }) { return Verdict(.publicKeyHashAltered, keys[other].words) }
    return Verdict(key.hasCertifiedMerchantID ? .notForThisKey : .wrongMerchantID, key.words)
  }
}

extension MerchantKey {
  /// What people know the key by: the certificate's name, or the file.
  var words: String? { certificate.map { DistinguishedName($0.subject).text } ?? file }

  /// Whether a certificate vouches for the merchant-ID hash.
  var hasCertifiedMerchantID: Bool {
    guard merchantID != nil else { return true }
    return certificate?.certifiedMerchantIDHash != nil
  }

  fileprivate var notBefore: UnixTime {
    certificate?.notBefore ?? UnixTime(secondsSinceEpoch: .min)
  }
}

extension Certificate {
  /// Apple's merchant-ID hash, when there is a well-formed one.
  var certifiedMerchantIDHash: Bytes32? { (try? merchantIDHash()) ?? nil }
}
