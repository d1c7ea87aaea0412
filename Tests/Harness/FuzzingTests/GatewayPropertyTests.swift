import FuzzTargets
import Fuzzing
import Gateways
import PaymentToken
import TestSupport
import Testing

@Suite struct GatewayPropertyTests {
  private static let order = """
    {"amount":1250,"currency":"EUR","reference":"r","summary":"s","paymentIdentifier":"p","merchantIdentifier":"m",
    "capture":"purchase","returnAddress":"https://a","billingContact":{"givenName":"Ada"}}
    """

  private static let log = ["load_pending", "load_success", "commit_success", "polling_start", "polling_success"]
    .map { #"{"eventName":"onramp_api.\#($0)"}"# }.joined(separator: "\n")

  @Test func `the readers of gateway data keep their properties on mutated inputs`() {
    let seed = UInt64.random(in: .min ... .max)
    let (count, seeds) = (
      Ring.isDeep ? 40_000 : 4_000,
      DocumentExamples.all.map(\.text) + [Self.order, Self.log, "amount=1.00&apple-wallet[payment-token]=e30"]
    )
    print("seed \(seed): \(count) texts")
    var random = QuickGenerator(seed: seed, stream: 0)
    var properties = GatewayProperties()
    for number in 0..<count {
      var text = Array(seeds[number % seeds.count].utf8)
      for _ in 0..<number / seeds.count % 4 {
        text = LayerMutations.mutated(text, for: .gateways, using: &random) ?? text
      }
      let violation = properties.violation(of: text)
      #expect(violation == nil, "\(String(decoding: text, as: UTF8.self))")
    }
    // Every reader accepts some inputs; otherwise its property is not tested.
    let readers =
      Gateway.all.map { "order of \($0.name)" }
      + [
        "received", "order", "pre-order", "event log", "response", "preorder-response", "pay-response",
        "inquiry-response",
      ]
      + ["create-payment", "authorize", "pay", "payment"].map { "made \($0)" } + [
        "sent on to worldline", "sent on to mpgs",
      ]
    for reader in readers { #expect(properties.taken[reader, default: 0] >= 10, "\(reader)") }
  }

  @Test func `a request that differs from its order is detected`() throws {
    let order = try OrderFields(readingOrder: Array(Self.order.utf8).span)
    #expect(GatewayProperties.contradiction(order, order) == nil)
    var (cheaper, other, held) = (order, order, order)
    cheaper.terms = RequestTerms(amount: .minorUnits(1), currency: order.terms.currency)
    other.reference = "s"
    held.capture = .authorization
    #expect(GatewayProperties.contradiction(order, cheaper) == "amount")
    #expect(GatewayProperties.contradiction(order, other) == "reference")
    #expect(GatewayProperties.contradiction(held, order) == "capture")
  }
}
