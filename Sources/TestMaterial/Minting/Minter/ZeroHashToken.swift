extension Minter {
  /// A valid token for a key of the first merchant whose publicKeyHash begins with a zero byte, and the key as PKCS #8
  /// PEM. The key has no certificate. One key in 256 has such a hash.
  package func mintForHashBeginningWithZero() throws(MintingError) -> (layers: TokenLayers, pkcs8PEM: String) {
    var stream = generator.stream("merchant key of a hash that begins with zero")
    for _ in 0..<20_000 {
      let pair = try KeyPair(.p256, from: &stream)
      let hash = Hashing.sha256(pair.publicKeyInfo.encoded)
      guard hash[0] == 0 else { continue }
      var layers = try layers(TokenRecipe(index: stream.next()))
      layers.merchantKey = TestMerchant.Key(pair, certificate: [])
      layers.publicKeyHash = hash
      try layers.encrypt()
      try layers.sign()
      return (layers, layers.merchantKey.pkcs8PEM)
    }
    throw .recipe("no such key")
  }
}
