import Gateways
import HostIO
import PaymentToken
import TestSupport
import Testing

/// The readers of gateways' requests: what stands around the token.
@Suite struct RequestReaderTests {
  private func error(_ text: String, _ read: (Span<UInt8>) throws -> Void) -> RequestError? {
    do {
      try read(Array(text.utf8).span)
      return nil
    } catch { return error as? RequestError }
  }

  private func mastercard(_ text: String) -> RequestError? { error(text) { _ = try Gateway.mpgs.order($0) } }
  private func worldline(_ text: String) -> RequestError? { error(text) { _ = try Gateway.worldline.order($0) } }

  @Test func `readers read what builders write, a thousand times in any style`() throws {
    for seed in UInt64(0)..<1_000 {
      var random = SplitMix64(seed: seed)
      let (details, style) = (RequestDetails.random(using: &random), RequestStyle.random(using: &random))
      let token = EnclosedToken(RequestTests.token)
      let mark = Comment(rawValue: "seed \(seed)")

      func read(_ gateway: Gateway, _ request: JSONValue) throws -> OrderFields {
        try gateway.order(style.text(of: request, using: &random).span)
      }

      var apple = OrderFields()
      apple.paymentMethod = PaymentMethod()
      if details.namesTransaction {
        apple.billingContact = PaymentContact()
        apple.billingContact?.givenName = details.customer
        apple.billingContact?.addressLines = [details.customer, ""]
      }
      #expect(try read(.applepayjs, ApplePayJSRequest.json(for: apple, around: token)) == apple, mark)
      let alone = try read(.applepayjs, ApplePayJSRequest.json(for: apple, around: token, isPayment: false))
      #expect(alone.paymentMethod == apple.paymentMethod && alone.billingContact == nil, mark)

      var order = OrderFields()
      order.reference = details.identifier
      order.capture = details.namesTransaction ? .purchase : .authorization
      order.terms = RequestTerms(amount: .minorUnits(details.amount), currency: details.currency)
      let worldline = WorldlineRequest.json(for: order, around: token, isSigned: details.namesTransaction)
      #expect(try read(.worldline, worldline) == order, mark)

      var alphapay = OrderFields()
      (alphapay.paymentIdentifier, alphapay.customerIdentifier) = (details.identifier, details.customer)
      alphapay.paymentMethod = PaymentMethod(displayName: details.customer, network: nil, type: nil)
      #expect(try read(.alphapay, AlphaPayRequest.json(for: alphapay, around: token)) == alphapay, mark)
      var preOrder = OrderFields()
      (preOrder.reference, preOrder.merchantIdentifier) = (details.identifier, details.customer)
      preOrder.summary = details.customer
      preOrder.terms = RequestTerms(amount: .minorUnits(details.amount), currency: AlphaPayPreOrder.currency)
      let preOrderText = style.text(of: AlphaPayPreOrder.json(for: preOrder), using: &random)
      #expect(try AlphaPayPreOrder.order(reading: preOrderText.span) == preOrder, mark)

      order.telephoneNumber = details.customer
      order.terminalLocation = details.namesTransaction ? .onPremises : nil
      for operation in MastercardRequest.Operation.allCases {
        order.operation = operation
        order.capture = operation == .updateSession ? nil : operation == .pay ? .purchase : .authorization
        let again = try read(.mpgs, MastercardRequest.json(for: order, around: token))
        #expect(try again.terms.transactionAmount() == details.amount, mark)
        #expect(try again.terms.currencyCode() == details.currency.numericCode, mark)
        var sent = order
        sent.terms = again.terms
        #expect(again == sent, mark)
      }

      var bambora = OrderFields()
      (bambora.reference, bambora.merchantIdentifier) = (details.identifier, details.customer)
      bambora.terms = order.terms
      let complete = [true, false, nil][Int(seed % 3)]
      let again = try read(.bambora, BamboraRequest.json(for: bambora, around: token, complete: complete))
      #expect(try again.terms.transactionAmount(in: details.currency) == details.amount, mark)
      #expect(again.terms.currency == nil, mark)
      (bambora.terms, bambora.capture) = (again.terms, complete ?? true ? .purchase : .authorization)
      #expect(again == bambora, mark)
    }
  }

  @Test func `requests without an amount or a currency say so by an error of its own`() throws {
    for gateway in [Gateway.applepayjs, .alphapay] {
      let request = gateway.forms[0].request(around: RequestTests.token)
      #expect(throws: RequestError.noAmount) { try gateway.terms(of: request.span) }
    }
    let terms = try Gateway.bambora.terms(of: Gateway.bambora.forms[0].request(around: RequestTests.token).span)
    #expect(throws: RequestError.noCurrency) { try terms.currencyCode() }
    #expect(throws: RequestError.noCurrency) { try terms.transactionAmount() }
    let empty = try Gateway.mpgs.terms(of: Array("{}".utf8).span)
    #expect(throws: RequestError.noAmount) { try empty.transactionAmount() }
    #expect(throws: RequestError.noCurrency) { try empty.currencyCode() }
  }

