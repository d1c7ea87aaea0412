import Minting

extension Mutation {
  /// In the payload, encrypted and signed again. Hunts payload readers that differ, behind all the cryptography.
  static let plaintext = Mutation(name: "plaintext") { sample, random throws(MintingError) in
    guard var layers = sample.layers else { return nil }
    layers.plaintext = OctetChange.apply(to: layers.plaintext, using: &random)
    try layers.encrypt()
    try layers.sign()
    return MutatedToken(token: layers.token, plaintext: layers.plaintext)
  }
}
