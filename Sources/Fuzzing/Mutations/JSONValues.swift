extension Mutation {
  static let jsonValues = Mutation(
    "json-values", .members,
    hunts: "members of the wrong type, null, both versions' keys at once, the order of these checks"
  ) { draft, random in
    guard var token = draft.token else { return false }
    for _ in 0..<random.pick([1, 1, 2]) {
      let path = random.pick(TokenNames.paths)
      switch random.below(5) {
      case 0: token[path[...]] = nil
      case 1:
        // The other version's key beside the right one.
        token[["header", draft.version == .ecV1 ? "wrappedKey" : "ephemeralPublicKey"][...]] =
          random.chance(2) ? token[["header", draft.keyName][...]] : .scalar(random.pick(JSONTextEdits.values))
      case 2: token[path[...]] = JSONEdits.someValue(using: &random)
      case 3:
        token[path[...]] = .scalar(Array(random.pick(["null", "0", "true", "{}", "[]", "\"\"", "\"AAAA\""]).utf8))
      default:
        if case .scalar(let text)? = token[path[...]] {
          token[path[...]] = JSONEdits.changedScalar(text, using: &random)
        }
      }
    }
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }
}
