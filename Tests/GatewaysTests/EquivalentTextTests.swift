import Gateways
import PaymentToken
import Testing

/// Swift compares strings by canonical equivalence: U+212A (KELVIN SIGN) equals K. To gateways they differ.
struct EquivalentTextTests {
  @Test func `a currency is its three letters and no others`() {
    #expect(Currency.alphabetic("SEK")?.numericCode == "752")
    #expect(Currency.alphabetic("SE\u{212A}") == nil)
  }

  @Test func `an error code is its letters and no others`() throws {
    func event(_ code: String) throws -> OnrampEvent {
      try OnrampEvent(
        reading: Array(#"{"eventName":"onramp_api.commit_error","data":{"errorCode":"\#(code)"}}"#.utf8).span)
    }
    #expect(try event("ERROR_CODE_GUEST_CARD_RISK_DECLINED").failure?.knownCode != nil)
    #expect(try event("ERROR_CODE_GUEST_CARD_RIS\u{212A}_DECLINED").failure?.knownCode == nil)
  }

  @Test func `a request's amount is asked for in no other currency than it names`() throws {
    let terms = RequestTerms(amount: .decimal("12"), currency: Currency.alphabetic("JPY"))
    #expect(try terms.transactionAmount() == 12)
    #expect(try terms.transactionAmount(in: Currency.alphabetic("JPY")) == 12)
    #expect(throws: RequestError.otherCurrency) { try terms.transactionAmount(in: Currency.alphabetic("EUR")) }
  }
}
