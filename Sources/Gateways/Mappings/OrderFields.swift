import PaymentToken

/// The order details of a request, which a merchant that decrypts sends on with the payment.
///
/// They are unsigned: amount and currency are the token's, unless the caller prefers the request.
public struct OrderFields: Hashable, Sendable {
  /// Whether the money is taken at once.
  @nonexhaustive
  public enum Capture: String, Hashable, Sendable, CaseIterable {
    /// Worldline FINAL_AUTHORIZATION, Mastercard Gateway AUTHORIZE, Bambora `complete` false.
    case authorization
    /// Worldline SALE, Mastercard Gateway PAY, Bambora `complete` true.
    case purchase
  }

  /// Nil if the request does not say: then it is an authorization, which takes no money yet.
  public var capture: Capture?
  /// The operation of the Mastercard Gateway; nil if the request does not say: then `capture` determines it.
  public var operation: MastercardRequest.Operation?
  /// The merchant's name for the order.
  public var reference: String?
  /// A description of the order, for people.
  public var summary: String?
  /// The gateway's name for the order: AlphaPay's `paymentId`, the Mastercard Gateway's `order.id`.
  public var paymentIdentifier: String?
  /// The merchant's name for the customer.
  public var customerIdentifier: String?
  /// The card as displayed to the cardholder.
  public var paymentMethod: PaymentMethod?
  /// The payer.
  public var billingContact: PaymentContact?
  /// The recipient of the goods.
  public var shippingContact: PaymentContact?
  /// Worldline's `order.customer` as written in the request, a JSON object; takes precedence over the contacts.
  public var customer: [UInt8]?
  /// `device.ani`: the telephone number the order came from.
  public var telephoneNumber: String?
  /// `device.mobilePhoneModel`
  public var phoneModel: String?
  /// `posTerminal.location`
  public var terminalLocation: MastercardRequest.TerminalLocation?
  /// The address that the customer returns to, `https://`.
  public var returnAddress: String?
  /// The address that the gateway reports the payment to, `https://`.
  public var notificationAddress: String?
  /// The customer's language, `en_GB`.
  public var locale: String?
  /// The amount and currency that the request names.
  public var terms = RequestTerms(amount: nil, currency: nil)
  /// The merchant that the request names as the recipient of the token.
  public var merchantIdentifier: String?

  /// The text fields, with their names in an order document.
  static let texts: [(name: String, member: WritableKeyPath<OrderFields, String?> & Sendable)] = [
    ("reference", \.reference), ("summary", \.summary), ("paymentIdentifier", \.paymentIdentifier),
    ("customerIdentifier", \.customerIdentifier), ("merchantIdentifier", \.merchantIdentifier),
    ("telephoneNumber", \.telephoneNumber), ("phoneModel", \.phoneModel), ("returnAddress", \.returnAddress),
    ("notificationAddress", \.notificationAddress), ("locale", \.locale),
  ]

  /// No fields.
  public init() {}

  /// The fields of a request in an envelope; absent fields stay nil.
  ///
  /// - Throws: the errors of the gateway's `order`.
  public init(of request: Span<UInt8>, in envelope: Envelope) throws(RequestError) {
    guard let gateway = Gateway.named(envelope.name) else {
      self.init()
      return
    }
    self = try gateway.order(request)
  }
}

/// A field in which the request and the token differ.
@nonexhaustive
public enum OrderDifference: String, Hashable, Sendable, CaseIterable {
  case amount, currency, merchant
  /// The gateway's order identifier.
  case order

  /// Which of two differing values is sent on.
  @nonexhaustive
  public enum Choice: String, Hashable, Sendable, CaseIterable {
    /// The value that Apple signed and the customer saw.
    case token
    /// The value in the request. Choose it only if the merchant itself wrote the request.
    case request
  }
}

extension OrderFields {
  /// The fields that the request names and that differ from the payment, or cannot be compared with it.
  public func differences(from payment: Payment) -> [OrderDifference] {
    var differences: [OrderDifference] = []
    let currency = Currency.numeric(payment.currencyCode)
    if let named = terms.currency, named != currency { differences.append(.currency) }
    guard terms.amount != nil else { return differences }
    // An amount in another currency is not the same amount, whatever its digits.
    if !differences.isEmpty || (try? terms.transactionAmount(in: currency)) != payment.transactionAmount {
      differences.append(.amount)
    }
    return differences
  }

  /// Why the amount cannot be written in any body; nil if it can, or if the amount or its currency is absent.
  package var amountError: AmountError? { terms.currency.flatMap { terms.amountError(in: $0) } }

