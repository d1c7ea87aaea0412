import Gateways
import PaymentToken
import TestSupport
import Testing

/// The differences between a request and its token.
@Suite struct DifferenceTests {
  private func order(_ amount: RequestTerms.Amount?, _ currency: String?) -> OrderFields {
    var order = OrderFields()
    order.terms = RequestTerms(amount: amount, currency: currency.flatMap { Currency.alphabetic($0) })
    return order
  }

  /// 12.50 EUR.
  private let payment = SentPayment()

  private typealias Case = (amount: RequestTerms.Amount?, currency: String?, differences: [OrderDifference])
  private static let cases: [Case] = [
    (.minorUnits(1_250), "EUR", []), (.decimal("12.50"), "EUR", []), (.decimal("12.5"), "EUR", []),
    (.decimal("12.50"), nil, []), (.decimal("12.51"), "EUR", [.amount]), (.decimal("1250"), "EUR", [.amount]),
    (.decimal("12.500"), "EUR", [.amount]), (.decimal("x"), "EUR", [.amount]),
    (.minorUnits(1_250), "USD", [.currency, .amount]), (nil, "USD", [.currency]), (nil, "EUR", []), (nil, nil, []),
  ]

  @Test(arguments: cases.indices)
  func `amount and currency are compared exactly`(_ index: Int) throws {
    let (amount, currency, differences) = Self.cases[index]
    let order = order(amount, currency)
    #expect(order.differences(from: payment.token.payment) == differences)
    // An amount that cannot be read has its own error, not the error of one that differs.
    let euro = try #require(Currency.alphabetic("EUR"))
    let error: MappingError? =
      switch amount {
      case .decimal("12.500"): .invalidAmount(.tooManyDecimals(in: euro))
      case .decimal("x"): .invalidAmount(.notDecimal)
      default: differences.contains(.currency) ? .currencyDiffers : differences.isEmpty ? nil : .amountDiffers
      }
    func thrown(_ make: () throws -> Void) -> MappingError? {
      do {
        try make()
        return nil
      } catch { return error as? MappingError }
    }
    #expect(thrown { _ = try WorldlinePayment(payment.token, order) } == error)
    #expect(thrown { _ = try MastercardPayment(payment.token, order) } == error)
    #expect(thrown { _ = try MastercardPayment(payment.token, order, preferring: .token) } == nil)
  }

