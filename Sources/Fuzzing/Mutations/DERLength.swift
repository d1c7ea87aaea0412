import Minting

extension Mutation {
  static let derLength = Mutation(
    "der-length", .signature, hunts: "lengths not minimal, indefinite where they must not be, too large, overflowing"
  ) { draft, random in
    guard var tree = draft.cms else { return false }
    for _ in 0..<random.pick([1, 1, 2]) {
      let length = random.pick(ASN1Edits.lengths)
      tree.edit(at: random.below(tree.nodeCount)) { $0.length = length }
    }
    draft.cms = tree
    draft.touch(.signature)
    return true
  }
}
