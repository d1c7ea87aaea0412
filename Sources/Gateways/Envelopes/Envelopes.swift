import PaymentToken

/// What tokens come in at each gateway (Docs/Verification.md 0.10 has the same as a table).
extension Envelope {
  /// Every envelope, in the order in which lists show them.
  public static let all: [Envelope] = [.apple, .applepayjs, .worldline, .alphapay, .mpgs, .bambora]

  /// The envelope of that name.
  public static func named(_ name: String) -> Envelope? { all.first { $0.name == name } }

  /// Apple Pay JS and PassKit: the payment with its token, or the token object alone.
  public static let applepayjs = Envelope(
    name: "applepayjs",
    routes: [
      Route(["token", "paymentData"], .object, fields: [Field(["token", "transactionIdentifier"], .transactionId)]),
      Route(["paymentData"], .object, fields: [Field(["transactionIdentifier"], .transactionId)]),
    ],
    marks: [Mark(["paymentId"], isPresent: false)])

  /// Worldline Direct, CreatePayment: the token in parts.
  public static let worldline = Envelope(
    name: "worldline",
    routes: [
      Route(
        ["mobilePaymentMethodSpecificInput"],
        .parts([
          Part("encryptedPaymentData", .data), Part("signature", .signature),
          Part("publicKeyHash", .publicKeyHash), Part("transactionId", .transactionId),
          Part("ephemeralPublicKey", .ephemeralPublicKey), Part("applicationData", .applicationData),
        ]),
        fields: [Field(["mobilePaymentMethodSpecificInput", "paymentProductId"], .number("302"))])
    ],
    marks: [Mark(["mobilePaymentMethodSpecificInput", "encryptedPaymentData"], isPresent: true)])

  /// AlphaPay, `/payments/apple-pay/pay`.
  public static let alphapay = Envelope(
    name: "alphapay",
    routes: [
      Route(["token", "paymentData"], .object, fields: [Field(["token", "transactionIdentifier"], .transactionId)])
    ],
    marks: [Mark(["paymentId"], isPresent: true)])

  /// Mastercard Gateway (CommWeb): AUTHORIZE, PAY and UPDATE SESSION.
  public static let mpgs = Envelope(
    name: "mpgs",
    routes: [
      Route(
        ["sourceOfFunds", "provided", "card", "devicePayment", "paymentToken"], .text,
        fields: [Field(["order", "walletProvider"], .text("APPLE_PAY"))])
    ],
    marks: [])

  /// Bambora, `/v1/payments`.
  public static let bambora = Envelope(
    name: "bambora",
    routes: [
      Route(["apple_pay", "payment_token"], .base64, fields: [Field(["payment_method"], .text("apple_pay"))])
    ],
    marks: [])
}

extension EnvelopeSelection {
  /// Decided by the request's shape among all envelopes.
  public static let automatic = EnvelopeSelection.automatic(Envelope.all)
}
