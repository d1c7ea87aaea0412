extension Gateway {
  static let mastercardBodies = [
    BodyDescription(
      "response", "the gateway's answer", .answer, marks: [.has("result", "authorizationResponse")],
      section: response,
      fields: [
        BodyField("result", .required, .nonEmptyText, "SUCCESS where the operation succeeded"),
        BodyField("response.gatewayCode", .required, .nonEmptyText, "the result of the payment"),
        BodyField("response.gatewayRecommendation", .optional, .nonEmptyText, "PROCEED, or what else to do"),
        BodyField("order.amount", .optional, .amount(currency: "order.currency"), "the order's amount"),
        BodyField("order.currency", .optional, .currency, "the order's currency"),
        BodyField("order.status", .optional, .nonEmptyText, "AUTHORIZED in the example"),
        BodyField(
          "order.reference", .optional, .nonEmptyText, "the merchant's order reference", section: "none",
          departure: "of the gateway's API, not of this document"),
        BodyField("order.totalAuthorizedAmount", .optional, .amount(currency: "order.currency"), "what was approved"),
        BodyField("order.walletProvider", .optional, .constant("APPLE_PAY"), "the wallet"),
        BodyField(card("encryption"), .optional, .constant("DEVICE"), "a device encrypted the card"),
        BodyField(card("deviceSpecificNumber"), .optional, .maskedNumber, "the DPAN, all but 6 and 4 digits masked"),
        BodyField(card("deviceSpecificExpiry.month"), .optional, .month, "the DPAN's expiry"),
        BodyField(card("deviceSpecificExpiry.year"), .optional, .year, "the DPAN's expiry"),
        BodyField(card("number"), .optional, .maskedNumber, "the FPAN, masked, usually but for the last 4 digits"),
        BodyField(card("expiry.month"), .optional, .month, "the FPAN's expiry"),
        BodyField(card("expiry.year"), .optional, .year, "the FPAN's expiry"),
        BodyField(device("cryptogramFormat"), .optional, .constant("3DSECURE"), "the cryptogram's format"),
      ] + others.map { BodyField($0, .optional, .anyText, "see the gateway's reference") }
        + [
          BodyField(
            "risk.response.gatewayCode", .optional, .nonEmptyText, "the risk service's verdict; ACCEPTED lets it pass",
            section: "none", departure: "of the gateway's API, not of this document"),
          BodyField(
            "risk.response.review.decision", .optional, .nonEmptyText, "the review of it, NOT_REQUIRED or ACCEPTED",
            section: "none", departure: "of the gateway's API, not of this document"),
          BodyField("order.chargeback.amount", .optional, .decimalOrText, "what was charged back"),
          BodyField("order.chargeback.currency", .optional, .currency, "its currency"),
          BodyField("order.merchantAmount", .optional, .decimalOrText, "in the merchant's currency"),
          BodyField("order.merchantCurrency", .optional, .currency, "the merchant's currency"),
          BodyField("order.totalCapturedAmount", .optional, .decimalOrText, "what was taken"),
          BodyField("order.totalDisbursedAmount", .optional, .decimalOrText, "what was paid out"),
          BodyField("order.totalRefundedAmount", .optional, .decimalOrText, "what was refunded"),
          BodyField("transaction.amount", .optional, .decimalOrText, "the transaction's amount"),
          BodyField("transaction.currency", .optional, .currency, "its currency"),
          BodyField("sourceOfFunds.type", .optional, .constant("CARD"), "a card"),
          BodyField("transaction.source", .optional, .constant("INTERNET"), "the payer pays online"),
          BodyField("transaction.acquirer.batch", .optional, .digitsOrNumber(1...19), "the acquirer's batch"),
          BodyField("order.creationTime", .optional, .dateTime, "when the order was made"),
          BodyField("order.lastUpdatedTime", .optional, .dateTime, "when it changed"),
          BodyField("timeOfLastUpdate", .optional, .dateTime, "when the transaction changed"),
          BodyField("timeOfRecord", .optional, .dateTime, "when it was recorded"),
        ]),
    encrypted(
      "authorize", "AUTHORIZE or PAY", transaction, [operation], marks: [.has("apiOperation")], rules: [onlyOne]),
    encrypted("update-session", "UPDATE SESSION", session, [], marks: [], rules: [onlyOne, noOperation]),
    decrypted("authorize-decrypted", "AUTHORIZE or PAY", transaction, [operation], marks: [.has("apiOperation")]),
    decrypted("update-session-decrypted", "UPDATE SESSION", session, [], marks: [], rules: [noOperation]),
  ]

  private static func encrypted(
    _ name: String, _ operation: String, _ endpoint: BodyDescription.Endpoint, _ fields: [BodyField],
    marks: [BodyDescription.Mark], rules: [BodyDescription.Rule]
  ) -> BodyDescription {
    BodyDescription(
      name, "\(operation), where the gateway decrypts", .outgoing, endpoint: endpoint,
      making: .enclosing { token, order in MastercardRequest.json(for: requested(name, order), around: token) },
      marks: [.has(device("paymentToken"))] + marks, section: support,
      fields: fields + common + [
        BodyField(device("paymentToken"), .required, .tokenText, "the token, PKPaymentToken.paymentData"),
        BodyField("sourceOfFunds.type", .optional, .constant("CARD"), "a card", section: example),
        BodyField("transaction.source", .optional, .constant("INTERNET"), "the payer pays online", section: example),
      ],
      rules: rules)
  }

  private static func decrypted(
    _ name: String, _ operation: String, _ endpoint: BodyDescription.Endpoint, _ fields: [BodyField],
    marks: [BodyDescription.Mark], rules: [BodyDescription.Rule] = []
  ) -> BodyDescription {
    BodyDescription(
      name, "\(operation), where the merchant decrypts", .outgoing, endpoint: endpoint,
      making: .decrypted { token, order, choice throws(MappingError) in
        try MastercardPayment(token, requested(name, order), preferring: choice).json
      },
      marks: [.has(device("onlinePaymentCryptogram"))] + marks, section: decrypting,
      fields: fields + common + [
        BodyField("sourceOfFunds.type", .required, .constant("CARD"), "a card"),
        BodyField(card("number"), .required, .digits(12...19), "applicationPrimaryAccountNumber"),
        BodyField(card("expiry.month"), .required, .month, "applicationExpirationDate, MM"),
        BodyField(card("expiry.year"), .required, .year, "applicationExpirationDate, YY"),
        BodyField(card("nameOnCard"), .optional, .nonEmptyText, "cardholderName"),
        BodyField(device("cryptogramFormat"), .required, .constant("3DSECURE"), "paymentDataType"),
        BodyField(device("onlinePaymentCryptogram"), .required, .base64(1 ... .max), "onlinePaymentCryptogram"),
        BodyField(device("eciIndicator"), .optional, .digits(1...2), "eciIndicator"),
        BodyField("transaction.source", .required, .constant("INTERNET"), "the payer pays online"),
      ],
      rules: rules)
  }

  private static let transaction = endpoint("order/{orderId}/transaction/{transactionId}")
  private static let session = endpoint("session/{sessionId}")

  private static func endpoint(_ path: String) -> BodyDescription.Endpoint {
    BodyDescription.Endpoint(
      method: "PUT", address: "https://{gateway}/api/rest/version/{version}/merchant/{merchantId}/\(path)",
      headers: ["Content-Type: application/json", "Authorization: Basic {merchant.merchantId:password in base64}"])
  }

  /// The other members of the example, all of them texts.
  private static let others: [String] = [
    (
      "authorizationResponse.",
      [
        "commercialCard", "commercialCardIndicator", "date", "financialNetworkCode", "posData", "posEntryMode",
        "processingCode", "responseCode", "stan", "time", "transactionIdentifier", "transactionIntegrityClass",
      ]
    ),
    ("", ["device.ani", "gatewayEntryPoint", "merchant", "version"]),
    (
      "order.",
      ["authenticationStatus", "certainty", "id", "merchantCategoryCode"]
    ),
    ("response.", ["acquirerCode", "acquirerMessage"]),
    (card(""), ["brand", "fundingMethod", "scheme", "storedOnFile"]),
    ("transaction.acquirer.", ["date", "id", "merchantId", "transactionId"]),
    (
      "transaction.",
      ["authenticationStatus", "authorizationCode", "id", "receipt", "stan", "terminal", "type"]
    ),
  ].flatMap { holder, names in names.map { holder + $0 } }

  private static let support = "Adding support for Apple Pay to your integration"
  private static let decrypting = "Decrypting the payment token"
  private static let example = "AUTHORIZE request example for decryption in gateway"
  private static let response = "AUTHORIZE response example"

  private static func card(_ name: String) -> String { "sourceOfFunds.provided.card.\(name)" }
  private static func device(_ name: String) -> String { card("devicePayment.\(name)") }

  private static let operation = BodyField(
    "apiOperation", .required, .choice(["AUTHORIZE", "PAY"]), "the operation; UPDATE SESSION is named by its address",
    section: support)

  /// The name of the body selects UPDATE SESSION, whatever the order's operation.
  private static func requested(_ body: String, _ order: OrderFields) -> OrderFields {
    var order = order
    if body.hasPrefix("update-session") { order.operation = .updateSession }
    return order
  }

  /// An operation named by the address is not named in the body.
  private static let noOperation = BodyDescription.absent(
    ["apiOperation"], "absent: UPDATE SESSION is named by its address", section: support)

  private static let common = [
    BodyField(
      "responseControls.sensitiveData", .optional, .constant("UNMASK"), "asks for account numbers in full",
      section: example, departure: "answered where the call is authenticated by a certificate, not by a password"),
    BodyField(
      "device.mobilePhoneModel", .optional, .nonEmptyText, "the device that was used", section: decrypting),
    BodyField(
      "device.ani", .optional, .nonEmptyText, "the telephone number that the order came from",
      section: "AUTHORIZE request example for decryption in your server"),
    BodyField(
      "posTerminal.location", .optional, .choice(MastercardRequest.TerminalLocation.allCases.map(\.rawValue)),
      "where the device is; PAYER_TERMINAL_OFF_PREMISES where absent", section: decrypting),
    BodyField(
      "order.reference", .optional, .nonEmptyText, "the merchant's order reference", section: "none",
      departure: "of the gateway's API, not of this document"),
    BodyField(
      "order.amount", .required, .amount(currency: "order.currency"),
      "transactionAmount in major units, including shipping and everything else"),
    BodyField("order.currency", .required, .currency, "currencyCode, in letters"),
    BodyField("order.walletProvider", .required, .constant("APPLE_PAY"), "the wallet"),
  ]

  private static let onlyOne = BodyDescription.absent(
    [device("onlinePaymentCryptogram"), card("number")], "absent beside paymentToken", section: decrypting)
}
