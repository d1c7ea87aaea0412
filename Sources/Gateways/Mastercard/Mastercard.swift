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
        MastercardRequest(operation, details).json(around: token)
      }
    },
    namesAmount: true,
    order: { request throws(RequestError) in
      let request = try MastercardRequest(reading: request)
      var order = OrderFields()
      order.operation = request.operation
      order.capture = request.operation == .updateSession ? nil : request.operation == .pay ? .purchase : .authorization
      order.reference = request.reference
      order.telephoneNumber = request.ani
      order.phoneModel = request.phoneModel
      order.terminalLocation = request.terminalLocation
      order.terms = request.terms
      return order
    }, bodies: mastercardBodies,
    record: { answer, _ throws(RequestError) in try MastercardResponse(reading: answer).record },
    meanings: MastercardResponse.Code.allCases.map {
      ("order.amount \($0.sandboxAmount)", "\($0.rawValue): \($0.advice)")
    })
}
