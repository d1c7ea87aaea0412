import Minting
import PaymentToken

extension Mutation {
  static let expectations = Mutation(
    "expectations", .circumstances,
    hunts: "expected amounts, currencies and application data that are nearly met, or compared in part"
  ) { draft, random in
    var expected = Expectations()
    let payload = draft.payload.flatMap { JSONPiece($0) }
    if random.chance(2) {
      let data = draft.fields.applicationData ?? random.octets(32)
      expected.applicationData = Octets32(random.chance(2) ? data : OctetEdits.nearly(data, using: &random))
    }
    if random.chance(2) {
      let text = payload?.content(at: ["currencyCode"]).map { String(decoding: $0, as: UTF8.self) } ?? "978"
      let near = String(decoding: OctetEdits.nearly(Array(text.utf8), using: &random), as: UTF8.self)
      expected.currencyCode = random.pick([text, text, near, String(text.dropLast()), text + "0", "840"])
    }
    if random.chance(2) {
      var amount: Int64 = 1_250
      if case .scalar(let text)? = payload?["transactionAmount"] {
        amount = Int64(String(decoding: text, as: UTF8.self)) ?? amount
      }
      expected.transactionAmount = amount &+ random.pick([0, 0, 0, 1, -1, 1 << 32, 10])
    }
    draft.circumstances.policy.expectations = expected
    return true
  }
}
