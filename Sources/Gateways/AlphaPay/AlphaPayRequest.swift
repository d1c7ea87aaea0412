import PaymentToken

/// The request of AlphaPay's `/payments/apple-pay/pay`. It pays a pre-order and contains no amount itself.
package enum AlphaPayRequest {
  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `missing` for `paymentId`, an empty one included.
  static func order(reading request: Span<UInt8>) throws(RequestError) -> OrderFields {
    let method = PaymentMethod.names.map { "token.paymentMethod.\($0)" }
    let fields = try RequestFields(
      ["paymentId", "customerId", "token.transactionIdentifier"] + method, of: request)
    guard let paymentId = try fields.string("paymentId"), !paymentId.isEmpty else { throw .missing(path: "paymentId") }
    var order = OrderFields()
    order.paymentIdentifier = paymentId
    order.customerIdentifier = try fields.string("customerId")
    order.paymentMethod = try PaymentMethod(fields, at: "token.paymentMethod")
    _ = try fields.string("token.transactionIdentifier")
    return order
  }

  /// The request's JSON around a token; `paymentId` is empty if the order has none.
  package static func json(
    for order: OrderFields, around token: EnclosedToken, namesTransaction: Bool = true
  ) -> JSONValue {
    let method = order.paymentMethod.flatMap { $0.isEmpty ? nil : $0.json }
    let object: JSONObject = [
      "transactionIdentifier": namesTransaction ? token.transactionId : nil, "paymentMethod": method,
      "paymentData": JSONValue.raw(token.text),
    ]
    return [
      "paymentId": order.paymentIdentifier ?? "", "customerId": order.customerIdentifier, "token": object,
    ]
  }
}
