import Gateways
import Minting
import PaymentToken

extension Mutation {
  static let policy = Mutation(
    "policy", .circumstances,
    hunts:
      "windows of every width, archived tokens, the unsigned policy where there is a signature, envelopes by name and shape"
  ) { draft, random in
    switch random.below(4) {
    case 0:
      draft.circumstances.policy.freshness = random.pick([
        .windowOff, .signingTime, .window(seconds: 0, replayCapacity: nil), .window(seconds: 300, replayCapacity: nil),
        .window(seconds: 299, replayCapacity: nil), .window(seconds: .max, replayCapacity: nil),
      ])
    case 1: draft.circumstances.policy.isUnsigned.toggle()
    case 2:
      draft.circumstances.policy.envelope = random.chance(3) ? .automatic : .named(random.pick(Envelope.all))
    default:
      // As the corpus has it: nothing asked for.
      draft.circumstances = Circumstances(
        now: draft.workshop.minter.time, envelope: draft.circumstances.policy.envelope)
    }
    return true
  }
}
