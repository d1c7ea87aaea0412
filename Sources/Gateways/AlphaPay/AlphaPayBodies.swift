import PaymentToken

extension Gateway {
  static let alphapayBodies = [
    BodyDescription(
      "pay", "the token, after the customer authorized it", .outgoing,
      endpoint: endpoint("pay"),
      making: .enclosing { token, order in AlphaPayRequest(order, around: token).json(around: token) },
      marks: [.has("token")],
      fields: [
        BodyField(
          "paymentId", .required, .text(1 ... .max), "AlphaPay's name for the order, from its answer to the pre-order",
          section: submit),
        BodyField("customerId", .optional, .text(0 ... .max), "the merchant's name for the customer", section: submit),
        BodyField("token", .required, .object, "the token object of Apple Pay", section: submit),
        BodyField(
          "token.transactionIdentifier", .optional, .hexadecimal(32), "the token's transactionId", section: submit),
        BodyField("token.paymentMethod", .optional, .object, "the card as it is shown", section: submit),
        BodyField("token.paymentMethod.displayName", .optional, .text(0 ... .max), "Visa 1234", section: submit),
        BodyField("token.paymentMethod.network", .optional, .text(0 ... .max), "Visa", section: submit),
        BodyField("token.paymentMethod.type", .optional, .text(0 ... .max), "debit", section: submit),
        BodyField("token.paymentData", .required, .token, "the token", section: submit),
        BodyField(
          "token.paymentData.version", .requiredInside, .constant("EC_v1"), "version", section: submit),
        BodyField("token.paymentData.data", .requiredInside, .base64(17 ... .max), "data", section: submit),
        BodyField("token.paymentData.signature", .requiredInside, .base64(1 ... .max), "signature", section: submit),
        BodyField("token.paymentData.header", .requiredInside, .object, "header", section: submit),
        BodyField(
          "token.paymentData.header.publicKeyHash", .requiredInside, .base64(32...32), "header.publicKeyHash",
          section: submit),
        BodyField(
          "token.paymentData.header.ephemeralPublicKey", .requiredInside, .base64(91...91), "header.ephemeralPublicKey",
          section: submit),
        BodyField(
          "token.paymentData.header.transactionId", .optional, .hexadecimal(32), "header.transactionId",
          section: submit,
          departure: "optional there; assay decrypt requires it, since Apple's signature covers it"),
      ]),
    BodyDescription(
      "pay-response", "the answer to the token, HTTP 200", .answer,
      marks: [.has("result"), .has("paymentStatus", "paymentTime", "transactionId")],
      fields: response(submit) + [
        BodyField(
          "paymentStatus", .optional, .choice(AlphaPayPaymentStatus.allCases.map(\.rawValue)),
          "how it stands with the payment",
          section: submit),
        BodyField("paymentTime", .optional, .dateTime, "when it was paid", section: submit),
        BodyField(
          "transactionId", .optional, .text(0 ... .max), "the channel's name for the transaction", section: submit),
        BodyField(
          "result.resultStatus", .requiredInside, .choice(["S", "F"]), "how the payment ended", section: submit),
      ]),
    BodyDescription(
      "preorder-response", "the answer to the pre-order, HTTP 200", .answer,
      marks: [.has("result"), .has("applePayParams", "paymentCreateTime", "paymentExpireTime")],
      fields: response(create) + [
        BodyField("paymentCreateTime", .optional, .dateTime, "when the order was made", section: create),
        BodyField("paymentExpireTime", .optional, .dateTime, "until when it can be paid", section: create),
        BodyField("applePayParams", .optional, .object, "what the app shows the payment sheet with", section: create),
        BodyField(
          "applePayParams.orderId", .optional, .text(1 ... .max), "AlphaPay's name for the order", section: create
        ),
        BodyField(
          "applePayParams.merchantIdentifier", .requiredInside, .text(1 ... .max), "Apple's name for the merchant",
          section: create),
        BodyField("applePayParams.countryCode", .requiredInside, .country, "the merchant's country", section: create),
        BodyField("applePayParams.currencyCode", .requiredInside, .currency, "the order's currency", section: create),
        BodyField(
          "applePayParams.label", .requiredInside, .text(1 ... .max), "the merchant's name as shown", section: create),
        BodyField(
          "applePayParams.amount", .requiredInside, .amountText(currency: "applePayParams.currencyCode"),
          "the order's amount in major units", section: create),
        BodyField(
          "applePayParams.supportedNetworks", .requiredInside, .strings([]), "visa, masterCard, amex, …",
          section: create),
        BodyField(
          "applePayParams.merchantCapabilities", .requiredInside, .strings([]), "supports3DS, …", section: create),
        BodyField(
          "result.resultStatus", .requiredInside, .choice(["U", "F"]), "whether the order was made", section: create),
      ],
      rules: [paramsOfAMadeOrder, oneOrder, noPayment]),
    BodyDescription(
      "preorder", "an order to be paid by Apple Pay", .outgoing, endpoint: endpoint("preOrder"),
      making: .order { order in AlphaPayPreOrder.json(for: order) }, marks: [.has("order")],
      fields: [
        BodyField(
          "paymentRequestId", .required, .text(1 ... .max), "the merchant's name for the order", section: create),
        BodyField("merchantIdentifier", .optional, .text(1 ... .max), "Apple's name for the merchant", section: create),
        BodyField("order", .required, .object, "the order", section: create),
        BodyField("order.orderAmount", .requiredInside, .object, "its amount", section: create),
        BodyField("order.orderAmount.value", .requiredInside, .minorUnitsText, "in minor units", section: create),
        BodyField(
          "order.orderAmount.currency", .requiredInside, .constant("CAD"), "the only currency", section: create),
        BodyField(
          "order.description", .requiredInside, .text(0...AlphaPayPreOrder.descriptionLimit), "what is ordered",
          section: create),
        BodyField(
          "order.notifyUrl", .optional, .address, "where AlphaPay reports the payment", section: create,
          departure: "any address there; here one of https, since it tells who has paid"),
      ]),
  ]

