import Gateways
import PaymentToken
import Testing

@Suite struct EnvelopeTests {
  @Test func `each envelope is found by its name, and no two have one name`() {
    for envelope in Envelope.all { #expect(Envelope.named(envelope.name) == envelope) }
    #expect(Set(Envelope.all.map(\.name)).count == Envelope.all.count)
    #expect(Envelope.named("paypal") == nil)
  }
}
