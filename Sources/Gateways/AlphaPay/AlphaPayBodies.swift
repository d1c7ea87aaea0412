import PaymentToken

extension Gateway {
  static let alphapayBodies = [
    BodyDescription(
      "pay", "the token, after the customer authorized it", .outgoing,
      endpoint: endpoint("pay"),
      making: .enclosing { token, order in AlphaPayRequest.json(for: order, around: token) },
      onlyCurrency: AlphaPayPreOrder.currency,
      marks: [.has("token")], section: submit,
      fields: [
        BodyField(
          "paymentId", .required, .nonEmptyText, "AlphaPay's order identifier, from its answer to the pre-order"),
        BodyField("customerId", .optional, .anyText, "the merchant's customer identifier"),
        BodyField("token", .required, .object, "the token object of Apple Pay"),
        BodyField("token.transactionIdentifier", .optional, .hexadecimal(32), "the token's transactionId"),
        BodyField("token.paymentMethod", .optional, .object, "the card as displayed"),
        BodyField("token.paymentMethod.displayName", .optional, .anyText, "Visa 1234"),
        BodyField("token.paymentMethod.network", .optional, .anyText, "Visa"),
        BodyField("token.paymentMethod.type", .optional, .anyText, "debit"),
        BodyField("token.paymentData", .required, .token, "the token"),
        BodyField("token.paymentData.version", .requiredInside, .constant("EC_v1"), "version"),
        BodyField("token.paymentData.data", .requiredInside, .base64(17 ... .max), "data"),
        BodyField("token.paymentData.signature", .requiredInside, .base64(1 ... .max), "signature"),
        BodyField("token.paymentData.header", .requiredInside, .object, "header"),
        BodyField("token.paymentData.header.publicKeyHash", .requiredInside, .base64(32...32), "header.publicKeyHash"),
        BodyField(
          "token.paymentData.header.ephemeralPublicKey", .requiredInside, .base64(91...91), "header.ephemeralPublicKey"),
        BodyField(
          "token.paymentData.header.transactionId", .optional, .hexadecimal(32), "header.transactionId",
          departure: "optional there; assay decrypt requires it, since Apple's signature covers it"),
      ],
      rules: [
        BodyDescription.same(
          "token.transactionIdentifier", as: "token.paymentData.header.transactionId", ignoringCase: true,
          section: submit)
      ]),
    BodyDescription(
      "pay-response", "the answer to the token, HTTP 200", .answer,
      // A failure without other members may answer either call. It is read as a payment's, which is more cautious.
      marks: [
        .has("result"), .lacks("applePayParams", "paymentCreateTime", "paymentExpireTime"),
        .lacks("order", "scenarioCode"),
      ], section: submit,
      fields: response + orderAmount + [
        BodyField(
          "paymentStatus", .optional, .choice(AlphaPayPaymentStatus.allCases.map(\.rawValue)),
          "the state of the payment"),
        BodyField("paymentTime", .optional, .dateTime, "when it was paid"),
        BodyField("transactionId", .optional, .anyText, "the channel's transaction identifier"),
        BodyField("result.resultStatus", .requiredInside, .choice(["S", "F"]), "the result of the payment"),
      ]),
    BodyDescription(
      "inquiry-response", "the answer to an inquiry for an order, HTTP 200", .answer,
      marks: [.has("result"), .has("order", "scenarioCode"), .lacks("applePayParams")], section: "Order Inquiry API",
      fields: response + orderAmount + [
        BodyField("scenarioCode", .optional, .anyText, "where the order is paid"),
        BodyField("paymentStatus", .optional, .nonEmptyText, "the state of the payment"),
        BodyField("paymentCreateTime", .optional, .dateTime, "when the order was made"),
        BodyField("paymentExpireTime", .optional, .dateTime, "until when it can be paid"),
        BodyField("paymentTime", .optional, .dateTime, "when it was paid"),
      ]),
    BodyDescription(
      "preorder-response", "the answer to the pre-order, HTTP 200", .answer,
      marks: [.has("result"), .has("applePayParams", "paymentCreateTime", "paymentExpireTime")], section: create,
      fields: response + orderAmount + [
        BodyField("paymentCreateTime", .optional, .dateTime, "when the order was made"),
        BodyField("paymentExpireTime", .optional, .dateTime, "until when it can be paid"),
        BodyField("applePayParams", .optional, .object, "parameters of the payment sheet"),
        BodyField("applePayParams.orderId", .optional, .nonEmptyText, "AlphaPay's order identifier"),
        BodyField("applePayParams.merchantIdentifier", .requiredInside, .nonEmptyText, "Apple's merchant identifier"),
        BodyField("applePayParams.countryCode", .requiredInside, .country, "the merchant's country"),
        BodyField("applePayParams.currencyCode", .requiredInside, .currency, "the order's currency"),
        BodyField("applePayParams.label", .requiredInside, .nonEmptyText, "the merchant's displayed name"),
        BodyField(
          "applePayParams.amount", .requiredInside, .amountText(currency: "applePayParams.currencyCode"),
          "the order's amount in major units"),
        BodyField("applePayParams.supportedNetworks", .requiredInside, .strings([]), "visa, masterCard, amex, …"),
        BodyField("applePayParams.merchantCapabilities", .requiredInside, .strings([]), "supports3DS, …"),
        BodyField("result.resultStatus", .requiredInside, .choice(["U", "F"]), "whether the order was made"),
      ],
      rules: [paramsOfAMadeOrder, oneOrder, noPayment]),
    BodyDescription(
      "preorder", "an order to be paid by Apple Pay", .outgoing, endpoint: endpoint("preOrder"),
      making: .order { order in AlphaPayPreOrder.json(for: order) }, marks: [.has("order")], section: create,
      fields: [
        BodyField("paymentRequestId", .required, .nonEmptyText, "the merchant's order reference"),
        BodyField("merchantIdentifier", .optional, .nonEmptyText, "Apple's merchant identifier"),
        BodyField("order", .required, .object, "the order"),
        BodyField("order.orderAmount", .requiredInside, .object, "its amount"),
        BodyField("order.orderAmount.value", .requiredInside, .minorUnitsText, "in minor units"),
        BodyField("order.orderAmount.currency", .requiredInside, .constant("CAD"), "the only currency"),
        BodyField(
          "order.description", .requiredInside, .text(0...AlphaPayPreOrder.descriptionLimit), "what is ordered"),
        BodyField(
          "order.notifyUrl", .optional, .address, "where AlphaPay reports the payment",
          departure: "any address there; only https here, since it reveals who has paid"),
      ]),
  ]

