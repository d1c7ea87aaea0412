import Minting

extension Mutation {
  static let signer = Mutation(
    "signer", .attributes,
    hunts:
      "signatures by a key that is not the leaf's: the attacker's, the intermediate's, the merchant's, the device's"
  ) { draft, random throws(MintingError) in
    let minter = draft.workshop.minter
    let keys: [SigningKey] =
      draft.version == .rsaV1
      ? [.rsa(minter.foreign.rsaLeafKey), .rsa(minter.rsaMerchants[0].keys[0].pair)]
      : [
        .ec(minter.foreign.leafKey), minter.pki.intermediateKey, .ec(minter.merchants[0].keys[0].pair),
        .ec(try draft.freshPair(using: &random)), minter.foreign.intermediateKey,
      ]
    draft.otherSigner = random.pick(keys)
    draft.touch(.attributes)
    return true
  }
}
