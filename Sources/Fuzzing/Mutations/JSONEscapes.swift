extension Mutation {
  static let jsonEscapes = Mutation(
    "json-escapes", .members,
    hunts: "escapes in names and values: sound ones that must not matter, broken ones, surrogates"
  ) { draft, random in
    guard var token = draft.token else { return false }
    let position = random.below(token.count)
    let breaks = random.chance(3)
    token.edit(at: position) { piece in
      switch piece {
      case .object(var members):
        for index in members.indices where random.chance(2) {
          members[index].name = JSONTextEdits.escaped(members[index].name, oneIn: random.pick([1, 3]), using: &random)
        }
        piece = .object(members)
      case .scalar(let text):
        var changed = JSONTextEdits.escaped(text, oneIn: random.pick([1, 4, 40]), using: &random)
        if breaks, changed.count > 2 {
          changed.insert(
            contentsOf: random.pick(JSONTextEdits.insideStrings), at: 1 + random.below(changed.count - 1))
        }
        piece = .scalar(changed)
      case .array: break
      }
    }
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }
}
