import Minting

extension Mutation {
  static let crossedSigner = Mutation(
    "crossed-signer", .certificates,
    hunts:
      "the chain and the SignerInfo's name of another token, of the other version too: what is remembered of a known chain"
  ) { draft, random throws(MintingError) in
    let other = try draft.workshop.donor(using: &random)
    guard var tree = draft.cms, let theirs = other.cms, let bag = CMSPlaces.certificates(in: tree),
      let info = CMSPlaces.signerInfo(in: tree), let certificates = CMSPlaces.certificates(in: theirs),
      let signerInfo = CMSPlaces.signerInfo(in: theirs), let chain = theirs.node(at: certificates),
      let identifier = theirs.node(at: signerInfo + [1]), tree.node(at: info + [1]) != nil
    else { return false }
    tree.edit(path: bag) { $0 = chain }
    tree.edit(path: info + [1]) { $0 = identifier }
    draft.cms = tree
    // The key that is certified, which may be none of this version's.
    if other.version != draft.version, random.chance(2) { draft.otherSigner = draft.workshop.signer(other.version) }
    draft.touch(.certificates)
    draft.touch(.attributes)
    return true
  }
}
