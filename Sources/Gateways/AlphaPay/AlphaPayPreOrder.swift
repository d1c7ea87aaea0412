/// AlphaPay's pre-order, which states the amount before a token exists; `/payments/apple-pay/pay` refers to it.
public struct AlphaPayPreOrder: Hashable, Sendable {
  /// The merchant's name for the order.
  public var paymentRequestId: String
  /// Apple's merchant identifier; nil lets the gateway choose.
  public var merchantIdentifier: String?
  /// Minor units, 0...10^12-1; a string in the request.
  public var amount: Int64
  /// The gateway accepts only CAD.
  public var currency: Currency
  /// At most `descriptionLimit` Unicode scalars.
  public var description: String
  public var notifyUrl: String?

  /// The only currency that the gateway accepts.
  public static let currency = Currency("CAD", "124", 2)
  /// The longest description, in Unicode scalars.
  package static let descriptionLimit = 128

  /// A pre-order with these details, always in CAD.
  package init(_ details: RequestDetails, merchantIdentifier: String? = "merchant.test.assay.one") {
    paymentRequestId = details.identifier
    self.merchantIdentifier = merchantIdentifier
    amount = details.amount
    currency = Self.currency
    description = "Order \(details.identifier)"
  }

  /// Reads the request.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `unknownCurrency`, `invalidAmount`, `missing`, and
  ///   `unknownValue` for a description that is too long and a currency other than CAD.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let (value, code) = ("order.orderAmount.value", "order.orderAmount.currency")
    let fields = try RequestFields(
      ["paymentRequestId", "merchantIdentifier", value, code, "order.description", "order.notifyUrl"], of: request)
    paymentRequestId = try fields.required("paymentRequestId", fields.string)
    merchantIdentifier = try fields.string("merchantIdentifier")
    amount = try fields.required(value) { path throws(RequestError) in
      try RequestFields.minorUnits(try fields.string(path))
    }
    currency = try fields.required(code, fields.currency)
    guard currency == Self.currency else { throw .unknownValue(path: code) }
    description = try fields.required("order.description", fields.string)
    guard description.unicodeScalars.count <= Self.descriptionLimit else {
      throw .unknownValue(path: "order.description")
    }
    notifyUrl = try fields.string("order.notifyUrl")
  }

  /// The amount and currency, unsigned.
  public var terms: RequestTerms { RequestTerms(amount: .minorUnits(amount), currency: currency) }

  /// The request's JSON.
  public var json: JSONValue { Self.json(for: order) }

  /// The order, which a response must not contradict.
  public var order: OrderFields {
    var order = OrderFields()
    order.reference = paymentRequestId
    order.merchantIdentifier = merchantIdentifier
    order.terms = terms
    order.summary = description
    order.notificationAddress = notifyUrl
    return order
  }

  /// The request's JSON for an order; members without a value are absent.
  static func json(for order: OrderFields) -> JSONValue {
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
