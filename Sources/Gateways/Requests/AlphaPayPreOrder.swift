/// AlphaPay's pre-order, which names the amount before there is a token: `/payments/apple-pay/pay` refers to it.
public struct AlphaPayPreOrder: Hashable, Sendable {
  public var paymentRequestId: String
  public var merchantIdentifier: String
  /// Minor units, 0...10^12-1; a string in the request.
  public var amount: Int64
  /// The gateway takes CAD.
  public var currency: Currency
  /// At most 128 characters.
  public var description: String
  public var notifyUrl: String?

  /// A pre-order of what `details` say.
  public init(_ details: RequestDetails, merchantIdentifier: String = "merchant.test.assay.one") {
    paymentRequestId = details.identifier
    self.merchantIdentifier = merchantIdentifier
    amount = details.amount
    currency = details.currency
    description = "Order \(details.identifier)"
  }

  /// Reads the request.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `unknownCurrency`, `invalidAmount`, `missing`, and `unknownValue`
  ///   for a description that is too long.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let (value, code) = ("order.orderAmount.value", "order.orderAmount.currency")
    let fields = try RequestFields(
      ["paymentRequestId", "merchantIdentifier", value, code, "order.description", "order.notifyUrl"], of: request)
    func required(_ path: String) throws(RequestError) -> String {
      guard let text = try fields.string(path) else { throw .missing(path: path) }
      return text
    }
    paymentRequestId = try required("paymentRequestId")
    merchantIdentifier = try required("merchantIdentifier")
    guard let amount = try RequestFields.minorUnits(try required(value)) else { throw .missing(path: value) }
    self.amount = amount
    guard let currency = try fields.currency(code) else { throw .missing(path: code) }
    self.currency = currency
    description = try required("order.description")
    guard description.count <= 128 else { throw .unknownValue(path: "order.description") }
    notifyUrl = try fields.string("order.notifyUrl")
  }

  /// What the payment is of, unsigned.
  public var terms: RequestTerms { RequestTerms(amount: .minorUnits(amount), currency: currency) }

  /// The request's JSON.
  public var json: JSONValue {
    let money = JSONObject([
      .init("value", .string(String(amount))), .init("currency", .string(currency.alphabeticCode)),
    ])
    var order = JSONObject([.init("orderAmount", .object(money)), .init("description", .string(description))])
    order["notifyUrl"] = notifyUrl.map { .string($0) }
    return .object(
      JSONObject([
        .init("paymentRequestId", .string(paymentRequestId)),
        .init("merchantIdentifier", .string(merchantIdentifier)), .init("order", .object(order)),
      ]))
  }
}
