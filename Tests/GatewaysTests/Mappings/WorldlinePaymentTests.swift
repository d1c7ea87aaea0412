import Gateways
import PaymentToken
import Testing

@Suite struct WorldlinePaymentTests {
  private func check(_ payment: SentPayment, _ order: OrderFields = OrderFields(), is document: String) throws {
    let mapped = try WorldlinePayment(payment.token, order)
    #expect(String(decoding: mapped.json.text(), as: UTF8.self) == document.oneLine)
  }

  /// The document of a payment; `rest` follows the expiry date, and `key` the hash of the merchant's key.
  private static func document(
    dpan: String = "4111111111111111", cryptogram: String = "WlpaWlpaWlpaWlpaWlpaWlpaWlo=", expiry: String = "1229",
    rest: String = #","eci":7"#, key: String = #","ephemeralKey":"\#(SentPayment.ephemeralKey)""#,
    amount: String = "1250", currency: String = "EUR"
  ) -> String {
    """
    {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"\(dpan)",
    "cryptogram":"\(cryptogram)","expiryDate":"\(expiry)"\(rest)},"paymentProductId":302,
    "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)"\(key)},
    "order":{"amountOfMoney":{"amount":\(amount),"currencyCode":"\(currency)"}}}
    """
  }

  private static let payments: [(String, SentPayment, String)] = [
    ("euros", SentPayment(), document()),
    (
      "yen have no decimals", SentPayment(expiry: "300131", currency: "392", amount: 1_234),
      document(expiry: "0130", amount: "1234", currency: "JPY")
    ),
    (
      "dinars have three", SentPayment(number: "520424775000149", currency: "414", amount: 1_234),
      document(dpan: "520424775000149", amount: "1234", currency: "KWD")
    ),
    (
      "without an eci there is no eci",
      SentPayment(name: "Ada Lovelace", data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: nil)),
      document(cryptogram: "AA==", rest: #","cardholderName":"Ada Lovelace""#)
    ),
    (
      "a name is carried as it is, an eci of two digits as a number",
      SentPayment(
        name: #"Zoë "Z" Ångström 山田\"#, data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: "05")),
      document(cryptogram: "AA==", rest: #","cardholderName":"Zoë \"Z\" Ångström 山田\\","eci":5"#)
    ),
    (
      "a long name is not cut", SentPayment(name: SentPayment.longName),
      document(rest: #","cardholderName":"\#(SentPayment.longName)","eci":7"#)
    ),
    (
      "nothing, and no name where it is empty", SentPayment(currency: "840", amount: 0, name: ""),
      document(amount: "0", currency: "USD")
    ),
    (
      "the smallest amount and the shortest account number",
      SentPayment(number: "012345678901", expiry: "000229", currency: "840", amount: 1),
      document(dpan: "012345678901", expiry: "0200", amount: "1", currency: "USD")
    ),
    (
      "the largest amount, and RSA_v1 without an ephemeral key",
      SentPayment(currency: "156", amount: 999_999_999_999, version: .rsaV1),
      document(key: "", amount: "999999999999", currency: "CNY")
    ),
  ]

  @Test(arguments: payments)
  func `each payment has its document`(_ name: String, _ payment: SentPayment, _ document: String) throws {
    try check(payment, is: document)
  }

  @Test func `contacts and reference are carried over`() throws {
    var order = OrderFields()
    order.capture = .purchase
    order.reference = "order-7"
    var contact = PaymentContact()
    (contact.givenName, contact.familyName) = ("Ada", "Lovelace")
    contact.addressLines = ["12 St James's Square", "2nd floor"]
    (contact.locality, contact.postalCode, contact.countryCode) = ("London", "SW1Y 4JH", "GB")
    order.billingContact = contact
    contact.givenName = "Zoë"
    (contact.emailAddress, contact.phoneNumber) = ("zoe@example.org", "+442079460000")
    (contact.addressLines, contact.locality, contact.administrativeArea) = (["1 Main Street"], "Austin", "TX")
    (contact.postalCode, contact.countryCode) = ("78701", "US")
    order.shippingContact = contact
    try check(
      SentPayment(), order,
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"1229","eci":7},"paymentProductId":302,
        "authorizationMode":"SALE","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":1250,
        "currencyCode":"EUR"},"customer":{"contactDetails":{"emailAddress":"zoe@example.org",
        "phoneNumber":"+442079460000"},"personalInformation":{"name":{"firstName":"Ada",
        "surname":"Lovelace"}},"billingAddress":{"street":"12 St James's Square",
        "additionalInfo":"2nd floor","city":"London","zip":"SW1Y 4JH","countryCode":"GB"},
        "shippingAddress":{"name":{"firstName":"Zoë","surname":"Lovelace"},"street":"1 Main Street",
        "city":"Austin","state":"TX","zip":"78701","countryCode":"US"}},"references":{
        "merchantReference":"order-7"}}}
        """)
  }

  @Test func `EMV data is refused`() {
    for version in [TokenVersion.ecV1, .rsaV1] {
      let payment = SentPayment(data: .emv(emvData: "AA==", encryptedPINData: nil), version: version)
      #expect(throws: MappingError.emvPayment) { try WorldlinePayment(payment.token) }
    }
  }

  @Test(arguments: [
    ("000", MappingError.unknownCurrency), ("191", .unknownCurrency), ("999", .currencyWithoutMinorUnit),
  ])
  func `currencies nobody can count in are refused`(_ currency: String, _ error: MappingError) {
    #expect(throws: error) { try WorldlinePayment(SentPayment(currency: currency).token) }
  }

  @Test func `descriptions say nothing of the card`() throws {
    let payment = try WorldlinePayment(SentPayment(name: "Ada").token)
    let secrets = ["4111", "Wlpa", "Ada", "29"]
    // The request itself contains all of them.
    let request = String(decoding: payment.json.text(), as: UTF8.self)
    #expect(secrets.filter(request.contains) == secrets)
    var dumped = ""
    dump(payment, to: &dumped)
    for text in ["\(payment)", String(reflecting: payment), dumped] {
      #expect(text.contains("1250 EUR"))
      #expect(secrets.filter(text.contains) == [])
    }
  }
}