  /// Minor units; nil without an amount, for one that does not fit its currency, and for major units without a
  /// currency.
  var minorUnits: Int64? { amountError == nil ? try? terms.transactionAmount() : nil }

  /// Major units with all of the currency's decimals. Major units that do not fit the currency, or have none, stay as
  /// written, so that a check of the body finds them. Nil without an amount, and for minor units that cannot be
  /// converted.
  var decimalAmount: String? {
    if let currency = terms.currency, let minorUnits { return try? currency.decimalText(ofMinorUnits: minorUnits) }
    guard case .decimal(let text)? = terms.amount else { return nil }
    return text
  }

  /// The fields with the amount to send on for this payment, in minor units; the token's amount if the request names
  /// none.
  ///
  /// - Parameters:
  ///   - payment: the decrypted payment.
  ///   - choice: which to use if payment and order differ in amount or currency; if nil, a difference is an error.
  /// - Throws: `unknownCurrency`, `currencyDiffers`, `amountDiffers`, `invalidAmount`, `currencyWithoutMinorUnit`;
  ///   `requestWithoutAmount` if the request is preferred and its amount does not fit its currency, or it names another
  ///   currency without an amount.
  public func resolved(
    with payment: Payment, preferring choice: OrderDifference.Choice? = nil
  ) throws(MappingError) -> OrderFields {
    guard let signed = Currency.numeric(payment.currencyCode) else { throw .unknownCurrency }
    let named = terms.currency ?? signed
    // If another currency than the token's has no minor unit, `currencyDiffers` is reported below.
    if choice == nil, let error = terms.amountError(in: named), error != .noExponent || named == signed {
      throw MappingError(error)
    }
    let differences = differences(from: payment)
    guard choice != nil || differences.isEmpty else {
      throw differences.contains(.currency) ? .currencyDiffers : .amountDiffers
    }
    let currency = choice == .request ? terms.currency ?? signed : signed
    guard currency.exponent != nil else { throw .currencyWithoutMinorUnit }
    var order = self
    order.terms = RequestTerms(
      amount: .minorUnits(try amount(of: payment, in: currency, preferring: choice)), currency: currency)
    return order
  }

  private func amount(
    of payment: Payment, in currency: Currency, preferring choice: OrderDifference.Choice?
  ) throws(MappingError) -> Int64 {
    guard choice == .request, terms.amount != nil else {
      // The token's digits mean another amount in another currency.
      guard currency.numericCode == payment.currencyCode else { throw .requestWithoutAmount(nil) }
      return payment.transactionAmount
    }
    guard let amount = try? terms.transactionAmount(in: currency), terms.amountError(in: currency) == nil else {
      throw .requestWithoutAmount(terms.amountError(in: currency))
    }
    return amount
  }

  /// The fields, overridden by those that `other` has. The `capture` and contacts of `other` also override `operation`
  /// and `customer`, which state the same in a gateway's own terms.
  public func overlaid(by other: OrderFields) -> OrderFields {
    var order = self
    order.capture = other.capture ?? capture
    order.operation = other.operation ?? (other.capture == nil ? operation : nil)
    for (_, text) in Self.texts { order[keyPath: text] = other[keyPath: text] ?? self[keyPath: text] }
    order.paymentMethod = other.paymentMethod ?? paymentMethod
    order.billingContact = other.billingContact ?? billingContact
    order.shippingContact = other.shippingContact ?? shippingContact
    let hasContacts = other.billingContact != nil || other.shippingContact != nil
    order.customer = other.customer ?? (hasContacts ? nil : customer)
    order.terminalLocation = other.terminalLocation ?? terminalLocation
    order.terms = RequestTerms(
      amount: other.terms.amount ?? terms.amount, currency: other.terms.currency ?? terms.currency)
    return order
  }

  /// The fields that both orders have and in which they differ.
  public func differences(from other: OrderFields) -> [OrderDifference] {
    var differences: [OrderDifference] = []
    if let own = terms.currency, let others = other.terms.currency, own != others { differences.append(.currency) }
    if terms.amount != nil, other.terms.amount != nil, terms != other.terms {
      let currency = terms.currency ?? other.terms.currency
      let own = try? terms.transactionAmount(in: currency)
      if own == nil || own != (try? other.terms.transactionAmount(in: currency)) { differences.append(.amount) }
    }
    if let own = merchantIdentifier, let others = other.merchantIdentifier, own != others {
      differences.append(.merchant)
    }
    if let own = paymentIdentifier, let others = other.paymentIdentifier, own != others { differences.append(.order) }
    return differences
  }
}
