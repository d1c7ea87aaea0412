import Minting

extension Mutation {
  static let splice = Mutation(
    "splice", .members,
    hunts: "parts of one token under the signature of another: any member taken from a second sample"
  ) { draft, random throws(MintingError) in
    guard var token = draft.token, let other = try draft.workshop.donor(using: &random).token else { return false }
    for _ in 0..<random.pick([1, 1, 2, 3]) {
      let path = random.pick(TokenNames.paths)
      token[path[...]] = other[path[...]]
    }
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }
}
