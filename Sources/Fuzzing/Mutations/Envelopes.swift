import Gateways
import PaymentToken

extension Mutation {
  static let envelopes = Mutation(
    "envelopes", .requestText,
    hunts: "tokens in the requests of every gateway, in every style, read by the right name and by others"
  ) { draft, random in
    guard !draft.tokenText.isEmpty else { return false }
    let gateway = random.pick(Gateway.all)
    let form = random.pick(gateway.forms)
    let details = RequestDetails.random(using: &random)
    draft.request =
      random.chance(2)
      ? form.request(around: draft.tokenText, details)
      : form.request(around: draft.tokenText, details, in: .random(using: &random), using: &random)
    draft.circumstances.policy.envelope =
      switch random.below(8) {
      case 0: .named(random.pick(Envelope.all))
      case 1, 2, 3: .automatic
      default: .named(gateway.envelope)
      }
    draft.circumstances.policy.isUnsigned = !form.isSigned || random.chance(4)
    return true
  }
}
