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
        WorldlineRequest(details).json(around: token)
      },
      Form(name: "CreatePayment, signed", isSigned: true) { token, details in
        var request = WorldlineRequest(details)
        request.authorizationMode = .sale
        request.isSigned = true
        return request.json(around: token)
      },
    ],
    namesAmount: true,
    order: { request throws(RequestError) in
      let request = try WorldlineRequest(reading: request)
      var order = OrderFields()
      order.reference = request.merchantReference
      order.capture = request.authorizationMode.map { $0 == .sale ? .purchase : .authorization }
      order.customer = request.customer
      order.terms = request.terms
      return order
    }, bodies: worldlineBodies, record: nil,
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
