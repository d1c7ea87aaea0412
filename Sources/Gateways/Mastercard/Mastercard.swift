import PaymentToken

extension Envelope {
  /// Mastercard Gateway (CommWeb): AUTHORIZE, PAY and UPDATE SESSION.
  public static let mpgs = Envelope(
    .mpgs,
    routes: [
      Route(
        ["sourceOfFunds", "provided", "card", "devicePayment", "paymentToken"], .text,
        fields: [Field(["order", "walletProvider"], .text("APPLE_PAY"))])
    ],
    marks: [])
}

extension Gateway {
  /// Mastercard Gateway.
  public static let mpgs = Gateway(
    id: .mpgs, title: "CommWeb / Mastercard Gateway", nameInText: "the Mastercard Gateway", envelope: .mpgs,
    forms: MastercardRequest.Operation.allCases.map { operation in
      Form(name: operation.rawValue, isSigned: true) { token, details in
        var order = OrderFields(details)
        order.operation = operation
        return MastercardRequest.json(for: order, around: token)
      }
    },
    namesAmount: true,
    order: MastercardRequest.order, bodies: mastercardBodies,
    record: { answer, _ throws(RequestError) in try MastercardResponse(reading: answer).record },
    meanings: MastercardResponse.Code.allCases.map {
      ("order.amount \($0.sandboxAmount)", "\($0.rawValue): \($0.advice)")
    })
}
