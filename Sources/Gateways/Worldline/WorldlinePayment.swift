import PaymentToken

/// Worldline Direct, CreatePayment with decrypted data: `decryptedPaymentData`.
///
/// Amount and currency are the signed token's, unless the caller prefers the request. `description` shows only these
/// two and no card data.
public struct WorldlinePayment: Hashable, Sendable {
  private let card: CardDetails
  private let publicKeyHash: Bytes32
  private let ephemeralKey: [UInt8]?
  private let order: OrderFields

  /// The mode for the order's `capture`; FINAL_AUTHORIZATION by default.
  public var authorizationMode: WorldlineRequest.AuthorizationMode { order.authorizationMode }

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
    publicKeyHash = token.publicKeyHash
    ephemeralKey = token.ephemeralPublicKey
    self.order = order
  }

  /// The body of the request: card data in full, in the order of the gateway's document.
  public var json: JSONValue {
    let input: JSONObject = [
      "decryptedPaymentData": decryptedPaymentData, "paymentProductId": WorldlineRequest.paymentProductId,
      "authorizationMode": authorizationMode.rawValue, "publicKeyHash": Base64.encode(publicKeyHash.bytes),
      "ephemeralKey": ephemeralKey.map { Base64.encode($0) },
    ]
    return ["mobilePaymentMethodSpecificInput": input, "order": orderJSON]
  }

  private var decryptedPaymentData: JSONObject {
    [
      "dpan": card.number, "cryptogram": card.cryptogram, "expiryDate": card.expiryMonth + card.expiryYear,
      "cardholderName": card.cardholderName,
      // An integer, which drops the leading zero.
      "eci": card.eciIndicator.flatMap { Int($0) },
    ]
  }

  private var orderJSON: JSONObject {
    [
      "amountOfMoney": JSONObject(["amount": card.amount, "currencyCode": card.currency.alphabeticCode]),
      "customer": order.worldlineCustomer.map { JSONValue.raw($0) },
      "references": JSONObject(["merchantReference": order.reference]).nonEmpty,
    ]
  }
}

extension WorldlinePayment: RedactedReflection {
  public var description: String { "WorldlinePayment(\(card.amount) \(card.currency.alphabeticCode))" }
}
