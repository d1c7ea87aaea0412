import Gateways
import PaymentToken
import Testing

@Suite struct MastercardPaymentTests {
  private func check(_ payment: SentPayment, _ order: OrderFields = OrderFields(), is document: String) throws {
    let mapped = try MastercardPayment(payment.token, order)
    #expect(String(decoding: mapped.json.text(), as: UTF8.self) == document.oneLine)
  }

  @Test func `euros`() throws {
    try check(
      SentPayment(),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"12.50","currency":"EUR",
        "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",
        "expiry":{"month":"12","year":"29"},"devicePayment":{"cryptogramFormat":"3DSECURE",
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},
        "transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `yen have no decimals`() throws {
    try check(
      SentPayment(expiry: "300131", currency: "392", amount: 1_234),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"1234","currency":"JPY","walletProvider":"APPLE_PAY"},
        "sourceOfFunds":{"provided":{"card":{"number":"4111111111111111","expiry":{"month":"01",
        "year":"30"},"devicePayment":{"cryptogramFormat":"3DSECURE",
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},
        "transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `dinars have three`() throws {
    try check(
      SentPayment(currency: "414", amount: 1_234),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"1.234","currency":"KWD",
        "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",
        "expiry":{"month":"12","year":"29"},"devicePayment":{"cryptogramFormat":"3DSECURE",
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},
        "transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `without an eci there is no eci`() throws {
    try check(
      SentPayment(name: "Ada Lovelace", data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: nil)),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"12.50","currency":"EUR",
        "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",
        "expiry":{"month":"12","year":"29"},"nameOnCard":"Ada Lovelace","devicePayment":{
        "cryptogramFormat":"3DSECURE","onlinePaymentCryptogram":"AA=="}}},"type":"CARD"},"transaction":{
        "source":"INTERNET"}}
        """)
  }

  @Test func `name and eci are carried as they are`() throws {
    try check(
      SentPayment(
        name: "Zoë \"Z\" Ångström\n山田\\",
        data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: "05")),
      is: #"""
        {"apiOperation":"AUTHORIZE","order":{"amount":"12.50","currency":"EUR",
        "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",
        "expiry":{"month":"12","year":"29"},"nameOnCard":"Zoë \"Z\" Ångström\u000a山田\\","devicePayment":{
        "cryptogramFormat":"3DSECURE","onlinePaymentCryptogram":"AA==","eciIndicator":"05"}}},
        "type":"CARD"},"transaction":{"source":"INTERNET"}}
        """#)
  }

  @Test func `a long name is not cut`() throws {
    try check(
      SentPayment(name: SentPayment.longName),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"12.50","currency":"EUR",
        "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",
        "expiry":{"month":"12","year":"29"},"nameOnCard":"\(SentPayment.longName)","devicePayment":{
        "cryptogramFormat":"3DSECURE","onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=",
        "eciIndicator":"7"}}},"type":"CARD"},"transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `nothing, and no name where it is empty`() throws {
    try check(
      SentPayment(currency: "840", amount: 0, name: ""),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"0.00","currency":"USD","walletProvider":"APPLE_PAY"},
        "sourceOfFunds":{"provided":{"card":{"number":"4111111111111111","expiry":{"month":"12",
        "year":"29"},"devicePayment":{"cryptogramFormat":"3DSECURE",
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},
        "transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `the smallest amount and the shortest account number`() throws {
    try check(
      SentPayment(number: "012345678901", expiry: "000229", currency: "840", amount: 1),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"0.01","currency":"USD","walletProvider":"APPLE_PAY"},
        "sourceOfFunds":{"provided":{"card":{"number":"012345678901","expiry":{"month":"02","year":"00"},
        "devicePayment":{"cryptogramFormat":"3DSECURE",
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},
        "transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `the largest amount, and a token of RSA_v1`() throws {
    try check(
      SentPayment(currency: "156", amount: 999_999_999_999, version: .rsaV1),
      is: """
        {"apiOperation":"AUTHORIZE","order":{"amount":"9999999999.99","currency":"CNY",
        "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",
        "expiry":{"month":"12","year":"29"},"devicePayment":{"cryptogramFormat":"3DSECURE",
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},
        "transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `reference, device and terminal are carried over`() throws {
    var order = OrderFields()
    order.capture = .purchase
    order.reference = "order-7"
    (order.telephoneNumber, order.phoneModel) = ("41001", "iPhone 17")
    order.terminalLocation = .onPremises
    try check(
      SentPayment(), order,
      is: """
        {"apiOperation":"PAY","order":{"amount":"12.50","currency":"EUR","reference":"order-7",
        "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"4111111111111111",
        "expiry":{"month":"12","year":"29"},"devicePayment":{"cryptogramFormat":"3DSECURE",
        "onlinePaymentCryptogram":"WlpaWlpaWlpaWlpaWlpaWlpaWlo=","eciIndicator":"7"}}},"type":"CARD"},
        "device":{"ani":"41001","mobilePhoneModel":"iPhone 17"},"posTerminal":{
        "location":"PAYER_TERMINAL_ON_PREMISES"},"transaction":{"source":"INTERNET"}}
        """)
  }

  @Test func `EMV data is refused`() {
    let payment = SentPayment(data: .emv(emvData: "AA==", encryptedPINData: nil))
    #expect(throws: MappingError.emvPayment) { try MastercardPayment(payment.token) }
  }

  @Test(arguments: [
    ("000", MappingError.unknownCurrency), ("975", .unknownCurrency), ("961", .currencyWithoutMinorUnit),
  ])
  func `currencies nobody can count in are refused`(_ currency: String, _ error: MappingError) {
    #expect(throws: error) { try MastercardPayment(SentPayment(currency: currency).token) }
  }
}
