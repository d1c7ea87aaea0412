import Minting
import NamedCases

extension Mutation {
  static let namedCase = Mutation(
    "named-case", .requestText,
    hunts: "what the minter's named cases hunt, with other keys and in other company: the start of further mutations"
  ) { draft, random throws(MintingError) in
    let minter = draft.workshop.minter
    let made = try minter.make(random.pick(CaseRecipe.all))
    // Under other roots it would only be refused.
    guard made.anchors == minter.anchors.certificates else { return false }
    draft.request = made.token
    draft.circumstances.now = made.now
    draft.circumstances.policy = made.policy
    draft.circumstances.prelude = made.prelude
    draft.expected = made.expected
    switch made.expected {
    case .accept, .acceptUnsigned:
      for draft in Draft.all(of: draft.sample, in: draft.workshop) { draft.workshop.rememberSound(draft) }
    case .reject: break
    }
    return true
  }
}
