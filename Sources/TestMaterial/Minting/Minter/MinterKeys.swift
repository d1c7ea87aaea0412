import MerchantKeys

extension Minter {
  /// All merchants' keys as engines take them, through the same PEM reader that users' keys pass.
  ///
  /// - Throws: what loading keys throws; minted ones give it no cause.
  public func merchantKeySet() throws(KeyError) -> MerchantKeySet {
    var files: [KeyFile] = []
    for merchant in merchants {
      for (index, key) in merchant.keys.enumerated() {
        let name = "\(merchant.identifier) \(index + 1)"
        files.append(KeyFile(name: "\(name) key", bytes: Array(key.sec1PEM.utf8)))
        files.append(KeyFile(name: "\(name) certificate", bytes: Array(key.certificatePEM.utf8)))
      }
    }
    for merchant in rsaMerchants {
      for (index, key) in merchant.keys.enumerated() {
        let name = "\(merchant.identifier) \(index + 1)"
        files.append(KeyFile(name: "\(name) key", bytes: Array(key.pkcs8PEM.utf8)))
        files.append(KeyFile(name: "\(name) certificate", bytes: Array(key.certificatePEM.utf8)))
      }
    }
    return try MerchantKeySet.load(files: files)
  }
}
