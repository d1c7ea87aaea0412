import PaymentToken

extension Gateway {
  static let worldlineBodies = [
    BodyDescription(
      "create-payment-decrypted", "CreatePayment, where the merchant decrypts", .outgoing, endpoint: createPayment,
      making: .decrypted { token, order, choice throws(MappingError) in
        try WorldlinePayment(token, order, preferring: choice).json
      },
      marks: [.has(input("decryptedPaymentData"))], section: "You handle decryption",
      fields: common + [
        BodyField(input("decryptedPaymentData"), .required, .object, "the decrypted payment data"),
        decrypted("dpan", .requiredInside, .digits(12...19), "applicationPrimaryAccountNumber"),
        decrypted("expiryDate", .requiredInside, .monthAndYear, "applicationExpirationDate, MMYY"),
        decrypted("cryptogram", .requiredInside, .base64(1 ... .max), "onlinePaymentCryptogram"),
        decrypted("cardholderName", .optional, .anyText, "cardholderName"),
        BodyField(
          input("decryptedPaymentData.eci"), .optional, .digitsOrNumber(1...2), "eciIndicator", section: mapping,
          departure: "the document's example has a string, the gateway's SDKs a number: assay writes a number"),
        BodyField(
          input("publicKeyHash"), .optional, .base64(32...32), "header.publicKeyHash",
          section: flow("You handle decryption")),
        BodyField(
          input("ephemeralKey"), .optional, .base64(91...91), "header.ephemeralPublicKey; none under RSA_v1",
          section: flow("You handle decryption")),
        BodyField(
          input("ephemeralPublicKey"), .optional, .base64(91...91), "the same under its other name", section: "none",
          departure: "the example of the other mode uses this name: either is accepted"),
      ] + contacts,
      rules: [
        onlyOne,
        BodyDescription.same(
          input("ephemeralPublicKey"), as: input("ephemeralKey"), section: flow("You handle decryption")),
      ]),
    BodyDescription(
      "create-payment", "CreatePayment, where Worldline decrypts", .outgoing, endpoint: createPayment,
      making: .enclosing { token, order in WorldlineRequest.json(for: order, around: token) },
      marks: [.has(input("encryptedPaymentData"))], section: "We handle decryption",
      fields: common + [
        BodyField(input("encryptedPaymentData"), .required, .base64(17 ... .max), "data"),
        BodyField(input("publicKeyHash"), .required, .base64(32...32), "header.publicKeyHash"),
        BodyField(
          input("ephemeralPublicKey"), .optional, .base64(91...91), "header.ephemeralPublicKey",
          departure:
            "called ephemeralKey in the table and in the process flow of the other mode: either is accepted, or both if they agree"
        ),
        BodyField(input("ephemeralKey"), .optional, .base64(91...91), "the same under its other name"),
        BodyField(
          input("signature"), .optional, .base64(1 ... .max), "signature", section: "none",
          departure: "not the gateway's: with it and transactionId the token is verified like any other"),
        BodyField(
          input("transactionId"), .optional, .hexadecimal(32), "header.transactionId", section: "none",
          departure: "not the gateway's: see signature"),
      ],
      rules: [oneKey]),
    BodyDescription(
      "create-hosted-checkout", "CreateHostedCheckout, where Worldline shows the payment sheet", .outgoing,
      endpoint: BodyDescription.Endpoint(
        method: "POST", address: "https://{endpoint}/v2/{merchantId}/hostedcheckouts", headers: headers),
      making: .order { order in hostedCheckout(order) },
      marks: [.has("hostedCheckoutSpecificInput")], section: "Hosted Checkout Page",
      fields: [
        money("amount", .minorUnits, "the gross amount"),
        money("currencyCode", .currency, "its currency"),
        BodyField(
          "hostedCheckoutSpecificInput.locale", .optional, .text(2...6), "language of page and payment sheet, en_GB"),
        BodyField(
          "hostedCheckoutSpecificInput.returnUrl", .required, .address,
          "the address that the customer returns to, redirectUrl in the process flow",
          departure: "any address there; only https here"),
        BodyField(input("authorizationMode"), .optional, .choice(modes), "authorization, or direct sale"),
        BodyField(
          input("paymentProductId"), .optional, .number(productId),
          "Apple Pay; without it the customer chooses the payment method"),
      ]),
  ]

