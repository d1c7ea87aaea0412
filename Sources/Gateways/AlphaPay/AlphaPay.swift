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
        AlphaPayRequest.json(
          for: OrderFields(details), around: token, namesTransaction: details.namesTransaction)
      }
    ],
    namesAmount: false, currencies: [AlphaPayPreOrder.currency],
    order: AlphaPayRequest.order, bodies: alphapayBodies,
    record: { answer, body throws(RequestError) in
      body == "preorder-response"
        ? try AlphaPayPreOrderResponse(reading: answer).record : try AlphaPayPaymentResponse(reading: answer).record
    },
    meanings: AlphaPayResultStatus.allCases.map { ("resultStatus \($0.rawValue)", $0.advice) }
      + AlphaPayPaymentStatus.allCases.map { ("paymentStatus \($0.rawValue)", $0.advice) })
}
