import PaymentToken

/// What a request says beside its token and a merchant that decrypts sends on.
///
/// Nobody signs it: what is paid is the token's to say, unless the caller says that the request counts.
public struct OrderFields: Hashable, Sendable {
  /// Whether the money is taken at once.
  public enum Capture: String, Hashable, Sendable, CaseIterable {
    /// Worldline FINAL_AUTHORIZATION, Mastercard Gateway AUTHORIZE, Bambora `complete` false.
    case authorization
    /// Worldline SALE, Mastercard Gateway PAY, Bambora `complete` true.
    case purchase
  }

  /// Nil when the request does not say: an authorization, which takes nothing yet.
  public var capture: Capture?
  /// What the Mastercard Gateway is asked for; nil when the request does not say: what `capture` says.
  public var operation: MastercardRequest.Operation?
  /// The merchant's name for the order.
  public var reference: String?
  /// What is ordered, for people.
  public var summary: String?
  /// The gateway's name for the order: AlphaPay's `paymentId`.
  public var paymentIdentifier: String?
  /// The merchant's name for the customer.
  public var customerIdentifier: String?
  /// The card as it is shown to its holder.
  public var paymentMethod: PaymentMethod?
  /// Who pays.
  public var billingContact: PaymentContact?
  /// Who is sent the goods.
  public var shippingContact: PaymentContact?
  /// Worldline's `order.customer` as the request has it, a JSON object; it comes before what the contacts say.
  public var customer: [UInt8]?
  /// `device.ani`: the telephone number the order came from.
  public var telephoneNumber: String?
  /// `device.mobilePhoneModel`
  public var phoneModel: String?
  /// `posTerminal.location`
  public var terminalLocation: MastercardRequest.TerminalLocation?
  /// Where the customer returns to, `https://`.
  public var returnAddress: String?
  /// Where the gateway reports the payment, `https://`.
  public var notificationAddress: String?
  /// The customer's language, `en_GB`.
  public var locale: String?
  /// What the request says that the payment is of.
  public var terms = RequestTerms(amount: nil, currency: nil)
  /// The merchant that the request says the token was made for.
  public var merchantIdentifier: String?

  /// Those that are a text, by what an order's document calls them.
  static let texts: [(name: String, member: WritableKeyPath<OrderFields, String?> & Sendable)] = [
    ("reference", \.reference), ("summary", \.summary), ("paymentIdentifier", \.paymentIdentifier),
    ("customerIdentifier", \.customerIdentifier), ("merchantIdentifier", \.merchantIdentifier),
    ("telephoneNumber", \.telephoneNumber), ("phoneModel", \.phoneModel), ("returnAddress", \.returnAddress),
    ("notificationAddress", \.notificationAddress), ("locale", \.locale),
  ]

  /// None at all.
  public init() {}

  /// The fields of a request that came in an envelope; an absent field stays nil.
  ///
  /// - Throws: what the readers of the gateway's requests throw.
  public init(of request: Span<UInt8>, in envelope: Envelope) throws(RequestError) {
    guard let gateway = Gateway.named(envelope.name) else {
      self.init()
      return
    }
    self = try gateway.order(request)
  }
}

/// Something that the request says otherwise than the token.
public enum OrderDifference: String, Hashable, Sendable, CaseIterable {
  case amount, currency, merchant
  /// The gateway's name for the order.
  case order

  /// Which of two that differ is sent on.
  public enum Choice: String, Hashable, Sendable, CaseIterable {
    /// What Apple signed, and the customer saw.
    case token
    /// What whoever sent the request wrote: that must be the merchant itself.
    case request
  }
}

extension OrderFields {
  /// What the request says otherwise than the payment, or in a way that cannot be compared; nothing of what it does not say.
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
}

extension OrderFields {
  /// Minor units; nil where the request does not say them, or an amount that its currency does not have.
  var minorUnits: Int64? {
    if let currency = terms.currency, currency.exponent == nil { return nil }
    return try? terms.transactionAmount()
  }

  /// Major units with all of the currency's decimals; as written where that is no amount of the currency, for a check to find.
  var decimalAmount: String? {
    if let currency = terms.currency, let minorUnits { return try? currency.decimalText(ofMinorUnits: minorUnits) }
    guard case .decimal(let text)? = terms.amount else { return nil }
    return text
  }

  /// The fields with the amount that is sent on for a token of this payment, in minor units: where nothing is said, the token's.
  ///
  /// - Parameter choice: which counts where the two differ in amount or currency; nil refuses that.
  /// - Throws: `unknownCurrency`, `currencyDiffers`, `amountDiffers`, `currencyWithoutMinorUnit`; `requestWithoutAmount` where the
  ///   request counts and its amount is not one of its currency, or it names a currency of its own and no amount.
  public func resolved(
    with payment: Payment, preferring choice: OrderDifference.Choice? = nil
  ) throws(MappingError) -> OrderFields {
    guard let signed = Currency.numeric(payment.currencyCode) else { throw .unknownCurrency }
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

  /// The amount that counts, in minor units.
  private func amount(
    of payment: Payment, in currency: Currency, preferring choice: OrderDifference.Choice?
  ) throws(MappingError) -> Int64 {
    guard choice == .request, terms.amount != nil else {
      // The token's digits mean another amount in another currency.
      guard currency.numericCode == payment.currencyCode else { throw .requestWithoutAmount }
      return payment.transactionAmount
    }
    guard let amount = try? terms.transactionAmount(in: currency) else { throw .requestWithoutAmount }
    return amount
  }

  /// The fields with those that another has put in their place. What another says of `capture` and of contacts takes the place of
  /// `operation` and `customer` as well, which say the same in a gateway's own words.
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

  /// What both say of the payment, and not the same.
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
