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
  public var authorizationMode: WorldlineRequest.AuthorizationMode {
    order.capture == .purchase ? .sale : .finalAuthorization
  }

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
    if let own = order.customer {
      object["customer"] = .raw(own)
    } else if !customer.members.isEmpty {
      object["customer"] = .object(customer)
    }
    object["references"] = order.reference.map { .nested(["merchantReference"], .string($0)) }
    return .object(object)
  }

  private var customer: JSONObject {
    var customer = JSONObject()
    let billing = order.billingContact
    // Apple Pay sheets ask for the e-mail address as part of the shipping contact.
    customer["contactDetails"] = Self.contactDetails([billing, order.shippingContact])
    if let name = billing?.nameJSON ?? order.shippingContact?.nameJSON {
      customer["personalInformation"] = .nested(["name"], name)
    }
    customer["billingAddress"] = billing?.addressJSON
    if var address = order.shippingContact?.addressJSON {
      var object = JSONObject()
      object["name"] = order.shippingContact?.nameJSON
      object.members += address.object.members
      address.object = object
      customer["shippingAddress"] = address
    }
    return customer
  }

  private static func contactDetails(_ contacts: [PaymentContact?]) -> JSONValue? {
    let contacts = contacts.compactMap { $0 }
    var details = JSONObject()
    details["emailAddress"] = contacts.first { !$0.emailAddress.isEmpty }.map { .string($0.emailAddress) }
    details["phoneNumber"] = contacts.first { !$0.phoneNumber.isEmpty }.map { .string($0.phoneNumber) }
    return details.members.isEmpty ? nil : .object(details)
  }
}

extension PaymentContact {
  /// `personalInformation.name`; nil when there is none.
  fileprivate var nameJSON: JSONValue? {
    JSONObject.text([("firstName", givenName), ("surname", familyName)])
  }

  /// An address as Worldline writes it; nil when there is none.
  fileprivate var addressJSON: JSONValue? {
    JSONObject.text([
      ("street", addressLines.first ?? ""),
      ("additionalInfo", addressLines.dropFirst().filter { !$0.isEmpty }.joined(separator: ", ")),
      ("city", locality), ("state", administrativeArea), ("zip", postalCode), ("countryCode", countryCode),
    ])
  }
}

extension JSONObject {
  /// Those of the strings that are not empty; nil when all are.
  fileprivate static func text(_ members: [(name: String, text: String)]) -> JSONValue? {
    let members = members.filter { !$0.text.isEmpty }.map { Member($0.name, .string($0.text)) }
    return members.isEmpty ? nil : .object(JSONObject(members))
  }
}

extension WorldlinePayment: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "WorldlinePayment(\(card.amount) \(card.currency.alphabeticCode))" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
