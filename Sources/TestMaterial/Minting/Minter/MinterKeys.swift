import MerchantKeys

extension Minter {
  /// The keys of all merchants, loaded by the same PEM reader as users' keys.
  ///
  /// - Throws: `KeyError`; never for minted keys, except when memory runs out.
  public func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    let files = merchants.flatMap { $0.files(\.sec1PEM) } + rsaMerchants.flatMap { $0.files(\.pkcs8PEM) }
    return try MerchantKeySet(files: files)
  }

  /// The keys of the merchants for EC_v1, and external ones for RSA_v1.
  package func merchantKeySet(externalRSA: [ExternalRSAKey]) throws(KeyError) -> MerchantKeySet {
    try MerchantKeySet(files: merchants.flatMap { $0.files(\.sec1PEM) }, externalRSAKeys: externalRSA)
  }
}

extension MintedMerchant {
  /// Every key in this encoding, and its certificate.
  fileprivate func files(_ pem: KeyPath<Key, String>) -> [KeyFile] {
    keys.enumerated().flatMap { index, key in
      [("key", key[keyPath: pem]), ("certificate", key.certificatePEM)].map { kind, text in
        KeyFile(name: "\(identifier) \(index + 1) \(kind)", bytes: Array(text.utf8))
      }
    }
  }
}
