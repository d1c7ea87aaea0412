import PaymentToken

/// Bambora, `/v1/payments`: base64 of the token's JSON. The currency is the merchant account's.
public struct BamboraRequest: Hashable, Sendable {
  /// Major units.
  public var amount: DecimalAmount
  public var orderNumber: String
  public var merchantId = "merchant.test.assay.one"
  /// True for a purchase, the gateway's default; false for a pre-authorisation; nil leaves it out.
  public var complete: Bool?

  /// A request that pays for what `details` say.
  public init(_ details: RequestDetails, complete: Bool? = nil) {
    amount = details.decimalAmount
    orderNumber = details.identifier
    self.complete = complete
  }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    var payment = JSONObject([
      .init("apple_pay_merchant_id", .string(merchantId)),
      .init("payment_token", .string(Base64.encode(token.text))),
    ])
    if let complete { payment.append("complete", .raw(complete ? "true" : "false")) }
    return .object(
      JSONObject([
        .init("order_number", .string(orderNumber)), .init("amount", .raw(amount.text)),
        .init("payment_method", .string("apple_pay")), .init("apple_pay", .object(payment)),
      ]))
  }
}
