import PaymentToken

/// Collects everything given for one private key, and makes a ``MerchantKey`` of it.
struct MerchantKeyGroup {
  let secret: MerchantSecret
  private let publicKeyHash: Bytes32
  private let file: String?
  private var certificate: Certificate?
  private var certifiedHash: Bytes32?
  private var merchantID: String?

  init(_ source: MerchantKeySource) throws(KeyError) {
    secret = source.secret
    publicKeyHash = source.secret.publicKeyHash()
    file = source.file
    try add(source)
  }

  /// Adds the certificates and the merchant ID of another entry for the same key.
  mutating func add(_ source: MerchantKeySource) throws(KeyError) {
    do {
      for certificate in source.certificates { try add(certificate) }
      if let merchantID = source.merchantID { try add(merchantID) }
      try checkAgreement()
    } catch {
      throw error.named(source.file)
    }
  }

  /// The key, after everything was added.
  func key() throws(KeyError) -> MerchantKey {
    let hash = certifiedHash ?? merchantID.map(Digest.sha256(merchantID:))
    guard hash != nil || !secret.version.derivesFromMerchantID else {
      throw KeyError(.missingMerchantID, file: file)
    }
    // DER and rule 5.16 allow one encoding of a key, so a certificate's own SubjectPublicKeyInfo has the same hash.
    return MerchantKey(
      publicKeyHash: publicKeyHash, version: secret.version, merchantIDHash: hash,
      merchantID: merchantID, isExternal: secret.agreement != nil || secret.transport != nil,
      publicKey: secret.publicKey, certificate: certificate, file: file)
  }

  private mutating func add(_ added: Certificate) throws(KeyError) {
    guard added.publicKey == secret.publicKey else { throw KeyError(.certificateMismatch) }
    if let hash = try added.merchantIDHash() {
      guard certifiedHash == nil || certifiedHash == hash else { throw KeyError(.conflictingMerchantIDs) }
      certifiedHash = hash
    }
    // The certificate that expires last is kept, independent of the order.
    if let certificate, !MerchantKeyGroup.lasts(added, longerThan: certificate) { return }
    certificate = added
  }

  private mutating func add(_ added: String) throws(KeyError) {
    guard !added.isEmpty else { throw KeyError(.emptyMerchantID) }
    // Compared as bytes: canonically equivalent strings have different hashes.
    guard merchantID.map({ $0.utf8.elementsEqual(added.utf8) }) ?? true else { throw KeyError(.conflictingMerchantIDs) }
    merchantID = added
  }

  private func checkAgreement() throws(KeyError) {
    guard let certifiedHash, let merchantID else { return }
    guard certifiedHash == Digest.sha256(merchantID: merchantID) else { throw KeyError(.merchantIDMismatch) }
  }

  private static func lasts(_ left: Certificate, longerThan right: Certificate) -> Bool {
    guard left.notAfter == right.notAfter else { return left.notAfter > right.notAfter }
    return right.der.lexicographicallyPrecedes(left.der)
  }
}

extension Digest {
  /// The merchant-ID hash of a merchant ID: SHA-256 of its UTF-8.
  static func sha256(merchantID: String) -> Bytes32 { sha256(Array(merchantID.utf8)) }
}
