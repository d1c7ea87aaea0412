import PaymentToken

/// What Apple Pay JS and PassKit hand to the merchant's server (Apple, "ApplePayPayment", "ApplePayPaymentToken").
public struct ApplePayJSRequest: Hashable, Sendable {
  /// How much of the payment is sent.
  public enum Form: Hashable, Sendable, CaseIterable {
    /// The payment: an object with the token object in `token`.
    case payment
    /// The token object alone.
    case token
  }

  /// How much of the payment is sent.
  public var form = Form.payment
  /// The card as it is shown to its holder.
  public var method = PaymentMethod()
  /// Hexadecimal digits, the token's transactionId; nil for none.
  public var transactionIdentifier: String?
  /// Of the payment alone.
  public var billingContact: PaymentContact?
  /// Of the payment alone.
  public var shippingContact: PaymentContact?

  /// A request that names the token's transaction.
  public init(_ form: Form, around token: EnclosedToken) {
    self.form = form
    transactionIdentifier = token.transactionId
  }

  /// Reads the fields around the token; what the token is, and whether it is one, is not looked at.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `missing` where there is no `paymentData` to stand beside.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let names = ["paymentData", "transactionIdentifier"] + PaymentMethod.names.map { "paymentMethod.\($0)" }
    let fields = try RequestFields(names + names.map { "token.\($0)" } + PaymentContact.paths, of: request)
    form = fields.has("token") ? .payment : .token
    let prefix = form == .payment ? "token." : ""
    guard fields.has(prefix + "paymentData") else { throw .missing(path: prefix + "paymentData") }
    method = try PaymentMethod(fields, at: prefix + "paymentMethod")
    transactionIdentifier = try fields.string(prefix + "transactionIdentifier")
    guard form == .payment else { return }
    billingContact = try PaymentContact(fields, at: "billingContact")
    shippingContact = try PaymentContact(fields, at: "shippingContact")
  }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    let object: JSONObject = [
      "paymentMethod": method.json, "transactionIdentifier": transactionIdentifier,
      "paymentData": JSONValue.raw(token.text),
    ]
    guard form == .payment else { return .object(object) }
    return ["token": object, "billingContact": billingContact?.json, "shippingContact": shippingContact?.json]
  }
}

/// `paymentMethod`: the card as it is shown to its holder.
public struct PaymentMethod: Hashable, Sendable {
  public var displayName: String? = "Visa 1111"
  public var network: String? = "Visa"
  public var type: String? = "debit"

  /// A debit card of Visa.
  public init() {}

  /// A card of which this is known.
  public init(displayName: String?, network: String?, type: String?) {
    self.displayName = displayName
    self.network = network
    self.type = type
  }

  static let names = ["displayName", "network", "type"]

  /// Whether nothing of the card is known.
  public var isEmpty: Bool { displayName == nil && network == nil && type == nil }

  init(_ fields: RequestFields, at path: String) throws(RequestError) {
    displayName = try fields.string(path + ".displayName")
    network = try fields.string(path + ".network")
    type = try fields.string(path + ".type")
  }

  /// The object's JSON.
  var json: JSONValue { ["displayName": displayName, "network": network, "type": type] }
}
