import PaymentToken

/// Bambora, base64 of the token's JSON: the request of `/v1/payments`, and the one that its demo app sends to the
/// merchant's server. The currency is that of the merchant's account.
package enum BamboraRequest {
  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `unknownValue` for another `transaction-type`; `contradiction`
  ///   if members of both forms are present, since it would be ambiguous which of them counts.
  static func order(reading request: Span<UInt8>) throws(RequestError) -> OrderFields {
    let (wallet, type) = ("apple-wallet", "transaction-type")
    let fields = try RequestFields(
      [
        "amount", "order_number", "apple_pay", "apple_pay.apple_pay_merchant_id", "apple_pay.complete", type, wallet,
        wallet + ".apple-pay-merchant-id",
      ], of: request)
    for path in [wallet, type] where fields.has("apple_pay") && fields.has(path) {
      throw .contradiction(path: "apple_pay", other: path)
    }
    let isFromApp = fields.has(wallet)
    var order = OrderFields()
    // Form-encoded bodies, as the demo sends, contain only strings.
    let amount = try isFromApp ? fields.numberOrString("amount") : fields.number("amount")
    order.terms = RequestTerms(amount: amount.map { .decimal($0) }, currency: nil)
    if !isFromApp { order.reference = try fields.string("order_number") }
    order.merchantIdentifier = try fields.string(
      isFromApp ? wallet + ".apple-pay-merchant-id" : "apple_pay.apple_pay_merchant_id")
    // An absent member means a purchase in the gateway's request, and nothing in the app's.
    let completion =
      try isFromApp
      ? fields.choice(type, BamboraCompletion.self)
      : BamboraCompletion(complete: fields.boolean("apple_pay.complete"))
    order.capture = completion.map { $0 == .purchase ? .purchase : .authorization }
    return order
  }

  /// The JSON of a request to `/v1/payments` around a token.
  ///
  /// - Parameter complete: true for a purchase, the gateway's default; false for a pre-authorisation; nil omits the
  ///   member.
  package static func json(
    for order: OrderFields, around token: EnclosedToken, complete: Bool?
  ) -> JSONValue {
    let payment: JSONObject = [
      "apple_pay_merchant_id": order.merchantIdentifier, "payment_token": Base64.encode(token.text),
      "complete": complete,
    ]
    return [
      "order_number": order.reference, "amount": amount(order), "payment_method": "apple_pay", "apple_pay": payment,
    ]
  }

  /// The JSON of the app's request to the merchant's server, a purchase.
  static func appJSON(for order: OrderFields, around token: EnclosedToken) -> JSONValue {
    let wallet: JSONObject = [
      "payment-token": Base64.encode(token.text), "apple-pay-merchant-id": order.merchantIdentifier,
    ]
    return [
      "amount": amount(order), "transaction-type": BamboraCompletion.purchase.rawValue, "apple-wallet": wallet,
    ]
  }

  /// The amount as a JSON number; a string if it is not a number, which the app's form allows.
  private static func amount(_ order: OrderFields) -> JSONValue? {
    order.decimalAmount.map { DecimalText($0) == nil ? .string($0) : .raw($0) }
  }
}

/// `apple_pay.complete` and the demo's `transaction-type`: whether Bambora takes the money at once.
@nonexhaustive
public enum BamboraCompletion: String, Hashable, Sendable, CaseIterable {
  /// True or absent.
  case purchase
  /// False: the amount is reserved until a completion takes it.
  case preAuthorization = "pre-auth"

  /// The meaning of a request's member.
  public init(complete: Bool?) {
    self = complete ?? true ? .purchase : .preAuthorization
  }

  /// The member's value.
  public var complete: Bool { self == .purchase }

  /// What it does, one sentence.
  public var advice: String {
    switch self {
    case .purchase: "The payment is taken at once."
    case .preAuthorization: "The amount is reserved: complete the payment to take it, or void it."
    }
  }
}
