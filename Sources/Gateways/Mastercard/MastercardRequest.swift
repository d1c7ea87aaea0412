/// Mastercard Gateway (CommWeb) with encrypted data: the token's JSON in a string.
public struct MastercardRequest: Hashable, Sendable {
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

  /// The operation.
  public var operation: Operation
  /// `order.amount`: major units, as written.
  public var amount: String?
  /// `order.currency`.
  public var currency: Currency?
  /// `order.reference`: the merchant's order reference.
  public var reference: String?
  /// `transaction.source`.
  public var source: String? = "INTERNET"
  /// `device.ani`: where the order came from, a telephone number or an address.
  public var ani: String?
  /// `device.mobilePhoneModel`.
  public var phoneModel: String?
  /// Nil for the gateway's default, `offPremises`.
  public var terminalLocation: TerminalLocation?

  /// A request with these details.
  public init(_ operation: Operation, _ details: RequestDetails) {
    self.operation = operation
    amount = details.decimalAmount
    currency = details.currency
    reference = details.identifier
  }

  /// A request for an order; members without a value are absent. Unless the order says otherwise it is an
  /// authorization.
  public init(_ order: OrderFields) {
    operation = order.mastercardOperation
    amount = order.decimalAmount
    currency = order.terms.currency
    reference = order.reference
    ani = order.telephoneNumber
    phoneModel = order.phoneModel
    terminalLocation = order.terminalLocation
  }

  /// Reads the fields around the token.
  ///
  /// - Throws: `malformed`, `repeatedName`, `wrongType`, `unknownValue`, `unknownCurrency`; `contradiction` for card
  ///   data beside the token, since it would be ambiguous which of them counts.
  public init(reading request: Span<UInt8>) throws(RequestError) {
    let fields = try RequestFields(
      [
        "apiOperation", "order.amount", "order.currency", "order.reference", "transaction.source",
        "sourceOfFunds.type", "device.ani", "device.mobilePhoneModel", "posTerminal.location", Self.token,
        Self.cardNumber, Self.cryptogram,
      ], of: request)
    for path in [Self.cardNumber, Self.cryptogram] where fields.has(Self.token) && fields.has(path) {
      throw .contradiction(path: Self.token, other: path)
    }
    let operation = try fields.choice("apiOperation", Operation.self)
    // A body never names UPDATE SESSION.
    guard operation != .updateSession else { throw .unknownValue(path: "apiOperation") }
    self.operation = operation ?? .updateSession
    amount = try fields.numberOrString("order.amount")
    currency = try fields.currency("order.currency")
    reference = try fields.string("order.reference")
    source = try Self.constant("INTERNET", at: "transaction.source", of: fields)
    _ = try Self.constant("CARD", at: "sourceOfFunds.type", of: fields)
    ani = try fields.string("device.ani")
    phoneModel = try fields.string("device.mobilePhoneModel")
    terminalLocation = try fields.choice("posTerminal.location", TerminalLocation.self)
  }

  private static let token = "sourceOfFunds.provided.card.devicePayment.paymentToken"
  private static let cardNumber = "sourceOfFunds.provided.card.number"
  private static let cryptogram = "sourceOfFunds.provided.card.devicePayment.onlinePaymentCryptogram"

  /// A member with a fixed value for payments of this kind; any other value means another kind of payment.
  private static func constant(
    _ text: String, at path: String, of fields: RequestFields
  ) throws(RequestError) -> String? {
    guard let value = try fields.string(path) else { return nil }
    guard value.utf8.elementsEqual(text.utf8) else { throw .unknownValue(path: path) }
    return value
  }

  /// The amount and currency, unsigned.
  public var terms: RequestTerms { RequestTerms(amount: amount.map { .decimal($0) }, currency: currency) }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    let payment = JSONValue.nested(
      ["card", "devicePayment", "paymentToken"], .raw(JSONText.quoted(bytes: token.text)))
    return [
      "apiOperation": operation == .updateSession ? nil : operation.rawValue,
      "order": JSONObject([
        "amount": amount, "currency": currency?.alphabeticCode, "reference": reference, "walletProvider": "APPLE_PAY",
      ]),
      "sourceOfFunds": JSONObject(["type": "CARD", "provided": payment]),
      "transaction": JSONObject(["source": source]).nonEmpty,
      "device": JSONObject(["ani": ani, "mobilePhoneModel": phoneModel]).nonEmpty,
      "posTerminal": JSONObject(["location": terminalLocation?.rawValue]).nonEmpty,
    ]
  }
}

extension OrderFields {
  /// `operation`, or the operation for `capture`; an authorization by default.
  var mastercardOperation: MastercardRequest.Operation { operation ?? (capture == .purchase ? .pay : .authorize) }
}
