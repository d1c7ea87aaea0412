import PaymentToken

/// Bambora, base64 of the token's JSON: the request of `/v1/payments`, and the one that its demo app sends to the
/// merchant's server. The currency is that of the merchant's account.
public struct BamboraRequest: Hashable, Sendable {
  /// The recipient of the request, which determines the names of its members.
  @nonexhaustive
  public enum Form: Hashable, Sendable, CaseIterable {
    /// To `/v1/payments`: `apple_pay`, `complete`.
    case payments
    /// To the merchant's server: `apple-wallet`, `transaction-type`.
    case app
  }

  /// The recipient of the request.
  public var form = Form.payments
  /// Major units, as written.
  public var amount: String?
  /// The merchant's order reference; only in `payments`.
  public var orderNumber: String?
  /// `apple_pay_merchant_id`: the merchant that the token was made for.
  public var merchantId: String? = "merchant.test.assay.one"
  /// True for a purchase, the gateway's default; false for a pre-authorisation; nil omits the member.
  public var complete: Bool?

  /// A request with these details.
  public init(_ details: RequestDetails, _ form: Form = .payments, complete: Bool? = nil) {
    self.form = form
    amount = details.decimalAmount
    orderNumber = form == .payments ? details.identifier : nil
    self.complete = complete
  }

  /// A request to `/v1/payments` for an order. Unless the order says otherwise it is a pre-authorisation, which takes
  /// no money yet, although the gateway's default is a purchase.
  public init(_ order: OrderFields) {
    amount = order.decimalAmount
    orderNumber = order.reference
    merchantId = order.merchantIdentifier
    complete = order.capture == .purchase
  }

  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `unknownValue` for another `transaction-type`; `contradiction`
  ///   if members of both forms are present, since it would be ambiguous which of them counts.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let (wallet, type) = ("apple-wallet", "transaction-type")
    let fields = try RequestFields(
      [
        "amount", "order_number", "apple_pay", "apple_pay.apple_pay_merchant_id", "apple_pay.complete", type, wallet,
        wallet + ".apple-pay-merchant-id",
      ], of: request)
    for path in [wallet, type] where fields.has("apple_pay") && fields.has(path) {
      throw .contradiction(path: "apple_pay", other: path)
    }
    form = fields.has(wallet) ? .app : .payments
    guard form == .app else {
      amount = try fields.number("amount")
      orderNumber = try fields.string("order_number")
      merchantId = try fields.string("apple_pay.apple_pay_merchant_id")
      complete = try fields.boolean("apple_pay.complete")
      return
    }
    // Form-encoded bodies, as the demo sends, contain only strings.
    amount = try fields.numberOrString("amount")
    merchantId = try fields.string(wallet + ".apple-pay-merchant-id")
    complete = try fields.choice(type, BamboraCompletion.self)?.complete
  }

  /// The amount, unsigned; the request does not contain the currency.
  public var terms: RequestTerms { RequestTerms(amount: amount.map { .decimal($0) }, currency: nil) }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    form == .payments ? payments(token) : app(token)
  }

  /// The amount as a JSON number; a string if it is not a number, which the app's form allows.
  private var amountJSON: JSONValue? { amount.map { DecimalText($0) == nil ? .string($0) : .raw($0) } }

  private func payments(_ token: EnclosedToken) -> JSONValue {
    let payment: JSONObject = [
      "apple_pay_merchant_id": merchantId, "payment_token": Base64.encode(token.text), "complete": complete,
    ]
    return [
      "order_number": orderNumber, "amount": amountJSON, "payment_method": "apple_pay", "apple_pay": payment,
    ]
  }

  private func app(_ token: EnclosedToken) -> JSONValue {
    let wallet: JSONObject = [
      "payment-token": Base64.encode(token.text), "apple-pay-merchant-id": merchantId,
    ]
    return [
      "amount": amountJSON, "transaction-type": complete.map { BamboraCompletion(complete: $0).rawValue },
      "apple-wallet": wallet,
    ]
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
