import PaymentToken

/// Mastercard Gateway (CommWeb), AUTHORIZE, PAY or UPDATE SESSION, where the merchant has decrypted: `devicePayment` with the cryptogram.
///
/// Amount and currency are the signed token's, unless the caller says otherwise. The description masks what the JSON says in full.
public struct MastercardPayment: Hashable, Sendable {
  private let card: CardDetails
  private let order: OrderFields

  /// Nil in the order's fields: AUTHORIZE.
  public var operation: MastercardRequest.Operation { order.mastercardOperation }

  /// - Parameters:
  ///   - token: a token that passed every stage; one that nobody signed cannot be sent on.
  ///   - order: what the request said beside the token; unsigned.
  ///   - choice: which counts where the two differ in amount or currency; nil refuses that.
  /// - Throws: `emvPayment`, `unknownCurrency`, `currencyWithoutMinorUnit`, `currencyDiffers`, `amountDiffers`,
  ///   `requestWithoutAmount`.
  public init(
    _ token: DecryptedToken, _ order: OrderFields = OrderFields(), counting choice: OrderDifference.Choice? = nil
  ) throws(MappingError) {
    card = try CardDetails(token.payment, order, counting: choice)
    self.order = order
  }

  /// The body of the request: card data in full, in the order of the gateway's document.
  public var json: JSONValue {
    var request = JSONObject()
    // UPDATE SESSION is named by its address.
    if operation != .updateSession { request["apiOperation"] = .string(operation.rawValue) }
    request["order"] = .object(orderJSON)
    request["sourceOfFunds"] = .object(sourceOfFunds)
    var device = JSONObject()
    device["ani"] = order.telephoneNumber.map { .string($0) }
    device["mobilePhoneModel"] = order.phoneModel.map { .string($0) }
    if !device.members.isEmpty { request["device"] = .object(device) }
    request["posTerminal"] = order.terminalLocation.map { .nested(["location"], .string($0.rawValue)) }
    request["transaction"] = .nested(["source"], .string("INTERNET"))
    return .object(request)
  }

  private var orderJSON: JSONObject {
    var object = JSONObject([
      .init("amount", .string(card.decimalAmount)), .init("currency", .string(card.currency.alphabeticCode)),
    ])
    object["reference"] = order.reference.map { .string($0) }
    object["walletProvider"] = .string("APPLE_PAY")
    return object
  }

  private var sourceOfFunds: JSONObject {
    var devicePayment = JSONObject([
      .init("cryptogramFormat", .string("3DSECURE")), .init("onlinePaymentCryptogram", .string(card.cryptogram)),
    ])
    devicePayment["eciIndicator"] = card.eciIndicator.map { .string($0) }
    var card = JSONObject([
      .init("number", .string(card.number)),
      .init(
        "expiry",
        .object(
          JSONObject([.init("month", .string(card.expiryMonth)), .init("year", .string(card.expiryYear))]))),
    ])
    card["nameOnCard"] = self.card.cardholderName.map { .string($0) }
    card["devicePayment"] = .object(devicePayment)
    return JSONObject([
      .init("provided", .nested(["card"], .object(card))), .init("type", .string("CARD")),
    ])
  }
}

extension MastercardPayment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "MastercardPayment(\(card.amount) \(card.currency.alphabeticCode))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
