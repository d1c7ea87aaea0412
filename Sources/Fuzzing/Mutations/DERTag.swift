import Minting

extension Mutation {
  static let derTag = Mutation(
    "der-tag", .signature, hunts: "tags not looked at, high tag numbers, primitive for constructed, other classes"
  ) { draft, random in
    guard var tree = draft.cms else { return false }
    let tag = random.pick(ASN1Edits.identifiers)
    let flip = random.pick([0x20, 0x40, 0x80, 0xC0, 0x01] as [UInt8])
    let replaces = random.chance(2)
    tree.edit(at: random.below(tree.nodeCount)) { node in
      node.identifier = replaces ? [tag] : node.identifier.map { $0 ^ flip }
    }
    draft.cms = tree
    draft.touch(.signature)
    return true
  }
}
