import Minting

extension Mutation {
  static let leadingZeros = Mutation(
    "leading-zeros", .content, hunts: "leading zeros dropped: in the shared secret, in coordinates, in identifiers"
  ) { draft, random throws(MintingError) in
    guard draft.version == .ecV1, let known = draft.workshop.merchantKey(draft.fields.publicKeyHash) else {
      return false
    }
    if random.chance(3) {
      draft.fields.transactionId = [UInt8](repeating: 0, count: 32).map { $0 }
        .enumerated().map { index, _ in index < 2 ? 0 : random.octet() }
      draft.touch(.content)
      return true
    }
    // One in 256 secrets begins so; one in 256 points as well.
    let wantsSecret = !random.chance(4)
    for _ in 0..<1_024 {
      let pair = try draft.freshPair(using: &random)
      let first = wantsSecret ? try pair.sharedSecret(with: known.key.pair.point)[0] : pair.point[1]
      guard first == 0 else { continue }
      try draft.take(pair, for: known.key.pair.point, identifierHash: known.identifierHash)
      return true
    }
    return false
  }
}
