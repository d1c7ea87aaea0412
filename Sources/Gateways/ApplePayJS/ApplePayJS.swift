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
      applepayjs("payment", .payment), applepayjs("token", .token),
    ],
    namesAmount: false,
    order: { request throws(RequestError) in
      let request = try ApplePayJSRequest(reading: request)
      var order = OrderFields()
      order.billingContact = request.billingContact
      order.shippingContact = request.shippingContact
      order.paymentMethod = request.method.isEmpty ? nil : request.method
      return order
    }, bodies: [], record: nil, meanings: [])

  private static func applepayjs(_ name: String, _ form: ApplePayJSRequest.Form) -> Form {
    Form(name: name, isSigned: true) { token, details in
      var request = ApplePayJSRequest(form, around: token)
      if !details.namesTransaction { request.transactionIdentifier = nil }
      return request.json(around: token)
    }
  }
}