  private static func hostedCheckout(_ order: OrderFields) -> JSONValue {
    let page: JSONObject = ["locale": order.locale, "returnUrl": order.returnAddress]
    let input: JSONObject = [
      "authorizationMode": order.authorizationMode.rawValue, "paymentProductId": JSONValue.raw(productId),
    ]
    return [
      "order": WorldlineRequest.orderJSON(order), "hostedCheckoutSpecificInput": page,
      "mobilePaymentMethodSpecificInput": input,
    ]
  }

  // MARK: Common members

  private static let createPayment = BodyDescription.Endpoint(
    method: "POST", address: "https://{endpoint}/v2/{merchantId}/payments", headers: headers)
  private static let headers = [
    "Content-Type: application/json", "Date: {date}", "Authorization: GCS v1HMAC:{keyId}:{signature}",
  ]
  private static let mapping = "Map PKPayment properties to mobilePaymentMethodSpecificInput"
  private static let modes = WorldlineRequest.AuthorizationMode.allCases.map(\.rawValue)
  private static let productId = String(WorldlineRequest.paymentProductId)

  private static func flow(_ mode: String) -> String { "Process flows, Mobile/Client Integration, \(mode)" }

  private static func input(_ name: String) -> String { "mobilePaymentMethodSpecificInput.\(name)" }

  private static func money(_ name: String, _ form: FieldForm, _ meaning: String) -> BodyField {
    BodyField("order.amountOfMoney.\(name)", .required, form, meaning)
  }

  private static let common = [
    money("amount", .minorUnits, "transactionAmount, the gross amount, in minor units as the API has it"),
    money("currencyCode", .currency, "currencyCode, in letters"),
    BodyField(input("paymentProductId"), .required, .number(productId), "Apple Pay"),
    BodyField(input("authorizationMode"), .optional, .choice(modes), "authorization, or direct sale"),
  ]

  private static func decrypted(
    _ name: String, _ presence: BodyField.Presence, _ form: FieldForm, _ meaning: String
  ) -> BodyField {
    BodyField(input("decryptedPaymentData.\(name)"), presence, form, meaning, section: mapping)
  }

  private static let contacts =
    [
      ("contactDetails", "e-mail address of the billing or shipping contact; its telephone number as well"),
      ("personalInformation.name", "name of the billing contact, else of the shipping contact"),
      ("billingAddress", "postal address of the billing contact"),
      ("shippingAddress", "postal address of the shipping contact"),
    ].map { BodyField("order.customer.\($0)", .optional, .object, $1, section: mapping) } + [
      BodyField(
        "order.references.merchantReference", .optional, .nonEmptyText, "the merchant's order reference",
        section: "none", departure: "of the gateway's API, not of this document")
    ]

  private static let onlyOne = BodyDescription.absent(
    [input("encryptedPaymentData")], "absent beside decryptedPaymentData", section: "You handle decryption")

  /// The key has two names, at least one of which is required.
  private static let oneKey: BodyDescription.Rule = { body in
    let (usual, other) = (body.value(at: input("ephemeralPublicKey")), body.value(at: input("ephemeralKey")))
    func problem(_ kind: BodyProblem.Kind, _ expectation: String) -> BodyProblem {
      BodyProblem(
        path: input("ephemeralPublicKey"), kind: kind, expectation: expectation, section: "We handle decryption")
    }
    switch (usual, other) {
    case (nil, nil): return problem(.missing, "strict base64, 91 bytes; or ephemeralKey")
    case (let usual?, let other?) where usual != other: return problem(.disagreement, "the same as ephemeralKey")
    default: return nil
    }
  }
}
