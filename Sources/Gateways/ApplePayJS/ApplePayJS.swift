import PaymentToken

extension Envelope {
  /// Apple Pay JS and PassKit: the payment with its token, or the token object alone.
  public static let applepayjs = Envelope(
    .applepayjs,
    routes: [
      Route(["token", "paymentData"], .object, fields: [Field(["token", "transactionIdentifier"], .transactionId)]),
      Route(["paymentData"], .object, fields: [Field(["transactionIdentifier"], .transactionId)]),
    ],
    marks: [Mark(["paymentId"], isPresent: false)])
}

extension Gateway {
  /// Apple Pay JS and PassKit: the token as the page or app sends it to the merchant's server.
  public static let applepayjs = Gateway(
    id: .applepayjs, title: "Apple Pay JS / PassKit", nameInText: "Apple Pay JS", envelope: .applepayjs,
    forms: [
      applepayjs("payment", isPayment: true), applepayjs("token", isPayment: false),
    ],
    namesAmount: false,
    order: ApplePayJSRequest.order, bodies: [], record: nil, meanings: [])

  private static func applepayjs(_ name: String, isPayment: Bool) -> Form {
    Form(name: name, isSigned: true) { token, details in
      ApplePayJSRequest.json(
        for: OrderFields(details), around: token, isPayment: isPayment, namesTransaction: details.namesTransaction)
    }
  }
}
