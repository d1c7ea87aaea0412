extension Mutation {
  static let requestSpace = Mutation(
    "request-space", .requestText, hunts: "white space and sizes of requests, octets before and behind them"
  ) { draft, random in
    guard !draft.request.isEmpty else { return false }
    switch random.below(6) {
    case 0:
      let missing = random.near(random.pick([65_536, 262_144, 262_144])) - draft.request.count
      guard missing > 0 else { return false }
      let filler = [UInt8](repeating: 0x20, count: missing)
      draft.request = random.chance(2) ? draft.request + filler : filler + draft.request
    case 1: draft.request = random.pick(JSONTextEdits.spaces) + draft.request
    case 2: draft.request += random.pick(JSONTextEdits.spaces + [[0x7D], [0x30], [0x2C]])
    default: draft.request = JSONEdits.spaced(draft.request, using: &random)
    }
    return true
  }
}
