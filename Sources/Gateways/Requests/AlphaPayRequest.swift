import PaymentToken

/// AlphaPay, `/payments/apple-pay/pay`: pays for what a pre-order named, so that it has no amount itself.
public struct AlphaPayRequest: Hashable, Sendable {
  /// AlphaPay's identifier, from its answer to the pre-order.
  public var paymentId: String
  public var customerId: String
  /// The card as it is shown to its holder.
  public var method = PaymentMethod()
  /// Hexadecimal digits, the token's transactionId; nil for none.
  public var transactionIdentifier: JSONValue?

  /// A request that names the token's transaction.
  public init(_ details: RequestDetails, around token: EnclosedToken) {
    paymentId = details.identifier
    customerId = details.customer
    transactionIdentifier = token.value(.transactionId)
  }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    var object = JSONObject()
    object["transactionIdentifier"] = transactionIdentifier
    object["paymentMethod"] = method.json
    object["paymentData"] = .raw(token.text)
    return .object(
      JSONObject([
        .init("paymentId", .string(paymentId)), .init("customerId", .string(customerId)),
        .init("token", .object(object)),
      ]))
  }
}
