import Gateways
import PaymentToken
import TestSupport
import Testing

@Suite struct OutgoingBodyTests {
  private let token = EnclosedToken(Array(DocumentExamples.sample.token.utf8))

  private var order: OrderFields {
    var order = OrderFields()
    order.terms = RequestTerms(amount: .minorUnits(1_250), currency: .alphabetic("CAD"))
    (order.reference, order.summary, order.paymentIdentifier) = ("order-7", "Shoes", "P-1")
    (order.merchantIdentifier, order.returnAddress) = ("merchant.test.assay.one", "https://shop.example/back")
    return order
  }

  private func material(_ body: BodyDescription) -> BodyMaterial {
    if body.needsNoToken { return .nothing }
    return body.needsOpenedToken ? .opened(SentPayment(currency: "124").token, preferring: nil) : .token(token)
  }

  @Test(arguments: Gateway.all)
  func `every body that is made holds by its own description`(_ gateway: Gateway) throws {
    for body in gateway.outgoingBodies {
      var order = order
      if body.name.hasPrefix("update-session") { order.operation = .updateSession }
      let made = try #require(try gateway.body(of: material(body), order, as: body.name))
      #expect(made.problems.map(\.path) == [], "\(body.name)")
      #expect(made.body.name == body.name)
      #expect("\(made)" == "OutgoingBody(\(body.name), 0 problems)")
    }
    #expect(gateway.outgoingBodies.count == gateway.bodies.count { $0.direction == .outgoing })
  }

  @Test(arguments: [
    ("bambora", RequestTerms.Amount.decimal("1.234"), "JPY", ["amount"]),
    ("bambora", .decimal("1.005"), "CAD", ["amount"]),
    ("bambora", .decimal("1.00"), "CAD", []), ("bambora", .decimal("1.234"), "KWD", []),
    ("bambora", .decimal("5"), "XAU", ["amount"]), ("alphapay", .minorUnits(1_250), "EUR", ["currency"]),
    ("alphapay", .minorUnits(1_250), "USD", ["currency"]), ("alphapay", .minorUnits(1_250), "CAD", []),
  ])
  func `a currency without a member must still be one of the gateway, and have the amount's decimals`(
    _ gateway: String, _ amount: RequestTerms.Amount, _ currency: String, _ paths: [String]
  ) throws {
    var order = order
    order.terms = RequestTerms(amount: amount, currency: .alphabetic(currency))
    let made = try #require(try Gateway.named(gateway)?.body(of: .token(token), order))
    #expect(made.problems.map(\.path) == paths)
  }

  @Test(arguments: ["worldline", "mpgs", "bambora"])
  func `an amount that cannot be written is told with its reason, and nothing else is`(_ gateway: String) throws {
    let gateway = try #require(Gateway.named(gateway))
    let euro = try #require(Currency.alphabetic("EUR"))
    for (amount, currency, error) in [
      (RequestTerms.Amount.minorUnits(1_250), "XAU", AmountError.noExponent), (.decimal("1"), "XAU", .noExponent),
      (.decimal("99999999999999999999"), "EUR", .outOfRange), (.decimal("12,50"), "EUR", .notDecimal),
      (.decimal("12.505"), "EUR", .tooManyDecimals(in: euro)), (.minorUnits(-5), "EUR", .outOfRange),
    ] {
      var order = order
      order.terms = RequestTerms(amount: amount, currency: .alphabetic(currency))
      let problems = try #require(try gateway.body(of: .token(token), order)).problems
      #expect(Set(problems.map(\.expectation)) == ["an amount in \(currency): \(error.reason)"], "\(amount)")
    }
    // Minor units without a currency cannot be written, but the amount is not called missing.
    var order = order
    order.terms = RequestTerms(amount: .minorUnits(1_250), currency: nil)
    let nameless = try #require(try gateway.body(of: .token(token), order)).problems
    #expect(!nameless.contains { $0.kind == .missing && $0.path.hasSuffix("amount") })
  }

