/// The meaning of an error code for those who have to act on it.
public struct OnrampMeaning: Hashable, Sendable {
  /// Who can resolve the error.
  @nonexhaustive
  public enum Actor: String, Hashable, Sendable, CaseIterable {
    /// The payer.
    case user
    /// The maker of the order.
    case merchant
    case coinbase
    case nobody
  }

  /// Whether the card was charged.
  @nonexhaustive
  public enum Charge: String, Hashable, Sendable, CaseIterable {
    case notCharged
    /// Promised by the documents, but not done yet.
    case willBeRefunded
    /// Only the order's status says.
    case unknown
  }

  /// Whether the order is over; another try needs a new order.
  public let isTerminal: Bool
  /// Whether another try can succeed after following `advice`.
  public let mayRetry: Bool
  /// Who can resolve the error.
  public let actor: Actor
  /// Whether a web site can ignore it.
  public let isIgnorableOnWeb: Bool
  /// Whether the card was charged.
  public let charge: Charge
  /// What happened and what to do, one sentence.
  public let advice: String
}

extension OnrampErrorCode {
  /// The meaning of the code.
  public var meaning: OnrampMeaning {
    switch self {
    case .initialization:
      .order(
        .merchant, retry: false, charge: .unknown,
        "The payment link is no longer valid: unless the order's status says paid, create a new order and show its link."
      )
    case .applePayNotSupported:
      OnrampMeaning(
        isTerminal: false, mayRetry: false, actor: .nobody, isIgnorableOnWeb: true, charge: .notCharged,
        advice: "The device or browser does not support Apple Pay: on the web ignore it, the page falls back to a QR "
          + "code; in an app offer another way to pay.")
    case .applePayNotSetUp:
      .sheet("The user has not set up Apple Pay: ask them to add a card to Wallet and to try again.")
    case .merchantValidationTimedOut:
      .sheet(
        "Apple Pay could not validate the merchant in time: ask the user to check the connection and to try again.")
    case .merchantValidationFailed:
      .sheet(
        "Apple Pay could not validate the merchant: ask the user to try again, and if many users fail, check domain and "
          + "configuration with Coinbase.")
    case .cardSoftDeclined:
      .sheet(
        "The bank declined the payment (Apple Cash ends here, too): ask the user to call the bank or to use another "
          + "debit card.")
    case .invalidCard:
      .sheet("Card or billing address are invalid: ask the user to correct them in Wallet or to use another card.")
    case .cardInsufficientBalance:
      .sheet("The card's balance is too low: ask the user to use another debit card, or order less.")
    case .cardHardDeclined:
      .sheet("The issuing bank declined the transaction: ask the user to use another debit card.")
    case .cardPrepaidDeclined:
      .sheet("A prepaid card was used, which is not accepted: ask the user to use another debit card.")
    case .cardRiskDeclined:
      .order(
        .nobody, retry: false, "Coinbase's risk rules stopped the transaction: do not try again, offer another way.")
    case .regionMismatch:
      .order(.nobody, retry: false, "The service is not offered in the user's region: offer another way to pay.")
    case .permissionDenied:
      .order(
        .nobody, retry: false, "The user is blocked from Onramp: do not try again, offer another way to pay.")
    case .transactionLimit:
      .order(
        .user, retry: true, "The user's weekly limit would be exceeded: order less, or wait until the week is over.")
    case .transactionCount:
      .order(
        .nobody, retry: false,
        "The user has made all the transactions that are allowed in a lifetime (now 15): offer another way to pay.")
    case .buyFailed:
      .order(
        .nobody, retry: false,
        "The purchase failed, probably at a risk check, and the card is not charged: offer another way to pay.")
    case .sendFailed, .sendFailedShort:
      .order(
        .merchant, retry: true, charge: .willBeRefunded,
        "The funds could not be sent and the card will be refunded: check the destination address, then make a new order."
      )
    case .addressValidationFailed, .addressValidationFailedShort:
      .order(
        .user, retry: true,
        "The billing address could not be validated and the card is not charged: ask the user to compare it with the "
          + "bank's, then make a new order.")
    case .transactionFailed, .transactionFailedShort:
      .order(
        .coinbase, retry: false, charge: .unknown,
        "An internal error at Coinbase, which is being looked into: ask for the order's status before anything else.")
    }
  }
}

extension OnrampMeaning {
  /// The meaning of every `session_error`: the document says neither what it was about nor whether money moved.
  static let sessionEnded = order(
    .merchant, retry: false, charge: .unknown,
    "The page cannot continue: close it, and ask for the order's status before making a new order.")

  /// The order stays open: the user may press the button again.
  fileprivate static func sheet(_ advice: String) -> OnrampMeaning {
    OnrampMeaning(
      isTerminal: false, mayRetry: true, actor: .user, isIgnorableOnWeb: false, charge: .notCharged, advice: advice)
  }

  fileprivate static func order(
    _ actor: Actor, retry: Bool, charge: Charge = .notCharged, _ advice: String
  ) -> OnrampMeaning {
    OnrampMeaning(
      isTerminal: true, mayRetry: retry, actor: actor, isIgnorableOnWeb: false, charge: charge, advice: advice)
  }
}
