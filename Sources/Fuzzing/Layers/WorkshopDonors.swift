import Minting

/// Where parts of other tokens come from.
extension Workshop {
  private static let donorCount = 24

  /// A sound token of some kind, or a sample that was kept.
  func donor(using random: inout QuickGenerator) throws(MintingError) -> Draft {
    if let sample = random.pick(from: kept), random.chance(2) { return Draft(sample, in: self) }
    let index = random.below(Self.donorCount)
    if let known = donors[index] { return known }
    let token = index % 4 == 3 ? try minter.mintRSA(index: UInt64(index)) : try minter.mint(index: UInt64(index))
    let draft = Draft(Sample(token.bytes, Circumstances(now: minter.time)), in: self)
    rememberSound(draft)
    donors[index] = draft
    return draft
  }

  /// Remembers a token that the minter signed itself.
  func rememberSound(_ draft: Draft) {
    guard let id = draft.fields.transactionId, let plaintext = draft.payload else { return }
    remember(
      version: draft.version, ephemeralPublicKey: draft.version == .ecV1 ? draft.fields.key : nil, transactionId: id,
      applicationData: draft.fields.applicationData, plaintext: plaintext)
  }
}
