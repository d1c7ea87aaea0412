import PaymentToken

extension Envelope {
  /// The request CreatePayment of Worldline Direct, which contains the token in parts.
  public static let worldline = Envelope(
    .worldline,
    routes: [
      Route(
        ["mobilePaymentMethodSpecificInput"],
        .parts([
          Part("encryptedPaymentData", .data), Part("signature", .signature),
          Part("publicKeyHash", .publicKeyHash), Part("transactionId", .transactionId),
          Part("ephemeralPublicKey", .ephemeralPublicKey), Part("applicationData", .applicationData),
          // The document's example calls it `ephemeralPublicKey`, its table and its process flow `ephemeralKey`.
          Part("ephemeralKey", .ephemeralPublicKey),
        ]),
        fields: [Field(["mobilePaymentMethodSpecificInput", "paymentProductId"], .number("302"))])
    ],
    marks: [Mark(["mobilePaymentMethodSpecificInput", "encryptedPaymentData"], isPresent: true)])
}

extension Gateway {
  /// The gateway Worldline Direct.
  public static let worldline = Gateway(
    id: .worldline, title: "Worldline Direct", nameInText: "Worldline", envelope: .worldline,
    forms: [
      Form(name: "CreatePayment", isSigned: false) { token, details in
        WorldlineRequest.json(for: OrderFields(details), around: token)
      },
      Form(name: "CreatePayment, signed", isSigned: true) { token, details in
        var order = OrderFields(details)
        order.capture = .purchase
        return WorldlineRequest.json(for: order, around: token, isSigned: true)
      },
    ],
    namesAmount: true,
    order: WorldlineRequest.order, bodies: worldlineBodies, record: nil,
    meanings: [
      (
        "brands",
        "Visa, Mastercard, American Express, Cartes Bancaires. The token names none, and assay does not check it"
      ),
      (
        "countries",
        "Australia, Belgium, Brazil, Bulgaria, Canada, China, Croatia, Cyprus, Czech Republic, Denmark, Estonia, Finland and "
          + "others: the document's list is truncated, and assay does not check it"
      ),
      (
        "currencies",
        "ALL, DZD, AOA, ARS, AMD, AWG, AUD, AZN, BSD, BHD, BDT, BBD and others, likewise"
      ),
      (
        "certificates",
        "Valid for two years; three at most for a merchant identifier, one of them active: the slots are for rotation "
          + "(Docs/Embedding.md, Rotation). Test and production need separate certificates, preferably with separate merchant identifiers"
      ),
    ])
}
