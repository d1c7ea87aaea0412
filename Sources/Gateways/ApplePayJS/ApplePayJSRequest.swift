import PaymentToken

/// What Apple Pay JS and PassKit send to the merchant's server (Apple, "ApplePayPayment", "ApplePayPaymentToken").
public struct ApplePayJSRequest: Hashable, Sendable {
  /// Whether the whole payment or only its token object is sent.
  @nonexhaustive
  public enum Form: Hashable, Sendable, CaseIterable {
    /// The payment, an object with the token object in `token`.
    case payment
    /// Only the token object.
    case token
  }

  /// Whether the whole payment or only its token object is sent.
  public var form = Form.payment
  /// The card as displayed to the cardholder.
  public var method = PaymentMethod()
  /// Hexadecimal digits, the token's transactionId; nil for none.
  public var transactionIdentifier: String?
  /// Only in `payment`.
  public var billingContact: PaymentContact?
  /// Only in `payment`.
  public var shippingContact: PaymentContact?

  /// A request that names the token's transaction.
  public init(_ form: Form, around token: EnclosedToken) {
    self.form = form
    transactionIdentifier = token.transactionId
  }

  /// Reads the fields around the token; the token itself is not checked.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `missing` without `paymentData`; `contradiction` if the two
  ///   forms of a contact differ.
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

/// `paymentMethod`: the card as displayed to the cardholder.
public struct PaymentMethod: Hashable, Sendable {
  public var displayName: String? = "Visa 1111"
  public var network: String? = "Visa"
  public var type: String? = "debit"

  /// A Visa debit card.
  public init() {}

  /// A card with these properties, nil if unknown.
  public init(displayName: String?, network: String?, type: String?) {
    self.displayName = displayName
    self.network = network
    self.type = type
  }

  static let names = ["displayName", "network", "type"]

  /// Whether nothing is known about the card.
  public var isEmpty: Bool { displayName == nil && network == nil && type == nil }

  init(_ fields: RequestFields, at path: String) throws(RequestError) {
    displayName = try fields.string(path + ".displayName")
    network = try fields.string(path + ".network")
    type = try fields.string(path + ".type")
  }

  var json: JSONValue { ["displayName": displayName, "network": network, "type": type] }
}
