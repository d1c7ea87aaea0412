import PaymentToken

/// Bambora, `/v1/payments`: base64 of the token's JSON. The currency is the merchant account's.
public struct BamboraRequest: Hashable, Sendable {
  /// Major units, as written.
  public var amount: String?
  /// The merchant's own.
  public var orderNumber: String?
  /// `apple_pay.apple_pay_merchant_id`.
  public var merchantId: String? = "merchant.test.assay.one"
  /// True for a purchase, the gateway's default; false for a pre-authorisation; nil leaves it out.
  public var complete: Bool?

  /// A request that pays for what `details` say.
  public init(_ details: RequestDetails, complete: Bool? = nil) {
    amount = details.decimalAmount
    orderNumber = details.identifier
    self.complete = complete
  }

  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let fields = try RequestFields(
      ["amount", "order_number", "apple_pay.apple_pay_merchant_id", "apple_pay.complete"], of: request)
    amount = try fields.number("amount")
    orderNumber = try fields.string("order_number")
    merchantId = try fields.string("apple_pay.apple_pay_merchant_id")
    complete = try fields.boolean("apple_pay.complete")
  }

  /// What the payment is of, unsigned; the currency is not in the request.
  public var terms: RequestTerms { RequestTerms(amount: amount.map { .decimal($0) }, currency: nil) }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    var payment = JSONObject()
    payment["apple_pay_merchant_id"] = merchantId.map { .string($0) }
    payment["payment_token"] = .string(Base64.encode(token.text))
    payment["complete"] = complete.map { .raw($0 ? "true" : "false") }
    var request = JSONObject()
    request["order_number"] = orderNumber.map { .string($0) }
    request["amount"] = amount.map { .raw($0) }
    request["payment_method"] = .string("apple_pay")
    request["apple_pay"] = .object(payment)
    return .object(request)
  }
}
