import PaymentToken

/// Worldline Direct, CreatePayment, where the merchant has decrypted: `decryptedPaymentData`.
///
/// Amount and currency are the signed token's, unless the caller says otherwise. The description masks what the JSON says in full.
public struct WorldlinePayment: Hashable, Sendable {
  private let card: CardDetails
  private let publicKeyHash: Bytes32
  private let ephemeralKey: [UInt8]?
  private let order: OrderFields

  /// Nil in the order's fields: FINAL_AUTHORIZATION.
  public var authorizationMode: WorldlineRequest.AuthorizationMode { order.authorizationMode }

  /// - Parameters:
  ///   - token: a token that passed every stage; one that nobody signed cannot be sent on.
  ///   - order: what the request said beside the token; unsigned.
  ///   - choice: which counts where the two differ in amount or currency; nil refuses that.
  /// - Throws: `emvPayment`, `unknownCurrency`, `currencyWithoutMinorUnit`, `currencyDiffers`, `amountDiffers`,
  ///   `requestWithoutAmount`.
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
      // An integer there, which drops the leading zero.
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

extension WorldlinePayment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "WorldlinePayment(\(card.amount) \(card.currency.alphabeticCode))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
