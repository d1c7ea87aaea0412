extension Gateway {
  static let bamboraBodies = [
    BodyDescription(
      "payment", "a purchase or a pre-authorisation", .outgoing,
      endpoint: BodyDescription.Endpoint(
        method: "POST", address: "https://api.na.bambora.com/v1/payments",
        headers: ["Content-Type: application/json", "Authorization: Passcode {merchantId:passcode in base64}"]),
      // A pre-authorisation, which takes no money yet, unless the order says otherwise.
      making: .enclosing { token, order in
        BamboraRequest.json(for: order, around: token, complete: order.capture == .purchase)
      },
      marks: [.has("apple_pay")], section: example,
      fields: [
        BodyField("amount", .required, .decimal, "transactionAmount in major units of the account's currency"),
        BodyField("payment_method", .required, .constant("apple_pay"), "Apple Pay"),
        BodyField("apple_pay", .required, .object, "the payment"),
        BodyField("apple_pay.apple_pay_merchant_id", .required, .nonEmptyText, "Apple's merchant identifier"),
        BodyField("apple_pay.payment_token", .required, .tokenBase64, "the token in base64"),
        BodyField(
          "apple_pay.complete", .optional, .boolean,
          "true for a purchase, as where absent; false for a pre-authorisation"),
        BodyField(
          "order_number", .optional, .nonEmptyText, "the merchant's order reference", section: "none",
          departure: "of the Payments API, not of this document"),
      ],
      rules: [oneForm]),
    BodyDescription(
      "app",
      "what the demo's app posts to the merchant's server, form-encoded or JSON; 200 means it went through",
      .incoming, marks: [.has("apple-wallet")], section: issue,
      fields: [
        BodyField("amount", .required, .decimalOrText, "transactionAmount in major units"),
        BodyField(
          "transaction-type", .required, .choice(BamboraCompletion.allCases.map(\.rawValue)),
          "purchase, or pre-authorisation"),
        BodyField("apple-wallet", .required, .object, "the payment"),
        BodyField("apple-wallet.payment-token", .required, .tokenBase64, "the token in base64"),
        BodyField("apple-wallet.apple-pay-merchant-id", .required, .nonEmptyText, "Apple's merchant identifier"),
      ]),
  ]

  /// A body is either the gateway's request or the app's.
  private static let oneForm = BodyDescription.absent(
    ["apple-wallet", "transaction-type"], "absent beside apple_pay", section: example)

  private static let example = "Example Request"
  private static let issue = "Issue Payment Token"
}
