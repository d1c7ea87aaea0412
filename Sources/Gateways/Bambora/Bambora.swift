import PaymentToken

extension Envelope {
  /// Bambora, `/v1/payments`, and the request of its demo app to the merchant's server.
  public static let bambora = Envelope(
    .bambora,
    routes: [
      Route(["apple_pay", "payment_token"], .base64, fields: [Field(["payment_method"], .text("apple_pay"))]),
      Route(["apple-wallet", "payment-token"], .base64),
    ],
    marks: [])
}

extension Gateway {
  /// Bambora.
  public static let bambora = Gateway(
    id: .bambora, title: "Bambora", nameInText: "Bambora", envelope: .bambora,
    forms: [
      Form(name: "purchase", isSigned: true) { token, details in
        BamboraRequest.json(for: OrderFields(details), around: token, complete: nil)
      },
      Form(name: "pre-authorisation", isSigned: true) { token, details in
        BamboraRequest.json(for: OrderFields(details), around: token, complete: false)
      },
      Form(name: "app to server", isSigned: true) { token, details in
        BamboraRequest.appJSON(for: OrderFields(details), around: token)
      },
    ],
    namesAmount: true, currencies: [Currency("CAD", "124", 2), Currency("USD", "840", 2)],
    order: BamboraRequest.order, bodies: bamboraBodies, record: nil,
    meanings: BamboraCompletion.allCases.map { ("apple_pay.complete \($0.complete)", $0.advice) } + [
      ("brands", "Visa, Mastercard, American Express. The token names none, and assay does not check it"),
      ("countries", "CA or US, where the merchant's account is. The token names none"),
      ("currencies", "CAD or USD, that of the merchant's account; the request names none"),
    ])
}
