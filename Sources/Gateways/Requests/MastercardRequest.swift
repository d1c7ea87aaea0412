/// Mastercard Gateway (CommWeb), where the gateway decrypts: the token's JSON in a string.
public struct MastercardRequest: Hashable, Sendable {
  /// What is asked for. UPDATE SESSION is named by its address (PUT …/session/{sessionId}), not in the body.
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    case authorize = "AUTHORIZE"
    case pay = "PAY"
    case updateSession = "UPDATE SESSION"
  }

  /// `posTerminal.location`: where the payer's device is.
  public enum TerminalLocation: String, Hashable, Sendable, CaseIterable {
    case offPremises = "PAYER_TERMINAL_OFF_PREMISES"
    case onPremises = "PAYER_TERMINAL_ON_PREMISES"
  }

  public var operation: Operation
  /// Major units.
  public var amount: DecimalAmount
  /// ISO 4217, three letters.
  public var currency: String
  /// `order.reference`, the merchant's own.
  public var reference: String
  /// `device.ani`: the telephone number the order came from; empty for none.
  public var telephoneNumber = ""
  /// `device.mobilePhoneModel`; empty for none.
  public var phoneModel = ""
  /// Nil leaves it to the gateway, which takes `offPremises`.
  public var terminalLocation: TerminalLocation?

  /// A request that pays for what `details` say.
  public init(_ operation: Operation, _ details: RequestDetails) {
    self.operation = operation
    amount = details.decimalAmount
    currency = details.currency
    reference = details.identifier
  }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    var request = JSONObject()
    if operation != .updateSession { request["apiOperation"] = .string(operation.rawValue) }
    request["order"] = .object(
      JSONObject([
        .init("amount", .string(amount.text)), .init("currency", .string(currency)),
        .init("reference", .string(reference)), .init("walletProvider", .string("APPLE_PAY")),
      ]))
    let payment = JSONValue.nested(
      ["provided", "card", "devicePayment", "paymentToken"], .raw(JSONText.quoted(octets: token.text)))
    request["sourceOfFunds"] = .object(JSONObject([.init("type", .string("CARD"))] + payment.object.members))
    request["transaction"] = .nested(["source"], .string("INTERNET"))
    var device = JSONObject()
    if !telephoneNumber.isEmpty { device.append("ani", .string(telephoneNumber)) }
    if !phoneModel.isEmpty { device.append("mobilePhoneModel", .string(phoneModel)) }
    if !device.members.isEmpty { request["device"] = .object(device) }
    if let terminalLocation {
      request["posTerminal"] = .nested(["location"], .string(terminalLocation.rawValue))
    }
    return .object(request)
  }
}
