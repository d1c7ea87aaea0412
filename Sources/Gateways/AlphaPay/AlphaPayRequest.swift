import PaymentToken

/// The request of AlphaPay's `/payments/apple-pay/pay`. It pays a pre-order and contains no amount itself.
public struct AlphaPayRequest: Hashable, Sendable {
  /// AlphaPay's order identifier, from its response to the pre-order.
  public var paymentId: String
  /// The merchant's customer identifier.
  public var customerId: String?
  /// The card as displayed to the cardholder.
  public var method = PaymentMethod()
  /// Hexadecimal digits, the token's transactionId; nil for none.
  public var transactionIdentifier: String?

  /// A request that names the token's transaction.
  public init(_ details: RequestDetails, around token: EnclosedToken) {
    paymentId = details.identifier
    customerId = details.customer
    transactionIdentifier = token.transactionId
  }

  /// A request that pays a pre-order; `paymentId` is empty if the order has none.
  public init(_ order: OrderFields, around token: EnclosedToken) {
    paymentId = order.paymentIdentifier ?? ""
    customerId = order.customerIdentifier
    method = order.paymentMethod ?? PaymentMethod(displayName: nil, network: nil, type: nil)
    transactionIdentifier = token.transactionId
  }

  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `missing` for `paymentId`, an empty one included.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let method = PaymentMethod.names.map { "token.paymentMethod.\($0)" }
    let fields = try RequestFields(
      ["paymentId", "customerId", "token.transactionIdentifier"] + method, of: request)
    guard let paymentId = try fields.string("paymentId"), !paymentId.isEmpty else { throw .missing(path: "paymentId") }
    self.paymentId = paymentId
    customerId = try fields.string("customerId")
    self.method = try PaymentMethod(fields, at: "token.paymentMethod")
    transactionIdentifier = try fields.string("token.transactionIdentifier")
  }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    let object: JSONObject = [
      "transactionIdentifier": transactionIdentifier, "paymentMethod": method.isEmpty ? nil : method.json,
      "paymentData": JSONValue.raw(token.text),
    ]
    return ["paymentId": paymentId, "customerId": customerId, "token": object]
  }
}
