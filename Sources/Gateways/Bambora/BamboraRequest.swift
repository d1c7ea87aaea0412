import PaymentToken

/// Bambora, base64 of the token's JSON: the request of `/v1/payments`, and the one that its demo app sends to the merchant's
/// server. The currency is the merchant account's.
public struct BamboraRequest: Hashable, Sendable {
  /// To whom the request goes, and so what its members are called.
  public enum Form: Hashable, Sendable, CaseIterable {
    /// To `/v1/payments`: `apple_pay`, `complete`.
    case payments
    /// To the merchant's server: `apple-wallet`, `transaction-type`.
    case app
  }

  /// To whom it goes.
  public var form = Form.payments
  /// Major units, as written.
  public var amount: String?
  /// The merchant's own; of `payments` alone.
  public var orderNumber: String?
  /// `apple_pay_merchant_id`, of the merchant that the token was made for.
  public var merchantId: String? = "merchant.test.assay.one"
  /// True for a purchase, the gateway's default; false for a pre-authorisation; nil leaves it out.
  public var complete: Bool?

  /// A request that pays for what `details` say.
  public init(_ details: RequestDetails, _ form: Form = .payments, complete: Bool? = nil) {
    self.form = form
    amount = details.decimalAmount
    orderNumber = form == .payments ? details.identifier : nil
    self.complete = complete
  }

  /// A request to `/v1/payments` that pays for an order; a pre-authorisation, which takes nothing yet, where the order says
  /// nothing of it, although the gateway's default is a purchase.
  public init(_ order: OrderFields) {
    amount = order.decimalAmount
    orderNumber = order.reference
    merchantId = order.merchantIdentifier
    complete = order.capture == .purchase
  }

  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `unknownValue` for another `transaction-type`; `contradiction` where the
  ///   members of both forms are there: which of them counts would not be the sender's to say.
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
    // Form-encoded bodies, which the demo sends, have strings alone.
    amount = try fields.numberOrString("amount")
    merchantId = try fields.string(wallet + ".apple-pay-merchant-id")
    complete = try fields.choice(type, BamboraCompletion.self)?.complete
  }

  /// What the payment is of, unsigned; the currency is not in the request.
  public var terms: RequestTerms { RequestTerms(amount: amount.map { .decimal($0) }, currency: nil) }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    form == .payments ? payments(token) : app(token)
  }

  /// A number; of anything else, which the app's form may hold, a string.
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
public enum BamboraCompletion: String, Hashable, Sendable, CaseIterable {
  /// True, and what an absent member means.
  case purchase
  /// False: the amount is held, and a completion takes it.
  case preAuthorization = "pre-auth"

  /// What a request's member means.
  public init(complete: Bool?) {
    self = complete ?? true ? .purchase : .preAuthorization
  }

  /// The member's value.
  public var complete: Bool { self == .purchase }

  /// What it does, one sentence.
  public var advice: String {
    switch self {
    case .purchase: "The payment is taken at once."
    case .preAuthorization: "The amount is held: complete the payment to take it, or void it."
    }
  }
}
