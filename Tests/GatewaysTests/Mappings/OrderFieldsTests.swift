import Gateways
import PaymentToken
import Testing

@Suite struct OrderFieldsTests {
  private func fields(_ text: String, _ envelope: Envelope) throws -> OrderFields {
    try OrderFields(of: Array(text.utf8).span, in: envelope)
  }

  @Test(arguments: Envelope.all)
  func `a request that says nothing beside its token carries nothing`(_ envelope: Envelope) throws {
    var expected = OrderFields()
    // Bambora's default is a purchase.
    if envelope == .bambora { expected.capture = .purchase }
    #expect(try fields("{}", envelope) == expected)
    #expect(try fields(#"{"order":7,"device":null,"apple_pay":[]}"#, envelope) == expected)
  }

  @Test func `contacts of Apple Pay JS`() throws {
    let fields = try fields(
      #"""
      {"token":{"paymentData":{}},"billingContact":{"givenName":"A\u0064a","familyName":"Lovelace",
      "addressLines":["12 St James's Square","","2nd floor"],"locality":"London","administrativeArea":"",
      "postalCode":"SW1Y 4JH","country":"United Kingdom","countryCode":"GB"},
      "shippingContact":{"emailAddress":"ada@example.org","phoneNumber":null}}
      """#, .applepayjs)
    var billing = PaymentContact()
    (billing.givenName, billing.familyName) = ("Ada", "Lovelace")
    billing.addressLines = ["12 St James's Square", "2nd floor"]
    (billing.locality, billing.postalCode, billing.countryCode) = ("London", "SW1Y 4JH", "GB")
    var shipping = PaymentContact()
    shipping.emailAddress = "ada@example.org"
    #expect(fields.billingContact == billing)
    #expect(fields.shippingContact == shipping)
    #expect(fields.capture == nil)
  }

  @Test func `contacts under PassKit's names`() throws {
    let fields = try fields(
      #"""
      {"paymentData":{},"shippingContact":{"name":{"givenName":"Ada","familyName":"Lovelace"},
      "postalAddress":{"street":"1 Main Street\nSuite 4","city":"Austin","state":"TX","postalCode":"78701",
      "isoCountryCode":"US"}}}
      """#, .applepayjs)
    var shipping = PaymentContact()
    (shipping.givenName, shipping.familyName) = ("Ada", "Lovelace")
    shipping.addressLines = ["1 Main Street", "Suite 4"]
    (shipping.locality, shipping.administrativeArea) = ("Austin", "TX")
    (shipping.postalCode, shipping.countryCode) = ("78701", "US")
    #expect(fields.shippingContact == shipping)
    #expect(fields.billingContact == nil)
  }

  @Test(arguments: [("FINAL_AUTHORIZATION", OrderFields.Capture.authorization), ("SALE", .purchase)])
  func `Worldline's reference and mode`(_ mode: String, _ capture: OrderFields.Capture) throws {
    let fields = try fields(
      """
      {"order":{"references":{"merchantReference":"order-7"}},
      "mobilePaymentMethodSpecificInput":{"authorizationMode":"\(mode)"}}
      """, .worldline)
    #expect(fields.reference == "order-7")
    #expect(fields.capture == capture)
  }

  @Test func `Mastercard Gateway's device and terminal`() throws {
    let fields = try fields(
      """
      {"apiOperation":"PAY","order":{"reference":"order-7"},"device":{"ani":"41001","mobilePhoneModel":"iPhone"},
      "posTerminal":{"location":"PAYER_TERMINAL_OFF_PREMISES"}}
      """, .mpgs)
    #expect(fields.capture == .purchase)
    #expect(fields.reference == "order-7")
    #expect(fields.telephoneNumber == "41001")
    #expect(fields.phoneModel == "iPhone")
    #expect(fields.terminalLocation == .offPremises)
  }

  @Test func `Bambora's complete says whether it is a purchase`() throws {
    #expect(try fields(#"{"apple_pay":{"complete":false}}"#, .bambora).capture == .authorization)
    #expect(try fields(#"{"apple_pay":{"complete":true}}"#, .bambora).capture == .purchase)
  }

  @Test(
    arguments: [
      (#"{"apiOperation":"VERIFY"}"#, "apiOperation"), (#"{"device":{"ani":41001}}"#, "device.ani"),
      (#"{"posTerminal":{"location":"MOON"}}"#, "posTerminal.location"),
      (#"{"order":{"reference":["order"]}}"#, "order.reference"),
    ])
  func `a field of another type is not dropped in silence`(_ text: String, _ path: String) {
    #expect(throws: MappingError.malformedField(path)) { try fields(text, .mpgs) }
  }

  @Test func `a contact of another type is refused`() {
    #expect(throws: MappingError.malformedField("billingContact")) {
      try fields(#"{"billingContact":"Ada"}"#, .applepayjs)
    }
    #expect(throws: MappingError.malformedField("billingContact.addressLines")) {
      try fields(#"{"billingContact":{"addressLines":[7]}}"#, .applepayjs)
    }
  }

  @Test(arguments: ["", "[", "{", "{\"a\":1,\"\\u0061\":2}", "{} x", "{\"a\":\"\u{1}\"}"])
  func `what is not strict JSON is refused`(_ text: String) {
    #expect(throws: MappingError.malformedRequest) { try fields(text, .mpgs) }
  }

  @Test func `no depth exhausts the stack`() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: MappingError.malformedRequest) { try fields(text, .mpgs) }
  }
}
