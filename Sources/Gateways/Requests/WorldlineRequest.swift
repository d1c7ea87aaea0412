import PaymentToken

/// Worldline Direct, CreatePayment, where Worldline decrypts: the token in parts.
public struct WorldlineRequest: Hashable, Sendable {
  public enum AuthorizationMode: String, Hashable, Sendable, CaseIterable {
    case finalAuthorization = "FINAL_AUTHORIZATION"
    case sale = "SALE"
  }

  /// Minor units.
  public var amount: Int64
  /// ISO 4217, three letters.
  public var currencyCode: String
  public var merchantReference: String
  public var authorizationMode = AuthorizationMode.finalAuthorization
  /// Whether `signature`, `transactionId` and `applicationData` travel along, which the gateway does not ask for.
  public var isSigned = false

  /// A request that pays for what `details` say.
  public init(_ details: RequestDetails) {
    amount = details.amount
    currencyCode = details.currency
    merchantReference = details.identifier
  }

  /// Apple Pay among Worldline's payment products.
  public static var paymentProductId: Int { 302 }

  /// The request's JSON around a token.
  public func json(around token: EnclosedToken) -> JSONValue {
    let money = JSONObject([
      .init("amount", .raw(String(amount))), .init("currencyCode", .string(currencyCode)),
    ])
    let references = JSONObject([.init("merchantReference", .string(merchantReference))])
    var input = JSONObject([
      .init("paymentProductId", .raw(String(Self.paymentProductId))),
      .init("authorizationMode", .string(authorizationMode.rawValue)),
    ])
    input["encryptedPaymentData"] = token.value(.data)
    input["ephemeralPublicKey"] = token.value(.ephemeralPublicKey)
    input["publicKeyHash"] = token.value(.publicKeyHash)
    if isSigned {
      input["signature"] = token.value(.signature)
      input["transactionId"] = token.value(.transactionId)
      input["applicationData"] = token.value(.applicationData)
    }
    let order = JSONObject([
      .init("amountOfMoney", .object(money)), .init("references", .object(references)),
    ])
    return .object(
      JSONObject([.init("order", .object(order)), .init("mobilePaymentMethodSpecificInput", .object(input))]))
  }
}