  private static let create = "Create Apple Pay Order"
  private static let submit = "Submit Apple Pay Token"

  private static func endpoint(_ name: String) -> BodyDescription.Endpoint {
    BodyDescription.Endpoint(
      method: "POST", address: "{BASE_URL}/api/v2.0/payments/apple-pay/\(name)",
      headers: ["Content-Type: application/json"])
  }

  /// The members that both responses have.
  private static let response = [
    BodyField("paymentRequestId", .optional, .anyText, "the merchant's order reference"),
    BodyField("paymentId", .optional, .anyText, "AlphaPay's order identifier"),
    BodyField("result", .required, .object, "the result of the call"),
    BodyField("result.resultCode", .optional, .anyText, "PAYMENT_IN_PROCESS, SUCCESS, …"),
    BodyField("result.resultMessage", .optional, .anyText, "why, for people"),
  ]

  /// Read wherever a response names it; only that to an inquiry is described with it.
  private static let orderAmount = [
    BodyField(
      "order.orderAmount.value", .optional, .minorUnitsText, "the order's amount in minor units",
      section: "Order Inquiry API"),
    BodyField("order.orderAmount.currency", .optional, .currency, "its currency, CAD", section: "Order Inquiry API"),
  ]

  /// AlphaPay identifies an order by one value.
  private static let oneOrder: BodyDescription.Rule = { body in
    guard let payment = body.value(at: "paymentId"), let order = body.value(at: "applePayParams.orderId"),
      payment != order
    else {
      return nil
    }
    return BodyProblem(
      path: "applePayParams.orderId", kind: .disagreement, expectation: "the same as paymentId", section: create)
  }

  /// An order has no payment before the token was sent.
  private static let noPayment = BodyDescription.absent(
    ["paymentStatus"], "absent before the token was sent", section: create)

  /// An order that was made needs parameters to be paid.
  private static let paramsOfAMadeOrder: BodyDescription.Rule = { body in
    guard body.value(at: "result.resultStatus") == .string("U"), body.value(at: "applePayParams") == nil else {
      return nil
    }
    return BodyProblem(
      path: "applePayParams", kind: .missing, expectation: "an object, where resultStatus is U", section: create)
  }
}
