import Minting

extension Mutation {
  static let derContents = Mutation(
    "der-contents", .signature, hunts: "contents not canonical: INTEGER, OID, BOOLEAN, BIT STRING, NULL, times"
  ) { draft, random in
    guard var tree = draft.cms else { return false }
    let replaces = random.chance(2)
    tree.edit(at: random.below(tree.nodeCount)) { node in
      guard node.children.isEmpty, !replaces else {
        node = random.pick(ASN1Edits.telling)
        return
      }
      node.contents = ASN1Edits.contents(node.contents, using: &random)
    }
    draft.cms = tree
    draft.touch(.signature)
    return true
  }
}
