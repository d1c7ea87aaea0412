import PaymentToken

/// Worldline Direct, CreatePayment with encrypted data: the token in parts.
public enum WorldlineRequest {
  @nonexhaustive
  public enum AuthorizationMode: String, Hashable, Sendable, CaseIterable {
    case finalAuthorization = "FINAL_AUTHORIZATION"
    case sale = "SALE"
  }

  /// Worldline's product identifier of Apple Pay.
  public static var paymentProductId: Int { 302 }

  /// Reads the fields around the parts of the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `unknownValue`, `unknownCurrency`, `invalidAmount`.
  static func order(reading request: Span<UInt8>) throws(RequestError) -> OrderFields {
    let (inner, input) = ("order.", "mobilePaymentMethodSpecificInput.")
    let fields = try RequestFields(
      [
        inner + "amountOfMoney.amount", inner + "amountOfMoney.currencyCode", inner + "references.merchantReference",
        inner + "customer", input + "authorizationMode", input + "signature",
      ], of: request)
    var order = OrderFields()
    let amount = try RequestFields.minorUnits(try fields.number(inner + "amountOfMoney.amount"))
    order.terms = RequestTerms(
      amount: amount.map { .minorUnits($0) }, currency: try fields.currency(inner + "amountOfMoney.currencyCode"))
    order.reference = try fields.string(inner + "references.merchantReference")
    order.customer = try fields.object(inner + "customer")
    order.capture = try fields.choice(input + "authorizationMode", AuthorizationMode.self).map {
      $0 == .sale ? .purchase : .authorization
    }
    return order
  }

  /// The request's JSON around a token; members without a value are absent. Unless the order says otherwise it is an
  /// authorization.
  ///
  /// - Parameter isSigned: whether it contains `signature`, `transactionId` and `applicationData`, which the gateway
  ///   does not ask for.
  package static func json(
    for order: OrderFields, around token: EnclosedToken, isSigned: Bool = false
  ) -> JSONValue {
    func signed(_ member: TokenMember) -> JSONValue? { isSigned ? token.value(member) : nil }
    let input: JSONObject = [
      "paymentProductId": paymentProductId, "authorizationMode": order.authorizationMode.rawValue,
      "encryptedPaymentData": token.value(.data), "ephemeralPublicKey": token.value(.ephemeralPublicKey),
      "publicKeyHash": token.value(.publicKeyHash), "signature": signed(.signature),
      "transactionId": signed(.transactionId), "applicationData": signed(.applicationData),
    ]
    return ["order": orderJSON(order), "mobilePaymentMethodSpecificInput": input]
  }

  static func orderJSON(_ order: OrderFields) -> JSONObject {
    [
      "amountOfMoney": JSONObject([
        "amount": order.minorUnits, "currencyCode": order.terms.currency?.alphabeticCode,
      ]),
      "references": JSONObject(["merchantReference": order.reference]).nonEmpty,
      "customer": order.worldlineCustomer.map { JSONValue.raw($0) },
    ]
  }
}
