import Gateways
import PaymentToken
import Testing

@Suite struct MastercardPaymentTests {
  private func check(_ payment: SentPayment, _ order: OrderFields = OrderFields(), is document: String) throws {
    let mapped = try MastercardPayment(payment.token, order)
    #expect(String(decoding: mapped.json.text(), as: UTF8.self) == document.oneLine)
  }

  /// The document of a payment; `name` comes before the payment data, and `rest` follows the cryptogram.
  private static func document(
    number: String = "4111111111111111", month: String = "12", year: String = "29", name: String = "",
    cryptogram: String = "WlpaWlpaWlpaWlpaWlpaWlpaWlo=", rest: String = #","eciIndicator":"7""#,
    amount: String = "12.50", currency: String = "EUR"
  ) -> String {
    """
    {"apiOperation":"AUTHORIZE","order":{"amount":"\(amount)","currency":"\(currency)",
    "walletProvider":"APPLE_PAY"},"sourceOfFunds":{"provided":{"card":{"number":"\(number)",
    "expiry":{"month":"\(month)","year":"\(year)"},\(name)"devicePayment":{"cryptogramFormat":"3DSECURE",
    "onlinePaymentCryptogram":"\(cryptogram)"\(rest)}}},"type":"CARD"},"transaction":{"source":"INTERNET"}}
    """
  }

  private static let payments: [(String, SentPayment, String)] = [
    ("euros", SentPayment(), document()),
    (
      "yen have no decimals", SentPayment(expiry: "300131", currency: "392", amount: 1_234),
      document(month: "01", year: "30", amount: "1234", currency: "JPY")
    ),
    (
      "dinars have three", SentPayment(currency: "414", amount: 1_234),
      document(amount: "1.234", currency: "KWD")
    ),
    (
      "without an eci there is no eci",
      SentPayment(name: "Ada Lovelace", data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: nil)),
      document(name: #""nameOnCard":"Ada Lovelace","#, cryptogram: "AA==", rest: "")
    ),
    (
      "name and eci are carried as they are",
      SentPayment(
        name: "Zoë \"Z\" Ångström\n山田\\",
        data: .threeDSecure(onlinePaymentCryptogram: "AA==", eciIndicator: "05")),
      document(
        name: #""nameOnCard":"Zoë \"Z\" Ångström\u000a山田\\","#, cryptogram: "AA==", rest: #","eciIndicator":"05""#)
    ),
    (
      "a long name is not cut", SentPayment(name: SentPayment.longName),
      document(name: #""nameOnCard":"\#(SentPayment.longName)","#)
    ),
    (
      "nothing, and no name where it is empty", SentPayment(currency: "840", amount: 0, name: ""),
      document(amount: "0.00", currency: "USD")
    ),
    (
      "the smallest amount and the shortest account number",
      SentPayment(number: "012345678901", expiry: "000229", currency: "840", amount: 1),
      document(number: "012345678901", month: "02", year: "00", amount: "0.01", currency: "USD")
    ),
    (
      "the largest amount, and a token of RSA_v1",
      SentPayment(currency: "156", amount: 999_999_999_999, version: .rsaV1),
      document(amount: "9999999999.99", currency: "CNY")
    ),
  ]

  @Test(arguments: payments)
  func `each payment has its document`(_ name: String, _ payment: SentPayment, _ document: String) throws {
    try check(payment, is: document)
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
