import PaymentToken

extension Envelope {
  /// AlphaPay, `/payments/apple-pay/pay`.
  public static let alphapay = Envelope(
    .alphapay,
    routes: [
      Route(["token", "paymentData"], .object, fields: [Field(["token", "transactionIdentifier"], .transactionId)])
    ],
    marks: [Mark(["paymentId"], isPresent: true)])
}

extension Gateway {
  /// AlphaPay.
  public static let alphapay = Gateway(
    id: .alphapay, title: "AlphaPay", nameInText: "AlphaPay", envelope: .alphapay,
    forms: [
      Form(name: "pay", isSigned: true) { token, details in
        var request = AlphaPayRequest(details, around: token)
        if !details.namesTransaction { request.transactionIdentifier = nil }
        return request.json(around: token)
      }
    ],
    namesAmount: false, currencies: [AlphaPayPreOrder.currency],
    order: { request throws(RequestError) in
      let request = try AlphaPayRequest(reading: request)
      var order = OrderFields()
      order.paymentIdentifier = request.paymentId
      order.customerIdentifier = request.customerId
      order.paymentMethod = request.method.isEmpty ? nil : request.method
      return order
    }, bodies: alphapayBodies,
    record: { answer, body throws(RequestError) in
      body == "preorder-response"
        ? try AlphaPayPreOrderResponse(reading: answer).record : try AlphaPayPaymentResponse(reading: answer).record
    },
    meanings: AlphaPayResultStatus.allCases.map { ("resultStatus \($0.rawValue)", $0.advice) }
      + AlphaPayPaymentStatus.allCases.map { ("paymentStatus \($0.rawValue)", $0.advice) })
}
