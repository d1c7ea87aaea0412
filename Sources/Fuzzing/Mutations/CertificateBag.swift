import Minting

extension Mutation {
  static let certificateBag = Mutation(
    "certificate-bag", .certificates,
    hunts: "certificates added, dropped, doubled, reordered, of an attacker, of another token"
  ) { draft, random throws(MintingError) in
    guard var tree = draft.cms, let path = CMSPlaces.certificates(in: tree), var bag = tree.node(at: path) else {
      return false
    }
    let minter = draft.workshop.minter
    var list = bag.children
    func node(_ der: [UInt8]) -> ASN1Node { ASN1Node(ber: der) ?? .raw(der) }
    let others = [
      minter.pki.root, minter.pki.leaf, minter.pki.rsaLeaf, minter.pki.intermediate, minter.foreign.leaf,
      minter.foreign.rsaLeaf, minter.foreign.intermediate, minter.foreign.root, minter.merchants[0].keys[0].certificate,
    ].map(node)
    switch random.below(10) {
    case 0 where !list.isEmpty: list.remove(at: random.below(list.count))
    case 1 where !list.isEmpty: list.insert(random.pick(list), at: random.below(list.count + 1))
    case 2: list.shuffle(using: &random)
    case 3: list.insert(others[0], at: random.below(list.count + 1))
    case 4 where !list.isEmpty: list[random.below(list.count)] = random.pick(others)
    case 5: list = [others[4], others[6]] + (random.chance(2) ? [others[7]] : [])
    case 6: list = []
    case 7: list.append(random.pick(ASN1Edits.telling))
    case 8: list = list + list
    default: list.insert(random.pick(others), at: random.below(list.count + 1))
    }
    bag.children = list
    tree.edit(path: path) { $0 = bag }
    draft.cms = tree
    draft.touch(.certificates)
    // The attacker signs with a key of his own.
    if random.chance(3) {
      draft.otherSigner = draft.version == .ecV1 ? .ec(minter.foreign.leafKey) : .rsa(minter.foreign.rsaLeafKey)
      draft.touch(.attributes)
    }
    return true
  }
}
