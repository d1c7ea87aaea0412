import Minting

extension Mutation {
  static let derStructure = Mutation(
    "der-structure", .signature, hunts: "values lost, doubled, swapped, moved or added anywhere in the CMS"
  ) { draft, random in
    guard var tree = draft.cms else { return false }
    let donor = tree
    for _ in 0..<random.pick([1, 1, 2]) {
      let other = donor.node(at: random.below(donor.nodeCount))
      let position = random.below(tree.nodeCount)
      tree.edit(at: position) { node in
        if node.children.isEmpty { node = other } else { ASN1Edits.changeContents(&node, other, using: &random) }
      }
    }
    draft.cms = tree
    draft.touch(.signature)
    return true
  }
}
