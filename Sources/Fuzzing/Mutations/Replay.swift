import Minting
import PaymentToken

extension Mutation {
  static let replay = Mutation(
    "replay", .circumstances,
    hunts: "transactions seen before: remembered too early, too late, by another key, or not at all; full stores"
  ) { draft, random throws(MintingError) in
    draft.circumstances.policy.freshness = .window(
      seconds: random.pick([300, 300, 300, 1, 0, 86_400]), replayCapacity: random.pick([0, 1, 1, 2, 4]))
    let other = try draft.workshop.donor(using: &random)
    switch random.below(8) {
    case 0: draft.circumstances.prelude = []
    case 1, 2: draft.circumstances.prelude = [draft.request]
    case 3: draft.circumstances.prelude = [other.request]
    case 4 where draft.has(.content): draft.circumstances.prelude = [try sibling(of: draft, using: &random)]
    // One that is refused must leave nothing behind.
    case 4: draft.circumstances.prelude = [OctetEdits.changed(draft.request, using: &random)]
    default: draft.circumstances.prelude = [other.request, draft.request].shuffled(using: &random)
    }
    return true
  }

  /// The same transaction with another content, or the same content as another transaction; both signed.
  private static func sibling(of draft: Draft, using random: inout QuickGenerator) throws(MintingError) -> [UInt8] {
    var draft = draft
    draft.isLeftStale = false
    if random.chance(2), let payload = draft.payload {
      draft.replacePayload(with: payload + [0x20])
    } else {
      draft.fields.transactionId = random.octets(32)
      draft.touch(.content)
    }
    try draft.settle(to: .circumstances, using: &random)
    return draft.request
  }
}
