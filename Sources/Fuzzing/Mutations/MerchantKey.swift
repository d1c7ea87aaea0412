import Minting

extension Mutation {
  static let merchantKey = Mutation(
    "merchant-key", .content,
    hunts: "another merchant's key, hash or identifier; hashes compared in part; workspaces not reset between merchants"
  ) { draft, random throws(MintingError) in
    guard let hash = draft.fields.publicKeyHash else { return false }
    let minter = draft.workshop.minter
    switch random.below(5) {
    case 0:
      draft.fields.publicKeyHash = OctetEdits.nearly(hash, using: &random)
      draft.touch(.content)
    case 1:
      // The hash of another key, of either version, and nothing else.
      let hashes =
        minter.merchants.flatMap(\.keys).map(\.publicKeyHash) + minter.rsaMerchants.flatMap(\.keys).map(\.publicKeyHash)
      draft.fields.publicKeyHash = random.pick(hashes)
      draft.touch(.content)
    case 2 where draft.version == .ecV1:
      // Encrypted for a merchant of another identifier, under the right key.
      let merchant = random.pick(minter.merchants)
      let key = random.pick(minter.merchants.flatMap(\.keys))
      draft.fields.publicKeyHash = key.publicKeyHash
      try draft.take(
        try draft.freshPair(using: &random), for: key.pair.point, identifierHash: merchant.identifierHash)
    case _ where draft.version == .ecV1:
      let merchant = random.pick(minter.merchants)
      let key = random.pick(merchant.keys)
      draft.fields.publicKeyHash = key.publicKeyHash
      try draft.take(
        try draft.freshPair(using: &random), for: key.pair.point, identifierHash: merchant.identifierHash)
    default:
      let key = random.pick(minter.rsaMerchants.flatMap(\.keys))
      draft.fields.publicKeyHash = key.publicKeyHash
      try draft.take(KeyWrapping(random.octets(16), under: key, seed: random.octets(32)))
    }
    return true
  }
}