  @Test func `an amount is exact, and takes no more decimals than its currency has`() throws {
    func amount(_ amount: String, _ currency: String) throws -> Int64 {
      let text = #"{"order":{"amount":\#(amount),"currency":"\#(currency)"}}"#
      return try Gateway.mpgs.terms(of: Array(text.utf8).span).transactionAmount()
    }
    #expect(try amount("\"12.50\"", "EUR") == 1_250)
    #expect(try amount("12.5", "EUR") == 1_250)
    #expect(try amount("\"9999999999.99\"", "USD") == 999_999_999_999)
    #expect(try amount("0.1", "KWD") == 100)
    #expect(try amount("100", "JPY") == 100)
    // The nearest double is 4.34999999999999964.
    #expect(try amount("4.35", "EUR") == 435)
    let (euro, yen) = (try #require(Currency.alphabetic("EUR")), try #require(Currency.alphabetic("JPY")))
    for (text, currency, reason) in [
      ("12.505", "EUR", AmountError.tooManyDecimals(in: euro)), ("100.0", "JPY", .tooManyDecimals(in: yen)),
      ("1e2", "EUR", .notDecimal), ("-1", "EUR", .notDecimal), ("\"\"", "EUR", .notDecimal),
      ("\" 1\"", "EUR", .notDecimal),
      ("\"01\"", "EUR", .notDecimal), ("\"1,00\"", "EUR", .notDecimal), ("10000000000.00", "EUR", .outOfRange),
    ] {
      #expect(throws: RequestError.invalidAmount(reason), "\(text)") { try amount(text, currency) }
    }
  }

  @Test func `minor units are digits alone`() {
    for (text, reason) in [
      ("1.0", AmountError.notMinorUnits), ("12.50", .notMinorUnits), ("-1", .notMinorUnits), ("1e2", .notMinorUnits),
      ("1000000000000", .outOfRange),
      ("99999999999999999999", .outOfRange),
    ] {
      #expect(worldline(#"{"order":{"amountOfMoney":{"amount":\#(text)}}}"#) == .invalidAmount(reason))
    }
    #expect(
      worldline(#"{"order":{"amountOfMoney":{"amount":"1250"}}}"#) == .wrongType(path: "order.amountOfMoney.amount"))
  }

  @Test func `a name that is read stands once, however it is written`() {
    #expect(mastercard(#"{"order":{"amount":1,"amount":1}}"#) == .repeatedName(path: "order.amount"))
    #expect(mastercard(#"{"order":{"amount":1,"\u0061mount":2}}"#) == .repeatedName(path: "order.amount"))
    #expect(mastercard(#"{"order":{},"order":{}}"#) == .repeatedName(path: "order"))
    #expect(mastercard(#"{"order":{"x":1,"x":2},"x":[],"x":[]}"#) == nil)
  }

  @Test func `other types, other values and other currencies than documented are refused`() {
    #expect(mastercard(#"{"order":null}"#) == .wrongType(path: "order"))
    #expect(mastercard(#"{"order":{"currency":null}}"#) == .wrongType(path: "order.currency"))
    #expect(mastercard(#"{"order":{"amount":{}}}"#) == .wrongType(path: "order.amount"))
    #expect(mastercard(#"{"order":{"currency":"eur"}}"#) == .unknownCurrency(path: "order.currency"))
    #expect(mastercard(#"{"order":{"currency":"978"}}"#) == .unknownCurrency(path: "order.currency"))
    #expect(mastercard(#"{"apiOperation":"REFUND"}"#) == .unknownValue(path: "apiOperation"))
    #expect(mastercard(#"{"apiOperation":"UPDATE SESSION"}"#) == .unknownValue(path: "apiOperation"))
    #expect(
      error(#"{"apple_pay":{"complete":"true"}}"#) { _ = try Gateway.bambora.order($0) }
        == .wrongType(path: "apple_pay.complete"))
    #expect(error(#"{"token":{}}"#) { _ = try Gateway.applepayjs.order($0) } == .missing(path: "token.paymentData"))
    #expect(error("{}") { _ = try Gateway.alphapay.order($0) } == .missing(path: "paymentId"))
  }

  @Test func `a token and card data beside it exclude each other`() {
    let card = "sourceOfFunds.provided.card."
    for (members, other) in [
      (#""number":"4111111111111111","devicePayment":{"paymentToken":"{}"}"#, "number"),
      (
        #""devicePayment":{"paymentToken":"{}","onlinePaymentCryptogram":"AA=="}"#,
        "devicePayment.onlinePaymentCryptogram"
      ),
    ] {
      #expect(
        mastercard(#"{"sourceOfFunds":{"provided":{"card":{\#(members)}}}}"#)
          == .contradiction(path: card + "devicePayment.paymentToken", other: card + other))
    }
    #expect(mastercard(#"{"sourceOfFunds":{"provided":{"card":{"number":"4"}}}}"#) == nil)
  }

  @Test func `what is not strict JSON, or too large, is malformed wherever the fault is`() {
    for text in ["", "[]", "{", "{} x", #"{"x":"\ud800"}"#, "{\"x\":\"\t\"}", "\u{FEFF}{}", #"{"x":01}"#] {
      #expect(mastercard(text) == .malformed, "\(text)")
    }
    #expect(mastercard("{}" + String(repeating: " ", count: Envelope.maximumRequestSize - 2)) == nil)
    #expect(mastercard("{}" + String(repeating: " ", count: Envelope.maximumRequestSize - 1)) == .malformed)
  }
}
