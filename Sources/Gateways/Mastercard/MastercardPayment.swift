import PaymentToken

/// Mastercard Gateway (CommWeb), AUTHORIZE, PAY or UPDATE SESSION with decrypted data: `devicePayment` with the
/// cryptogram.
///
/// Amount and currency are the signed token's, unless the caller prefers the request. `description` shows only these
/// two and no card data.
public struct MastercardPayment: Hashable, Sendable {
  private let card: CardDetails
  private let order: OrderFields

  /// The order's operation; if it names none, PAY for a purchase and AUTHORIZE otherwise.
  public var operation: MastercardRequest.Operation { order.mastercardOperation }

  /// - Parameters:
  ///   - token: a token that passed every stage; an unsigned token cannot be sent on.
  ///   - order: the unsigned order details of the request.
  ///   - choice: which to use if token and order differ in amount or currency; if nil, a difference is an error.
  /// - Throws: `emvPayment`, `unknownCurrency`, `currencyWithoutMinorUnit`, `currencyDiffers`, `amountDiffers`,
  ///   `invalidAmount`, `requestWithoutAmount`.
  public init(
    _ token: DecryptedToken, _ order: OrderFields = OrderFields(), preferring choice: OrderDifference.Choice? = nil
  ) throws(MappingError) {
    card = try CardDetails(token.payment, order, preferring: choice)
    self.order = order
  }

  /// The body of the request: card data in full, in the order of the gateway's document.
  public var json: JSONValue {
    [
      // UPDATE SESSION is named by its address.
      "apiOperation": operation == .updateSession ? nil : operation.rawValue,
      "order": JSONObject([
        "amount": card.decimalAmount, "currency": card.currency.alphabeticCode, "reference": order.reference,
        "walletProvider": "APPLE_PAY",
      ]),
      "sourceOfFunds": sourceOfFunds,
      "device": JSONObject(["ani": order.telephoneNumber, "mobilePhoneModel": order.phoneModel]).nonEmpty,
      "posTerminal": JSONObject(["location": order.terminalLocation?.rawValue]).nonEmpty,
      "transaction": JSONObject(["source": "INTERNET"]),
    ]
  }

  private var sourceOfFunds: JSONObject {
    let devicePayment: JSONObject = [
      "cryptogramFormat": "3DSECURE", "onlinePaymentCryptogram": card.cryptogram, "eciIndicator": card.eciIndicator,
    ]
    let card: JSONObject = [
      "number": card.number, "expiry": JSONObject(["month": card.expiryMonth, "year": card.expiryYear]),
      "nameOnCard": card.cardholderName, "devicePayment": devicePayment,
    ]
    return ["provided": JSONObject(["card": card]), "type": "CARD"]
  }
}

extension MastercardPayment: RedactedReflection {
  public var description: String { "MastercardPayment(\(card.amount) \(card.currency.alphabeticCode))" }
}
