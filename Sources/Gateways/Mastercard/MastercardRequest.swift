/// Mastercard Gateway (CommWeb) with encrypted data: the token's JSON in a string.
public enum MastercardRequest {
  /// The operation. UPDATE SESSION is named by its address (PUT …/session/{sessionId}), not in the body.
  @nonexhaustive
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    case authorize = "AUTHORIZE"
    case pay = "PAY"
    case updateSession = "UPDATE SESSION"
  }

  /// `posTerminal.location`: where the payer's device is.
  @nonexhaustive
  public enum TerminalLocation: String, Hashable, Sendable, CaseIterable {
    case offPremises = "PAYER_TERMINAL_OFF_PREMISES"
    case onPremises = "PAYER_TERMINAL_ON_PREMISES"
  }

  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `unknownValue`, `unknownCurrency`; `contradiction` for card
  ///   data beside the token, since it would be ambiguous which of them counts.
  static func order(reading request: Span<UInt8>) throws(RequestError) -> OrderFields {
    let fields = try RequestFields(
      [
        "apiOperation", "order.amount", "order.currency", "order.reference", "transaction.source",
        "sourceOfFunds.type", "device.ani", "device.mobilePhoneModel", "posTerminal.location", token, cardNumber,
        cryptogram,
      ], of: request)
    for path in [cardNumber, cryptogram] where fields.has(token) && fields.has(path) {
      throw .contradiction(path: token, other: path)
    }
    let operation = try fields.choice("apiOperation", Operation.self)
    // A body never names UPDATE SESSION.
    guard operation != .updateSession else { throw .unknownValue(path: "apiOperation") }
    var order = OrderFields()
    order.operation = operation ?? .updateSession
    order.capture = operation.map { $0 == .pay ? .purchase : .authorization }
    order.terms = RequestTerms(
      amount: try fields.numberOrString("order.amount").map { .decimal($0) },
      currency: try fields.currency("order.currency"))
    order.reference = try fields.string("order.reference")
    try check("transaction.source", is: "INTERNET", in: fields)
    try check("sourceOfFunds.type", is: "CARD", in: fields)
    order.telephoneNumber = try fields.string("device.ani")
    order.phoneModel = try fields.string("device.mobilePhoneModel")
    order.terminalLocation = try fields.choice("posTerminal.location", TerminalLocation.self)
    return order
  }

  private static let token = "sourceOfFunds.provided.card.devicePayment.paymentToken"
  private static let cardNumber = "sourceOfFunds.provided.card.number"
  private static let cryptogram = "sourceOfFunds.provided.card.devicePayment.onlinePaymentCryptogram"

  /// Checks a member with a fixed value for payments of this kind; any other value means another kind of payment.
  private static func check(_ path: String, is text: String, in fields: RequestFields) throws(RequestError) {
    guard let value = try fields.string(path), !value.utf8.elementsEqual(text.utf8) else { return }
    throw .unknownValue(path: path)
  }

  /// The request's JSON around a token; members without a value are absent. Unless the order says otherwise it is an
  /// authorization.
  package static func json(for order: OrderFields, around token: EnclosedToken) -> JSONValue {
    let operation = order.mastercardOperation
    let payment = JSONValue.nested(
      ["card", "devicePayment", "paymentToken"], .raw(JSONText.quoted(bytes: token.text)))
    return [
      "apiOperation": operation == .updateSession ? nil : operation.rawValue,
      "order": JSONObject([
        "amount": order.decimalAmount, "currency": order.terms.currency?.alphabeticCode, "reference": order.reference,
        "walletProvider": "APPLE_PAY",
      ]),
      "sourceOfFunds": JSONObject(["type": "CARD", "provided": payment]),
      "transaction": JSONObject(["source": "INTERNET"]),
      "device": JSONObject(["ani": order.telephoneNumber, "mobilePhoneModel": order.phoneModel]).nonEmpty,
      "posTerminal": JSONObject(["location": order.terminalLocation?.rawValue]).nonEmpty,
    ]
  }
}

extension OrderFields {
  /// `operation`, or the operation for `capture`; an authorization by default.
  var mastercardOperation: MastercardRequest.Operation { operation ?? (capture == .purchase ? .pay : .authorize) }
}
