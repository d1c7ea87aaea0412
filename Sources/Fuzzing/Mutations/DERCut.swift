extension Mutation {
  static let derCut = Mutation(
    "der-cut", .signature,
    hunts: "elements that end early, the last ones, with every length around them right: readers that look beyond"
  ) { draft, random in
    guard let tree = draft.cms else { return false }
    draft.cms = ASN1Edits.cut(tree, using: &random)
    draft.touch(.signature)
    return true
  }
}
