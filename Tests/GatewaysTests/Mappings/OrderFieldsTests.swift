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
    // Bambora's default is a purchase. A body of the Mastercard Gateway without an operation is an UPDATE SESSION. A
    // body of AlphaPay must name an order.
    if envelope == .bambora { expected.capture = .purchase }
    if envelope == .alphapay { expected.paymentIdentifier = "1" }
    if envelope == .mpgs { expected.operation = .updateSession }
    let request = [Envelope.applepayjs: #"{"paymentData":{}}"#, .alphapay: #"{"paymentId":"1"}"#][envelope] ?? "{}"
    #expect(try fields(request, envelope) == expected)
  }

  @Test func `contacts of Apple Pay JS`() throws {
    let fields = try fields(
      #"""
      {"token":{"paymentData":{}},"billingContact":{"givenName":"A\u0064a","familyName":"Lovelace",
      "addressLines":["12 St James's Square","2nd floor"],"locality":"London","administrativeArea":"",
      "postalCode":"SW1Y 4JH","country":"United Kingdom","countryCode":"GB"},
      "shippingContact":{"emailAddress":"ada@example.org","phoneNumber":""}}
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
      (#"{"apiOperation":"VERIFY"}"#, RequestError.unknownValue(path: "apiOperation")),
      (#"{"device":{"ani":41001}}"#, .wrongType(path: "device.ani")),
      (#"{"posTerminal":{"location":"MOON"}}"#, .unknownValue(path: "posTerminal.location")),
      (#"{"order":{"reference":["order"]}}"#, .wrongType(path: "order.reference")),
      (#"{"device":{},"device":{}}"#, .repeatedName(path: "device")), ("{", .malformed),
    ])
  func `a field that is not as documented is not dropped in silence`(_ text: String, _ error: RequestError) {
    #expect(throws: error) { try fields(text, .mpgs) }
  }
}
