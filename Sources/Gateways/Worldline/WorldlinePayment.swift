import PaymentToken

/// Worldline Direct, CreatePayment, where the merchant has decrypted: `decryptedPaymentData`.
///
/// Amount and currency are the signed token's, unless the caller says otherwise. The description masks what the JSON says in full.
public struct WorldlinePayment: Hashable, Sendable {
  private let card: CardDetails
  private let publicKeyHash: Octets32
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
    _ token: DecryptedToken, _ order: OrderFields = OrderFields(), counting choice: OrderDifference.Choice? = nil
  ) throws(MappingError) {
    card = try CardDetails(token.payment, order, counting: choice)
    publicKeyHash = token.publicKeyHash
    ephemeralKey = token.ephemeralPublicKey
    self.order = order
  }

  /// The body of the request: card data in full, in the order of the gateway's document.
  public var json: JSONValue {
    .object(
      JSONObject([
        .init("mobilePaymentMethodSpecificInput", .object(input)), .init("order", orderJSON),
      ]))
  }

  private var input: JSONObject {
    var input = JSONObject([
      .init("decryptedPaymentData", .object(decryptedPaymentData)),
      .init("paymentProductId", .raw(String(WorldlineRequest.paymentProductId))),
      .init("authorizationMode", .string(authorizationMode.rawValue)),
      .init("publicKeyHash", .string(Base64.encode(publicKeyHash.bytes))),
    ])
    input["ephemeralKey"] = ephemeralKey.map { .string(Base64.encode($0)) }
    return input
  }

  private var decryptedPaymentData: JSONObject {
    var data = JSONObject()
    data["dpan"] = .string(card.number)
    data["cryptogram"] = .string(card.cryptogram)
    data["expiryDate"] = .string(card.expiryMonth + card.expiryYear)
    data["cardholderName"] = card.cardholderName.map { .string($0) }
    // An integer there, which drops the leading zero.
    data["eci"] = card.eciIndicator.flatMap { Int($0) }.map { .raw(String($0)) }
    return data
  }

  private var orderJSON: JSONValue {
    let money = JSONObject([
      .init("amount", .raw(String(card.amount))),
      .init("currencyCode", .string(card.currency.alphabeticCode)),
    ])
    var object = JSONObject([.init("amountOfMoney", .object(money))])
    object["customer"] = order.worldlineCustomer.map { .raw($0) }
    object["references"] = order.reference.map { .nested(["merchantReference"], .string($0)) }
    return .object(object)
  }
}

extension WorldlinePayment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "WorldlinePayment(\(card.amount) \(card.currency.alphabeticCode))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
