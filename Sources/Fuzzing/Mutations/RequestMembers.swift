extension Mutation {
  static let requestMembers = Mutation(
    "request-members", .request,
    hunts: "readers that find the token, or miss it, in another place: repeated names, lost members, other types"
  ) { draft, random in
    guard var tree = draft.requestTree, case .route? = draft.carriage else { return false }
    for _ in 0..<random.pick([1, 1, 2]) { JSONEdits.change(&tree, names: EnvelopeNames.all, using: &random) }
    draft.requestTree = tree
    draft.touch(.request)
    return true
  }
}
