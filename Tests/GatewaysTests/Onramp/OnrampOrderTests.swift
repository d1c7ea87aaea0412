import Gateways
import Testing

@Suite struct OnrampOrderTests {
  @Test(arguments: [("sandbox-1", true), ("sandbox-", true), ("Sandbox-1", false), ("sandbox1", false), ("", false)])
  func `the prefix marks an order of the sandbox`(_ reference: String, _ isSandbox: Bool) {
    #expect(OnrampOrder.isSandbox(partnerUserRef: reference) == isSandbox)
  }

  @Test(arguments: ["+12345678901", "+12125550123", "+19999999999", "+12002000000"])
  func `telephone numbers of the United States`(_ text: String) {
    #expect(USPhoneNumber(text)?.text == text)
  }

  @Test(
    arguments: [
      "", "+1", "12345678901", "2345678901", "+1234567890", "+123456789012", "+11345678901", "+10345678901",
      "+12341678901", "+12340678901", "+442079460000", "+1 2345678901", "+1-234-567-8901", "+1(234)5678901",
      "+1234567890a", "＋12345678901", "+1٢345678901", "+12345678901 ", "001234567890",
      "+14165551234", "+18765551234", "+18005551234", "+19112345678", "+12349115678",
    ])
  func `what is none`(_ text: String) {
    #expect(USPhoneNumber(text) == nil)
  }
}