  @Test func `the one that counts is written`() throws {
    func money(_ order: OrderFields, _ choice: OrderDifference.Choice) throws -> String {
      let body = String(
        decoding: try WorldlinePayment(payment.token, order, preferring: choice).json.text(), as: UTF8.self)
      return String(body.suffix(from: try #require(body.range(of: #""amountOfMoney":"#)).upperBound))
    }
    let other = order(.minorUnits(999), "USD")
    #expect(try money(other, .token) == #"{"amount":1250,"currencyCode":"EUR"}}}"#)
    #expect(try money(other, .request) == #"{"amount":999,"currencyCode":"USD"}}}"#)
    #expect(try money(order(.decimal("1.00"), nil), .request) == #"{"amount":100,"currencyCode":"EUR"}}}"#)
    #expect(try money(OrderFields(), .request) == #"{"amount":1250,"currencyCode":"EUR"}}}"#)
    // The token's amount, in EUR, does not replace an amount in USD that is missing or cannot be read.
    let dollar = try #require(Currency.alphabetic("USD"))
    for (amount, reason) in [
      (nil, nil), (RequestTerms.Amount.decimal("1.005"), AmountError.tooManyDecimals(in: dollar)),
      (.decimal("99999999999999999999"), .outOfRange), (.minorUnits(-1), .outOfRange),
    ] {
      #expect(throws: MappingError.requestWithoutAmount(reason)) { try money(order(amount, "USD"), .request) }
    }
    #expect(throws: MappingError.currencyWithoutMinorUnit) { try money(order(.decimal("1"), "XAU"), .request) }
  }

  @Test func `the documents' decrypted examples come out byte for byte`() throws {
    var mastercard = SentPayment(number: "5123450000000008", expiry: "390131", currency: "840", amount: 3_010)
    mastercard.data = .threeDSecure(onlinePaymentCryptogram: "IA/8pdiWftSsxpFT6wABoDABhgA=", eciIndicator: "20")
    var fields = OrderFields()
    fields.telephoneNumber = "12341234"
    #expect(
      String(decoding: try MastercardPayment(mastercard.token, fields).json.text(), as: UTF8.self)
        == DocumentExamples.authorizeDecrypted.oneLine)

    var worldline = SentPayment(number: "4761120010000492", expiry: "251231", currency: "978", amount: 3_000)
    worldline.name = "John Doe"
    worldline.data = .threeDSecure(onlinePaymentCryptogram: "jiSRYgf6G2rjYwAAC0GPAHQAAAA=", eciIndicator: "7")
    // The example has the ECI as a string, and lacks two members that the process flow requires.
    let expected = DocumentExamples.createPaymentDecrypted.oneLine
      .replacing(#""eci":"7""#, with: #""eci":7"#)
      .replacing(
        #""FINAL_AUTHORIZATION"}"#,
        with:
          #""FINAL_AUTHORIZATION","publicKeyHash":"\#(SentPayment.publicKeyHash)","ephemeralKey":"\#(SentPayment.ephemeralKey)"}"#
      )
    #expect(String(decoding: try WorldlinePayment(worldline.token).json.text(), as: UTF8.self) == expected)
  }

  @Test func `the request's own customer is kept as it came`() throws {
    let customer = #"{"locale":"en_GB", "contactDetails":{"emailAddress":"a\u0040b"}}"#
    let request =
      #"{"order":{"customer":\#(customer)},"mobilePaymentMethodSpecificInput":{"authorizationMode":"SALE"}}"#
    let order = try OrderFields(of: Array(request.utf8).span, in: .worldline)
    let body = String(decoding: try WorldlinePayment(payment.token, order).json.text(), as: UTF8.self)
    #expect(body.contains(#""customer":\#(customer)"#))
    #expect(throws: RequestError.wrongType(path: "order.customer")) {
      try OrderFields(of: Array(#"{"order":{"customer":"x"}}"#.utf8).span, in: .worldline)
    }
  }

  @Test(arguments: [
    (#"{"transaction":{"source":"MOTO"}}"#, "transaction.source"),
    (#"{"sourceOfFunds":{"type":"ACH"}}"#, "sourceOfFunds.type"),
    (#"{"transaction":{"source":"internet"}}"#, "transaction.source"),
  ])
  func `another source than the internet, or than a card, is refused and not rewritten`(_ text: String, _ path: String)
  {
    #expect(throws: RequestError.unknownValue(path: path)) { try OrderFields(of: Array(text.utf8).span, in: .mpgs) }
    #expect(throws: Never.self) {
      try OrderFields(
        of: Array(#"{"transaction":{"source":"INTERNET"},"sourceOfFunds":{"type":"CARD"}}"#.utf8).span, in: .mpgs)
    }
  }

  @Test(arguments: MastercardRequest.Operation.allCases)
  func `what was asked for is asked for again`(_ operation: MastercardRequest.Operation) throws {
    let name = operation == .updateSession ? nil : operation.rawValue
    let text = name.map { #"{"apiOperation":"\#($0)"}"# } ?? "{}"
    let order = try OrderFields(of: Array(text.utf8).span, in: .mpgs)
    let sent = try MastercardPayment(payment.token, order)
    #expect(sent.operation == operation)
    #expect(String(decoding: sent.json.text(), as: UTF8.self).contains("apiOperation") == (name != nil))
  }

  @Test(arguments: ["apple-wallet", "transaction-type"])
  func `a request has Bambora's members or its demo's, and not both`(_ name: String) throws {
    for value in ["{}", "null", #""purchase""#, #"{"apple-pay-merchant-id":"merchant.evil"}"#] {
      let text = #"{"apple_pay":{"complete":false,"apple_pay_merchant_id":"a"},"\#(name)":\#(value)}"#
      #expect(throws: RequestError.contradiction(path: "apple_pay", other: name)) {
        try OrderFields(of: Array(text.utf8).span, in: .bambora)
      }
    }
    func capture(_ text: String) throws -> OrderFields.Capture? {
      try OrderFields(of: Array(text.utf8).span, in: .bambora).capture
    }
    #expect(try capture(#"{"apple_pay":{"complete":false}}"#) == .authorization)
    #expect(try capture(#"{"apple-wallet":{},"transaction-type":"purchase"}"#) == .purchase)
    #expect(try capture(#"{"apple-wallet":{},"transaction-type":"pre-auth"}"#) == .authorization)
    #expect(try capture(#"{"apple-wallet":{}}"#) == nil)
  }

  @Test func `contacts are read as PassKit has them`() throws {
    func contact(_ text: String) throws -> PaymentContact? {
      try OrderFields(of: Array(#"{"token":{"paymentData":{}},"billingContact":\#(text)}"#.utf8).span, in: .applepayjs)
        .billingContact
    }
    var expected = PaymentContact()
    (expected.givenName, expected.familyName, expected.emailAddress) = ("Ada", "Lovelace", "ada@example.org")
    expected.addressLines = ["12 St James's Square", "2nd floor"]
    (expected.locality, expected.postalCode, expected.countryCode) = ("London", "SW1Y 4JH", "GB")
    let passKit = #"""
      {"name":{"givenName":"Ada","familyName":"Lovelace"},"emailAddress":"ada@example.org","postalAddress":{
      "street":"12 St James's Square\n2nd floor","city":"London","postalCode":"SW1Y 4JH","isoCountryCode":"GB",
      "country":"United Kingdom"}}
      """#
    #expect(try contact(passKit) == expected)
    #expect(try contact(#"{"givenName":"Ada","name":{"givenName":"Ada"}}"#)?.givenName == "Ada")
    #expect(try contact(#"{"givenName":"","name":{"givenName":"Ada"}}"#)?.givenName == "Ada")
    #expect(try contact("null") == nil)
    let path = "billingContact."
    #expect(throws: RequestError.contradiction(path: path + "givenName", other: path + "name.givenName")) {
      try contact(#"{"givenName":"Ada","name":{"givenName":"Eve"}}"#)
    }
  }
}
