import PaymentToken

/// Worldline Direct, CreatePayment with encrypted data: the token in parts.
public struct WorldlineRequest: Hashable, Sendable {
  @nonexhaustive
  public enum AuthorizationMode: String, Hashable, Sendable, CaseIterable {
    case finalAuthorization = "FINAL_AUTHORIZATION"
    case sale = "SALE"
  }

  /// `order.amountOfMoney.amount`: minor units, 0...10^12-1.
  public var amount: Int64?
  /// `order.amountOfMoney.currencyCode`.
  public var currency: Currency?
  /// `order.references.merchantReference`: the merchant's order reference.
  public var merchantReference: String?
  /// `order.customer`, a JSON object as written in the request.
  public var customer: [UInt8]?
  /// Nil for the gateway's default.
  public var authorizationMode: AuthorizationMode? = .finalAuthorization
  /// Whether it contains `signature`, `transactionId` and `applicationData`, which the gateway does not ask for.
  public var isSigned = false

  /// A request with these details.
  public init(_ details: RequestDetails) {
    amount = details.amount
    currency = details.currency
    merchantReference = details.identifier
  }

  /// A request for an order; members without a value are absent. Unless the order says otherwise it is an
  /// authorization.
  public init(_ order: OrderFields) {
    amount = order.minorUnits
    currency = order.terms.currency
    merchantReference = order.reference
    customer = order.worldlineCustomer
    authorizationMode = order.authorizationMode
  }

  /// Worldline's product identifier of Apple Pay.
  public static var paymentProductId: Int { 302 }

  /// Reads the fields around the parts of the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `unknownValue`, `unknownCurrency`, `invalidAmount`.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let (order, input) = ("order.", "mobilePaymentMethodSpecificInput.")
    let fields = try RequestFields(
      [
        order + "amountOfMoney.amount", order + "amountOfMoney.currencyCode", order + "references.merchantReference",
        order + "customer", input + "authorizationMode", input + "signature",
      ], of: request)
    amount = try RequestFields.minorUnits(try fields.number(order + "amountOfMoney.amount"))
    currency = try fields.currency(order + "amountOfMoney.currencyCode")
    merchantReference = try fields.string(order + "references.merchantReference")
    customer = try fields.object(order + "customer")
    authorizationMode = try fields.choice(input + "authorizationMode", AuthorizationMode.self)
    isSigned = fields.has(input + "signature")
  }

  /// The amount and currency, unsigned.
  public var terms: RequestTerms { RequestTerms(amount: amount.map { .minorUnits($0) }, currency: currency) }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    func signed(_ member: TokenMember) -> JSONValue? { isSigned ? token.value(member) : nil }
    let input: JSONObject = [
      "paymentProductId": Self.paymentProductId, "authorizationMode": authorizationMode?.rawValue,
      "encryptedPaymentData": token.value(.data), "ephemeralPublicKey": token.value(.ephemeralPublicKey),
      "publicKeyHash": token.value(.publicKeyHash), "signature": signed(.signature),
      "transactionId": signed(.transactionId), "applicationData": signed(.applicationData),
    ]
    return ["order": orderJSON, "mobilePaymentMethodSpecificInput": input]
  }

  var orderJSON: JSONObject {
    [
      "amountOfMoney": JSONObject(["amount": amount, "currencyCode": currency?.alphabeticCode]),
      "references": JSONObject(["merchantReference": merchantReference]).nonEmpty,
      "customer": customer.map { JSONValue.raw($0) },
    ]
  }
}
