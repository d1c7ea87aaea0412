extension Mutation {
  static let tokenSpace = Mutation(
    "token-space", .tokenText,
    hunts: "white space where it may stand, what looks like it, and octets before and behind the token"
  ) { draft, random in
    guard !draft.tokenText.isEmpty else { return false }
    draft.tokenText =
      random.chance(4)
      ? random.pick(JSONTextEdits.spaces) + draft.tokenText : JSONEdits.spaced(draft.tokenText, using: &random)
    draft.touch(.tokenText)
    return true
  }
}
