import Minting
import PaymentToken

extension Mutation {
  static let replay = Mutation(
    "replay", .circumstances, hunts: "transactions seen before: remembered too early, too late, by another key, or not at all; full stores"
  ) { draft, random throws(MintingError) in
    draft.circumstances.policy.freshness = .window(
      seconds: random.pick([300, 300, 300, 1, 0, 86_400]), replayCapacity: random.pick([0, 1, 1, 2, 4]))
    let other = try draft.workshop.donor(using: &random)
    switch random.below(6) {
    case 0: draft.circumstances.prelude = []
    case 1, 2: draft.circumstances.prelude = [draft.request]
    case 3: draft.circumstances.prelude = [other.request]
    // One that is refused must leave nothing behind.
    case 4: draft.circumstances.prelude = [OctetEdits.changed(draft.request, using: &random)]
    default: draft.circumstances.prelude = [other.request, draft.request].shuffled(using: &random)
    }
    return true
  }
}
