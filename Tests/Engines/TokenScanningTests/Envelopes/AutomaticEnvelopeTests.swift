import Gateways
import PaymentToken
import Testing
import TokenScanning

/// Rule 0.9: the envelope of a request if the policy names none.
@Suite struct AutomaticEnvelopeTests {
  private func envelope(_ request: String, _ selection: EnvelopeSelection = .automatic) -> Result<String, TokenFault> {
    Reading.of(Array(request.utf8), by: selection).map(\.envelope)
  }

  @Test func `each gateway's request is recognized by its structure`() {
    #expect(envelope("{\"token\":{\"paymentData\":{}}}") == .success("applepayjs"))
    #expect(envelope("{\"paymentData\":{}}") == .success("applepayjs"))
    #expect(envelope("{\"token\":{\"paymentData\":{}},\"paymentId\":null}") == .success("alphapay"))
    #expect(envelope("{\"mobilePaymentMethodSpecificInput\":{\"encryptedPaymentData\":1}}") == .success("worldline"))
    #expect(envelope("{\"mobilePaymentMethodSpecificInput\":{}}") == .success("apple"))
    #expect(envelope("{\"apple_pay\":{\"payment_token\":\"\"}}") == .success("bambora"))
    let card = "{\"sourceOfFunds\":{\"provided\":{\"card\":{\"devicePayment\":{\"paymentToken\":\"\"}}}}}"
    #expect(envelope(card) == .success("mpgs"))
    #expect(envelope("{\"version\":1,\"data\":1,\"signature\":1,\"header\":1}") == .success("apple"))
  }

  @Test func `a request that fits no envelope is read as a bare token`() {
    for request in [
      "{}", "", "x", "[]", "{\"paymentData\":{}", "{\"version\":1}", "{\"paymentId\":1,\"paymentData\":{}}",
      "{\"paymentData\":{},\"a\":\(String(repeating: "[", count: 32))\(String(repeating: "]", count: 32))}",
    ] {
      #expect(envelope(request) == .success("apple"), "\(request)")
    }
    #expect(envelope("{\"paymentData\":{}}", .automatic([])) == .success("apple"))
    #expect(envelope("{\"paymentData\":{}}", .automatic([.apple, .bambora])) == .success("apple"))
  }

  @Test func `a request that fits two envelopes is ambiguous`() {
    let ambiguous = Result<String, TokenFault>.failure(TokenFault(.ambiguousEnvelope))
    #expect(envelope("{\"version\":1,\"data\":1,\"signature\":1,\"header\":1,\"paymentData\":1}") == ambiguous)
    #expect(envelope("{\"paymentData\":{},\"apple_pay\":{\"payment_token\":1}}") == ambiguous)
    // Ambiguity is found before anything else is checked: values of the wrong type and repeated ones fit too.
    #expect(
      envelope("{\"paymentData\":1,\"paymentData\":1,\"apple_pay\":{\"payment_token\":1,\"payment_token\":1}}")
        == ambiguous)
    #expect(envelope("{\"paymentData\":{}}", .automatic([.applepayjs, .applepayjs])) == ambiguous)
  }

  @Test func `a request that fits one envelope is read only by that one`() {
    let refused = Result<String, TokenFault>.failure(malformed)
    #expect(envelope("{\"paymentData\":null}") == refused)
    #expect(envelope("{\"paymentData\":{},\"paymentData\":{}}") == refused)
    #expect(envelope("{\"token\":{\"paymentData\":{}},\"paymentData\":{}}") == refused)
    let mismatch = "{\"apple_pay\":{\"payment_token\":\"\"},\"payment_method\":\"card\"}"
    #expect(envelope(mismatch) == .failure(TokenFault(.envelopeFieldMismatch)))
  }

  @Test func `a repeated name on a path or mark leads to all of its values`() {
    let refused = Result<String, TokenFault>.failure(malformed)
    // The request fits by one of the values, and is then malformed because the name is repeated.
    #expect(envelope("{\"token\":1,\"token\":{\"paymentData\":{}}}") == refused)
    #expect(envelope("{\"token\":{\"paymentData\":{}},\"token\":1}") == refused)
    #expect(
      envelope(
        "{\"mobilePaymentMethodSpecificInput\":{\"a\":1},\"mobilePaymentMethodSpecificInput\":{\"encryptedPaymentData\":1}}"
      ) == refused)
    // A mark only has to be present, and may be repeated.
    #expect(envelope("{\"token\":{\"paymentData\":{}},\"paymentId\":1,\"paymentId\":2}") == .success("alphapay"))
    #expect(
      envelope("{\"version\":1,\"version\":1,\"data\":1,\"signature\":1,\"header\":1}") == .success("apple"))
  }

  @Test func `a token's names one level down do not make a token`() {
    #expect(
      envelope("{\"paymentData\":{\"version\":1,\"data\":1,\"signature\":1,\"header\":{\"paymentData\":1}}}")
        == .success("applepayjs"))
  }
}
