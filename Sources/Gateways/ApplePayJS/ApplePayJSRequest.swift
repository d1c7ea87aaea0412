import PaymentToken

/// What Apple Pay JS and PassKit send to the merchant's server (Apple, "ApplePayPayment", "ApplePayPaymentToken"): the
/// payment, an object with the token object in `token`, or the token object alone.
package enum ApplePayJSRequest {
  /// Reads the fields around the token; the token itself is not checked. Only a payment has contacts.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`; `missing` without `paymentData`; `contradiction` if the two
  ///   forms of a contact differ.
  static func order(reading request: Span<UInt8>) throws(RequestError) -> OrderFields {
    let names = ["paymentData", "transactionIdentifier"] + PaymentMethod.names.map { "paymentMethod.\($0)" }
    let fields = try RequestFields(names + names.map { "token.\($0)" } + PaymentContact.paths, of: request)
    let isPayment = fields.has("token")
    let prefix = isPayment ? "token." : ""
    guard fields.has(prefix + "paymentData") else { throw .missing(path: prefix + "paymentData") }
    var order = OrderFields()
    order.paymentMethod = try PaymentMethod(fields, at: prefix + "paymentMethod")
    _ = try fields.string(prefix + "transactionIdentifier")
    guard isPayment else { return order }
    order.billingContact = try PaymentContact(fields, at: "billingContact")
    order.shippingContact = try PaymentContact(fields, at: "shippingContact")
    return order
  }

  /// The payment's JSON around a token, or that of the token object alone.
  package static func json(
    for order: OrderFields, around token: EnclosedToken, isPayment: Bool = true, namesTransaction: Bool = true
  ) -> JSONValue {
    let object: JSONObject = [
      "paymentMethod": order.paymentMethod?.json,
      "transactionIdentifier": namesTransaction ? token.transactionId : nil,
      "paymentData": JSONValue.raw(token.text),
    ]
    guard isPayment else { return .object(object) }
    return [
      "token": object, "billingContact": order.billingContact?.json, "shippingContact": order.shippingContact?.json,
    ]
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

  /// Nil if nothing is known about the card.
  init?(_ fields: RequestFields, at path: String) throws(RequestError) {
    displayName = try fields.string(path + ".displayName")
    network = try fields.string(path + ".network")
    type = try fields.string(path + ".type")
    guard !isEmpty else { return nil }
  }

  var json: JSONValue { ["displayName": displayName, "network": network, "type": type] }
}
