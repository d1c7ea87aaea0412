import MerchantKeys

extension Minter {
  /// All merchants' keys as engines take them, through the same PEM reader that users' keys pass.
  ///
  /// - Throws: what loading keys throws; minted ones give it no cause.
  public func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    let files = merchants.flatMap { $0.files(\.sec1PEM) } + rsaMerchants.flatMap { $0.files(\.pkcs8PEM) }
    return try MerchantKeySet.load(files: files)
  }
}

extension MintedMerchant {
  /// Every key, in that form, and its certificate.
  fileprivate func files(_ pem: KeyPath<Key, String>) -> [KeyFile] {
    keys.enumerated().flatMap { index, key in
      [("key", key[keyPath: pem]), ("certificate", key.certificatePEM)].map { kind, text in
        KeyFile(name: "\(identifier) \(index + 1) \(kind)", bytes: Array(text.utf8))
      }
    }
  }
}
