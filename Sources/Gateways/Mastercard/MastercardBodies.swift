import PaymentToken

extension Gateway {
  static let mastercardBodies = [
    BodyDescription(
      "authorize", "AUTHORIZE, PAY or UPDATE SESSION, where the gateway decrypts", .outgoing, endpoint: transaction,
      marks: [.has(device("paymentToken"))],
      fields: common("Adding support for Apple Pay to your integration") + [
        BodyField(
          device("paymentToken"), .required, .tokenText, "the token, PKPaymentToken.paymentData",
          section: "Adding support for Apple Pay to your integration"),
        BodyField(
          "sourceOfFunds.type", .optional, .constant("CARD"), "a card",
          section: "AUTHORIZE request example for decryption in gateway"),
        BodyField(
          "transaction.source", .optional, .constant("INTERNET"), "the payer pays online",
          section: "AUTHORIZE request example for decryption in gateway"),
      ],
      rules: [onlyOne]),
    BodyDescription(
      "authorize-decrypted", "AUTHORIZE, PAY or UPDATE SESSION, where the merchant decrypts", .outgoing,
      endpoint: transaction,
      marks: [.has(device("onlinePaymentCryptogram"))],
      fields: common(decrypting) + [
        BodyField("sourceOfFunds.type", .required, .constant("CARD"), "a card", section: decrypting),
        BodyField(card("number"), .required, .digits(12...19), "applicationPrimaryAccountNumber", section: decrypting),
        BodyField(card("expiry.month"), .required, .month, "applicationExpirationDate, MM", section: decrypting),
        BodyField(card("expiry.year"), .required, .year, "applicationExpirationDate, YY", section: decrypting),
        BodyField(card("nameOnCard"), .optional, .text(1 ... .max), "cardholderName", section: decrypting),
        BodyField(
          device("cryptogramFormat"), .required, .constant("3DSECURE"), "paymentDataType", section: decrypting),
        BodyField(
          device("onlinePaymentCryptogram"), .required, .base64(1 ... .max), "onlinePaymentCryptogram",
          section: decrypting),
        BodyField(device("eciIndicator"), .optional, .digits(1...2), "eciIndicator", section: decrypting),
        BodyField(
          "transaction.source", .required, .constant("INTERNET"), "the payer pays online", section: decrypting),
        BodyField(
          "device.mobilePhoneModel", .optional, .text(1 ... .max), "the device that was used", section: decrypting),
        BodyField(
          "device.ani", .optional, .text(1 ... .max), "where the order came from",
          section: "AUTHORIZE request example for decryption in your server"),
        BodyField(
          "posTerminal.location", .optional, .choice(MastercardRequest.TerminalLocation.allCases.map(\.rawValue)),
          "where the device is; PAYER_TERMINAL_OFF_PREMISES where absent", section: decrypting),
        BodyField(
          "responseControls.sensitiveData", .optional, .constant("UNMASK"),
          "asks for account numbers in full, by certificate authentication alone", section: response),
      ]),
    BodyDescription(
      "response", "the gateway's answer", .answer, marks: [.has("result")],
      fields: [
        BodyField("result", .required, .text(1 ... .max), "SUCCESS where the operation succeeded", section: response),
        BodyField(
          "response.gatewayCode", .required, .text(1 ... .max), "what became of the payment", section: response),
        BodyField(
          "response.gatewayRecommendation", .optional, .text(1 ... .max), "PROCEED, or what else to do",
          section: response),
        BodyField("order.amount", .optional, .decimalOrText, "the order's amount", section: response),
        BodyField("order.currency", .optional, .currency, "the order's currency", section: response),
        BodyField("order.status", .optional, .text(1 ... .max), "AUTHORIZED, CAPTURED, …", section: response),
        BodyField("order.totalAuthorizedAmount", .optional, .decimalOrText, "what was approved", section: response),
        BodyField("order.walletProvider", .optional, .constant("APPLE_PAY"), "the wallet", section: response),
        BodyField(card("encryption"), .optional, .constant("DEVICE"), "a device encrypted the card", section: response),
        BodyField(
          card("deviceSpecificNumber"), .optional, .maskedNumber, "the DPAN, all but 6 and 4 digits masked",
          section: response),
        BodyField(card("deviceSpecificExpiry.month"), .optional, .month, "the DPAN's expiry", section: response),
        BodyField(card("deviceSpecificExpiry.year"), .optional, .year, "the DPAN's expiry", section: response),
        BodyField(
          card("number"), .optional, .maskedNumber, "the FPAN, masked but for 4 digits at most", section: response),
        BodyField(card("expiry.month"), .optional, .month, "the FPAN's expiry", section: response),
        BodyField(card("expiry.year"), .optional, .year, "the FPAN's expiry", section: response),
        BodyField(
          device("cryptogramFormat"), .optional, .constant("3DSECURE"), "the cryptogram's format", section: response),
      ]),
  ]

  private static let transaction = BodyDescription.Endpoint(
    method: "PUT",
    address:
      "https://{gateway}/api/rest/version/{version}/merchant/{merchantId}/order/{orderId}/transaction/{transactionId}",
    headers: ["Content-Type: application/json", "Authorization: Basic {merchant.merchantId:password in base64}"])
  private static let decrypting = "Decrypting the payment token"
  private static let response = "AUTHORIZE response example"

  private static func card(_ name: String) -> String { "sourceOfFunds.provided.card.\(name)" }
  private static func device(_ name: String) -> String { card("devicePayment.\(name)") }

  private static func common(_ section: String) -> [BodyField] {
    [
      BodyField(
        "apiOperation", .optional, .choice(["AUTHORIZE", "PAY"]),
        "what is asked for; UPDATE SESSION by its address instead",
        section: section),
      BodyField(
        "order.amount", .required, .amount(currency: "order.currency"),
        "transactionAmount in major units, shipping and all else included", section: section),
      BodyField("order.currency", .required, .currency, "currencyCode, in letters", section: section),
      BodyField("order.walletProvider", .required, .constant("APPLE_PAY"), "the wallet", section: section),
    ]
  }

  private static let onlyOne: BodyDescription.Rule = { body in
    guard let path = [device("onlinePaymentCryptogram"), card("number")].first(where: { body.value(at: $0) != nil })
    else {
      return nil
    }
    return BodyProblem(
      path: path, kind: .exclusion, expectation: "absent beside paymentToken", section: "Decrypting the payment token")
  }
}
