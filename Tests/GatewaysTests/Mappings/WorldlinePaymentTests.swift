import Gateways
import PaymentToken
import Testing

@Suite struct WorldlinePaymentTests {
  private func check(_ payment: SentPayment, _ order: OrderFields = OrderFields(), is document: String) throws {
    let mapped = try WorldlinePayment(payment.token, order)
    #expect(String(decoding: mapped.json.text(), as: UTF8.self) == document.oneLine)
  }

  @Test func `euros`() throws {
    try check(
      SentPayment(),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"1229","eci":7},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":1250,
        "currencyCode":"EUR"}}}
        """)
  }

  @Test func `yen have no decimals`() throws {
    try check(
      SentPayment(expiry: "300131", currency: "392", amount: 1_234),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"0130","eci":7},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":1234,
        "currencyCode":"JPY"}}}
        """)
  }

  @Test func `dinars have three`() throws {
    try check(
      SentPayment(number: "520424775000149", currency: "414", amount: 1_234),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"520424775000149",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"1229","eci":7},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":1234,
        "currencyCode":"KWD"}}}
        """)
  }

  @Test func `without an eci there is no eci`() throws {
    try check(
      SentPayment(name: "Ada Lovelace", data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: nil)),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"AA==","expiryDate":"1229","cardholderName":"Ada Lovelace"},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":1250,
        "currencyCode":"EUR"}}}
        """)
  }

  @Test func `a name is carried as it is, an eci of two digits as a number`() throws {
    try check(
      SentPayment(
        name: #"Zoë "Z" Ångström 山田\"#, data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: "05")),
      is: #"""
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"AA==","expiryDate":"1229","cardholderName":"Zoë \"Z\" Ångström 山田\\","eci":5},
        "paymentProductId":302,"authorizationMode":"FINAL_AUTHORIZATION",
        "publicKeyHash":"\#(SentPayment.publicKeyHash)","ephemeralKey":"\#(SentPayment.ephemeralKey)"},
        "order":{"amountOfMoney":{"amount":1250,"currencyCode":"EUR"}}}
        """#)
  }

  @Test func `a long name is not cut`() throws {
    try check(
      SentPayment(name: SentPayment.longName),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"1229",
        "cardholderName":"\(SentPayment.longName)","eci":7},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":1250,
        "currencyCode":"EUR"}}}
        """)
  }

  @Test func `nothing, and no name where it is empty`() throws {
    try check(
      SentPayment(currency: "840", amount: 0, name: ""),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"1229","eci":7},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":0,
        "currencyCode":"USD"}}}
        """)
  }

  @Test func `the smallest amount and the shortest account number`() throws {
    try check(
      SentPayment(number: "012345678901", expiry: "000229", currency: "840", amount: 1),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"012345678901",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"0200","eci":7},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)",
        "ephemeralKey":"\(SentPayment.ephemeralKey)"},"order":{"amountOfMoney":{"amount":1,
        "currencyCode":"USD"}}}
        """)
  }

  @Test func `the largest amount, and RSA_v1 without an ephemeral key`() throws {
    try check(
      SentPayment(currency: "156", amount: 999_999_999_999, version: .rsaV1),
      is: """
        {"mobilePaymentMethodSpecificInput":{"decryptedPaymentData":{"dpan":"4111111111111111",
        "cryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","expiryDate":"1229","eci":7},"paymentProductId":302,
        "authorizationMode":"FINAL_AUTHORIZATION","publicKeyHash":"\(SentPayment.publicKeyHash)"},"order":{
        "amountOfMoney":{"amount":999999999999,"currencyCode":"CNY"}}}
        """)
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