  private static let create = "Create Apple Pay Order"
  private static let submit = "Submit Apple Pay Token"

  private static func endpoint(_ name: String) -> BodyDescription.Endpoint {
    BodyDescription.Endpoint(
      method: "POST", address: "{BASE_URL}/api/v2.0/payments/apple-pay/\(name)",
      headers: ["Content-Type: application/json"])
  }

  private static func response(_ section: String) -> [BodyField] {
    [
      BodyField(
        "paymentRequestId", .optional, .text(0 ... .max), "the merchant's name for the order", section: section),
      BodyField("paymentId", .optional, .text(0 ... .max), "AlphaPay's name for the order", section: section),
      BodyField("result", .required, .object, "how the call ended", section: section),
      BodyField("result.resultCode", .optional, .text(0 ... .max), "PAYMENT_IN_PROCESS, SUCCESS, …", section: section),
      BodyField("result.resultMessage", .optional, .text(0 ... .max), "why, for people", section: section),
    ]
  }

  /// The order has one name at AlphaPay.
  private static let oneOrder: BodyDescription.Rule = { body in
    guard let payment = body.value(at: "paymentId"), let order = body.value(at: "applePayParams.orderId"),
      payment != order
    else {
      return nil
    }
    return BodyProblem(
      path: "applePayParams.orderId", kind: .disagreement, expectation: "the same as paymentId", section: create)
  }

  /// An order that nobody could pay yet has no payment.
  private static let noPayment: BodyDescription.Rule = { body in
    guard body.value(at: "paymentStatus") != nil else { return nil }
    return BodyProblem(
      path: "paymentStatus", kind: .exclusion, expectation: "absent before the token was sent", section: create)
  }

  /// Without its parameters nobody can pay an order that was made.
  private static let paramsOfAMadeOrder: BodyDescription.Rule = { body in
    guard body.value(at: "result.resultStatus") == .string("U"), body.value(at: "applePayParams") == nil else {
      return nil
    }
    return BodyProblem(
      path: "applePayParams", kind: .missing, expectation: "an object, where resultStatus is U", section: create)
  }
}
