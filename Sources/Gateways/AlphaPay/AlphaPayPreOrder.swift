/// AlphaPay's pre-order, which states the amount before a token exists; `/payments/apple-pay/pay` refers to it.
public enum AlphaPayPreOrder {
  /// The only currency that the gateway accepts.
  public static let currency = Currency("CAD", "124", 2)
  /// The longest description, in Unicode scalars.
  package static let descriptionLimit = 128

  /// Reads the order from the request; a response must not contradict it.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `unknownCurrency`, `invalidAmount`, `missing`, and
  ///   `unknownValue` for a description that is too long and a currency other than CAD.
  public static func order(reading request: Span<UInt8>) throws(RequestError) -> OrderFields {
    let (value, code) = ("order.orderAmount.value", "order.orderAmount.currency")
    let fields = try RequestFields(
      ["paymentRequestId", "merchantIdentifier", value, code, "order.description", "order.notifyUrl"], of: request)
    var order = OrderFields()
    order.reference = try fields.required("paymentRequestId", fields.string)
    order.merchantIdentifier = try fields.string("merchantIdentifier")
    let amount = try fields.required(value) { path throws(RequestError) in
      try RequestFields.minorUnits(try fields.string(path))
    }
    order.terms = RequestTerms(amount: .minorUnits(amount), currency: try fields.required(code, fields.currency))
    guard order.terms.currency == currency else { throw .unknownValue(path: code) }
    let description = try fields.required("order.description", fields.string)
    guard description.unicodeScalars.count <= descriptionLimit else { throw .unknownValue(path: "order.description") }
    order.summary = description
    order.notificationAddress = try fields.string("order.notifyUrl")
    return order
  }

  /// The request's JSON for an order; members without a value are absent.
  package static func json(for order: OrderFields) -> JSONValue {
    let money: JSONObject = [
      "value": order.minorUnits.map { String($0) }, "currency": order.terms.currency?.alphabeticCode,
    ]
    let inner: JSONObject = [
      "orderAmount": money, "description": order.summary, "notifyUrl": order.notificationAddress,
    ]
    return [
      "paymentRequestId": order.reference, "merchantIdentifier": order.merchantIdentifier, "order": inner,
    ]
  }
}