  @Test(
    arguments: [(nil, "authorize"), (.pay, "authorize"), (.updateSession, "update-session")]
      as [(
        MastercardRequest.Operation?, String
      )])
  func `the order says which of a gateway's requests it is`(_ operation: MastercardRequest.Operation?, _ name: String)
    throws
  {
    var order = order
    order.operation = operation
    #expect(try Gateway.mpgs.body(of: .token(token), order)?.body.name == name)
    #expect(
      try Gateway.mpgs.body(of: .opened(SentPayment(currency: "124").token, preferring: nil), order)?.body.name
        == name + "-decrypted")
  }

  @Test func `UPDATE SESSION is asked for by its body's name as well`() throws {
    let made = try #require(try Gateway.mpgs.body(of: .token(token), order, as: "update-session"))
    #expect(made.problems.isEmpty && !String(decoding: made.text, as: UTF8.self).contains("apiOperation"))
  }

  @Test func `what a request is made of is one line that prints`() throws {
    var order = order
    order.customer = Array("{\n\t\"a\u{7F}\u{9B}\u{202E} b\" :\r\"\\\"c \\\\\" }".utf8)
    let made = try #require(try Gateway.worldline.body(of: .token(token), order))
    let text = String(decoding: made.text, as: UTF8.self)
    #expect(made.problems.isEmpty)
    #expect(text.contains(#""customer":{"a\u007f\u009b\u202e b":"\"c \\"}"#))
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
  }

  @Test func `what the merchant says takes the place of the same in a gateway's own words`() {
    var (own, request) = (OrderFields(), OrderFields())
    (request.operation, request.capture, request.customer) = (.pay, .purchase, Array("{}".utf8))
    #expect(request.overlaid(by: own) == request)
    own.capture = .authorization
    own.shippingContact = PaymentContact()
    let order = request.overlaid(by: own)
    #expect(order.capture == .authorization && order.operation == nil && order.customer == nil)
  }

  @Test func `an order is settled with its token, or says why not`() throws {
    func resolved(
      _ amount: RequestTerms.Amount?, _ currency: String?, _ choice: OrderDifference.Choice?, signed: String = "978"
    ) -> Result<RequestTerms, MappingError> {
      var order = OrderFields()
      order.terms = RequestTerms(amount: amount, currency: currency.flatMap(Currency.alphabetic))
      return Result { () throws(MappingError) in
        try order.resolved(with: SentPayment(currency: signed).token.payment, preferring: choice).terms
      }
    }
    let own = RequestTerms(amount: .minorUnits(1_250), currency: .alphabetic("EUR"))
    #expect(resolved(nil, nil, nil) == .success(own))
    #expect(resolved(.decimal("12.5"), nil, nil) == .success(own))
    #expect(resolved(.minorUnits(1), "EUR", nil) == .failure(.amountDiffers))
    #expect(resolved(.minorUnits(1_250), "USD", nil) == .failure(.currencyDiffers))
    #expect(resolved(.minorUnits(1), "USD", .token) == .success(own))
    let request = RequestTerms(amount: .minorUnits(1), currency: .alphabetic("USD"))
    #expect(resolved(.minorUnits(1), "USD", .request) == .success(request))
    #expect(resolved(nil, "USD", .request) == .failure(.requestWithoutAmount(nil)))
    #expect(resolved(nil, "EUR", .request) == .success(own))
    let euros = RequestTerms(amount: .minorUnits(1), currency: .alphabetic("EUR"))
    #expect(resolved(.minorUnits(1), nil, .request) == .success(euros))
    #expect(resolved(nil, nil, nil, signed: "959") == .failure(.currencyWithoutMinorUnit))
    #expect(resolved(nil, nil, nil, signed: "191") == .failure(.unknownCurrency))
    // Amounts in a currency without a minor unit are not compared.
    #expect(resolved(.decimal("1"), "XAU", nil, signed: "959") == .failure(.currencyWithoutMinorUnit))
    #expect(resolved(.decimal("1"), "XAU", nil) == .failure(.currencyDiffers))
    #expect(resolved(.decimal("99999999999999999999"), "EUR", nil) == .failure(.invalidAmount(.outOfRange)))
  }

  @Test func `nothing is made of another material, and nothing that is too large holds`() throws {
    #expect(try Gateway.bambora.body(of: .nothing, order) == nil)
    #expect(try Gateway.bambora.body(of: .opened(SentPayment().token, preferring: .token), order) == nil)
    #expect(try Gateway.applepayjs.body(of: .token(token), order) == nil)
    let large = EnclosedToken([UInt8](repeating: UInt8(ascii: "1"), count: 300_000))
    let made = try #require(try Gateway.bambora.body(of: .token(large), order))
    #expect(made.problems.count == 1)
  }

  @Test(arguments: Gateway.all.flatMap { gateway in gateway.forms.map { (gateway, $0.name) } })
  func `a request gives back the token it was put around`(_ gateway: Gateway, _ form: String) throws {
    let request = try #require(gateway.forms.first { $0.name == form }).request(around: token.text)
    let found = try EnclosedToken.found(in: request.span, from: .automatic)
    #expect(found.envelope == gateway.name)
    guard gateway.name == Gateway.worldline.name else {
      #expect(found.token == token)
      return
    }
    // The token is put together from parts: it lacks the members that the request does not have.
    let members = Set(found.token.members.keys)
    #expect(members.isSuperset(of: [.version, .data, .header, .ephemeralPublicKey, .publicKeyHash]))
    #expect(members.contains(.signature) == form.hasSuffix("signed"))
    for member in members where member != .header { #expect(found.token.members[member] == token.members[member]) }
  }

  @Test func `what stage 0 refuses is refused`() {
    func code(_ text: String, _ envelope: EnvelopeSelection = .automatic) -> TokenFault.Code? {
      do {
        _ = try EnclosedToken.found(in: Array(text.utf8).span, from: envelope)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code("{}", .named(.bambora)) == .malformedEnvelope)
    #expect(code(#"{"apple_pay":{"payment_token":"!"}}"#) == .malformedEnvelope)
    #expect(code(#"{"payment_method":"card","apple_pay":{"payment_token":"e30="}}"#) == .envelopeFieldMismatch)
    #expect(code(#"{"apple_pay":{"payment_token":"e30="}}"#) == nil)
    // {},"a":{} and {"a":1,"a":1} and []: text after a token, a repeated name, and an array.
    for base64 in ["e30sImEiOnt9", "eyJhIjoxLCJhIjoxfQ==", "W10="] {
      #expect(code(#"{"apple_pay":{"payment_token":"\#(base64)"}}"#) == .malformedJSON)
    }
    #expect(code("no JSON") == .malformedJSON)
  }

  // MARK: Orders

  private func problems(_ text: String) throws -> [String] {
    do {
      _ = try OrderFields(readingOrder: Array(text.utf8).span)
      return []
    } catch {
      guard case .problems(let problems) = error else { return ["\(error)"] }
      return problems.map { "\($0.path) \($0.kind.rawValue)" }
    }
  }

  @Test func `an order is read as it was written`() throws {
    let text = """
      {"amount":1250,"currency":"CAD","reference":"r","summary":"s","paymentIdentifier":"p","customerIdentifier":"c",
      "merchantIdentifier":"m","capture":"purchase","billingContact":{"givenName":"Ada"},
      "shippingContact":{"postalAddress":{"city":"London"}},"telephoneNumber":"1","phoneModel":"iPhone",
      "terminalLocation":"PAYER_TERMINAL_ON_PREMISES","returnAddress":"https://a","notificationAddress":"https://b",
      "locale":"en_GB"}
      """
    let order = try OrderFields(readingOrder: Array(text.utf8).span)
    #expect(order.terms == RequestTerms(amount: .minorUnits(1_250), currency: .alphabetic("CAD")))
    #expect(
      [order.reference, order.summary, order.paymentIdentifier, order.customerIdentifier] == ["r", "s", "p", "c"])
    #expect(order.merchantIdentifier == "m" && order.capture == .purchase)
    #expect(order.billingContact?.givenName == "Ada" && order.shippingContact?.locality == "London")
    #expect([order.telephoneNumber, order.phoneModel, order.locale] == ["1", "iPhone", "en_GB"])
    #expect(order.terminalLocation == .onPremises)
    #expect([order.returnAddress, order.notificationAddress] == ["https://a", "https://b"])
    // Laid over an empty order, or under one, it stays as it is.
    #expect(OrderFields().overlaid(by: order) == order)
    #expect(order.overlaid(by: OrderFields()) == order)
  }

  @Test(arguments: [
    ("{}", []), (#"{"amount":1}"#, ["currency missing"]), (#"{"amount":"1","currency":"EUR"}"#, ["amount form"]),
    (#"{"amuont":1}"#, ["amuont exclusion"]),
    (#"{"reference":null,"capture":"sale"}"#, ["reference form", "capture form"]),
    ("[]", ["malformed"]), (#"{"locale":"en","locale":"en"}"#, ["malformed"]),
    (
      #"{"billingContact":{"givenName":1}}"#,
      [#"contact(Gateways.RequestError.wrongType(path: "billingContact.givenName"))"#]
    ),
  ])
  func `all that is wrong with an order is told`(_ text: String, _ expected: [String]) throws {
    #expect(try problems(text) == expected)
  }

  @Test func `two orders differ in what both say`() {
    func order(_ amount: RequestTerms.Amount?, _ currency: String?, _ merchant: String? = nil) -> OrderFields {
      var order = OrderFields()
      order.terms = RequestTerms(amount: amount, currency: currency.flatMap(Currency.alphabetic))
      order.merchantIdentifier = merchant
      return order
    }
    let known = order(.minorUnits(1_250), "EUR", "m")
    #expect(known.differences(from: OrderFields()) == [])
    #expect(known.differences(from: order(.decimal("12.5"), nil)) == [])
    #expect(known.differences(from: order(.decimal("12.51"), nil)) == [.amount])
    #expect(known.differences(from: order(.decimal("12.50"), "USD")) == [.currency, .amount])
    #expect(known.differences(from: order(.decimal("x"), nil, "n")) == [.amount, .merchant])
    #expect(order(.decimal("1"), nil).differences(from: order(.decimal("1"), nil)) == [])
    #expect(order(.decimal("1"), nil).differences(from: order(.decimal("2"), nil)) == [.amount])
    var (first, second) = (OrderFields(), OrderFields())
    (first.paymentIdentifier, second.paymentIdentifier) = ("P-1", "P-2")
    #expect(first.differences(from: second) == [.order] && first.differences(from: first) == [])
  }
}
