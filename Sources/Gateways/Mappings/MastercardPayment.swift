import PaymentToken

/// Mastercard Gateway (CommWeb), AUTHORIZE or PAY, where the merchant has decrypted: `devicePayment` with the cryptogram.
///
/// Amount and currency are the signed token's. The description masks what the JSON says in full.
public struct MastercardPayment: Hashable, Sendable {
  private let card: CardDetails
  private let order: OrderFields

  /// Nil in the order's fields: AUTHORIZE.
  public var operation: MastercardRequest.Operation { order.capture == .purchase ? .pay : .authorize }

  /// - Parameters:
  ///   - token: a token that passed every stage; one that nobody signed cannot be sent on.
  ///   - order: what the request said beside the token; unsigned.
  /// - Throws: `emvPayment`, `unknownCurrency`, `currencyWithoutMinorUnit`.
  public init(_ token: DecryptedToken, _ order: OrderFields = OrderFields()) throws(MappingError) {
    card = try CardDetails(token.payment)
    self.order = order
  }

  /// The body of the request: card data in full.
  public var json: JSONValue {
    var request = JSONObject([
      .init("apiOperation", .string(operation.rawValue)), .init("order", .object(orderJSON)),
      .init("sourceOfFunds", .object(sourceOfFunds)), .init("transaction", .nested(["source"], .string("INTERNET"))),
    ])
    var device = JSONObject()
    device["ani"] = order.telephoneNumber.map { .string($0) }
    device["mobilePhoneModel"] = order.phoneModel.map { .string($0) }
    if !device.members.isEmpty { request["device"] = .object(device) }
    request["posTerminal"] = order.terminalLocation.map { .nested(["location"], .string($0.rawValue)) }
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
      .init("type", .string("CARD")), .init("provided", .nested(["card"], .object(card))),
    ])
  }
}

extension MastercardPayment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "MastercardPayment(\(card.amount) \(card.currency.alphabeticCode))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
