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
  /// What the request says that the payment is of.
  public var terms = RequestTerms(amount: nil, currency: nil)
  /// The merchant that the request says the token was made for.
  public var merchantIdentifier: String?

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
  case amount, currency

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
