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
  public var transactionIdentifier: JSONValue?
  /// Of the payment alone.
  public var billingContact: PaymentContact?
  /// Of the payment alone.
  public var shippingContact: PaymentContact?

  /// A request that names the token's transaction.
  public init(_ form: Form, around token: EnclosedToken) {
    self.form = form
    transactionIdentifier = token.value(.transactionId)
  }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    var object = JSONObject([.init("paymentMethod", method.json)])
    object["transactionIdentifier"] = transactionIdentifier
    object["paymentData"] = .raw(token.text)
    guard form == .payment else { return .object(object) }
    var payment = JSONObject([.init("token", .object(object))])
    payment["billingContact"] = billingContact?.json
    payment["shippingContact"] = shippingContact?.json
    return .object(payment)
  }
}

/// `paymentMethod`: the card as it is shown to its holder.
public struct PaymentMethod: Hashable, Sendable {
  public var displayName = "Visa 1111"
  public var network = "Visa"
  public var type = "debit"

  public init() {}

  /// The object's JSON.
  var json: JSONValue {
    .object(
      JSONObject([
        .init("displayName", .string(displayName)), .init("network", .string(network)), .init("type", .string(type)),
      ]))
  }
}

/// `billingContact` and `shippingContact` (Apple, "ApplePayPaymentContact"); empty members are left out.
public struct PaymentContact: Hashable, Sendable {
  public var givenName = ""
  public var familyName = ""
  public var emailAddress = ""
  public var phoneNumber = ""
  public var addressLines: [String] = []
  public var locality = ""
  /// A state or province.
  public var administrativeArea = ""
  public var postalCode = ""
  /// ISO 3166, two letters.
  public var countryCode = ""

  public init() {}

  /// The object's JSON.
  var json: JSONValue {
    var object = JSONObject()
    for (name, text) in [
      ("givenName", givenName), ("familyName", familyName), ("emailAddress", emailAddress),
      ("phoneNumber", phoneNumber), ("locality", locality),
      ("administrativeArea", administrativeArea), ("postalCode", postalCode), ("countryCode", countryCode),
    ] where !text.isEmpty { object.append(name, .string(text)) }
    if !addressLines.isEmpty { object.append("addressLines", .array(addressLines.map { .string($0) })) }
    return .object(object)
  }
}
