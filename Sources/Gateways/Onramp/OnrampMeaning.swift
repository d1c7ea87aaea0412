/// What an error code means to those who have to act upon it.
public struct OnrampMeaning: Hashable, Sendable {
  /// Who can do something about it.
  public enum Actor: String, Hashable, Sendable, CaseIterable {
    /// Who pays.
    case user
    /// Who made the order.
    case merchant
    case coinbase
    case nobody
  }

  /// What became of the money.
  public enum Charge: String, Hashable, Sendable, CaseIterable {
    case notCharged
    /// The documents promise it; it has not happened yet.
    case willBeRefunded
    /// Neither the event nor the documents say; the order's status does.
    case unknown
  }

  /// Whether nothing more can come of this order; another try needs a new one.
  public let isTerminal: Bool
  /// Whether another try, after what `advice` says, can succeed.
  public let mayRetry: Bool
  /// Who can do something about it.
  public let actor: Actor
  /// Whether it can be ignored where the page stands in a web site.
  public let isIgnorableOnWeb: Bool
  /// What became of the money.
  public let charge: Charge
  /// What happened and what to do, one sentence.
  public let advice: String
}

extension OnrampErrorCode {
  /// What the code means.
  public var meaning: OnrampMeaning {
    switch self {
    case .initialization:
      .order(.merchant, retry: true, "The payment link is no longer valid: create a new order and show its link.")
    case .applePayNotSupported:
      OnrampMeaning(
        isTerminal: false, mayRetry: false, actor: .nobody, isIgnorableOnWeb: true, charge: .notCharged,
        advice: "The device or browser has no Apple Pay: on the web ignore it, the page falls back to a QR code; in an "
          + "app offer another way to pay.")
    case .applePayNotSetUp:
      .sheet("The user has not set up Apple Pay: ask them to add a card to Wallet and to try again.")
    case .cardSoftDeclined:
      .sheet(
        "The bank declined the payment (Apple Cash ends here, too): ask the user to call the bank or to take another "
          + "debit card.")
    case .invalidCard:
      .sheet("Card or billing address are invalid: ask the user to correct them in Wallet or to take another card.")
    case .cardInsufficientBalance:
      .sheet("The card's balance is too low: ask the user to take another debit card, or order less.")
    case .cardHardDeclined:
      .sheet("The issuing bank declined the transaction: ask the user to take another debit card.")
    case .cardPrepaidDeclined:
      .sheet("A prepaid card was used, which is not accepted: ask the user to take another debit card.")
    case .cardRiskDeclined:
      .order(
        .nobody, retry: false, "Coinbase's risk rules stopped the transaction: do not try again, offer another way.")
    case .regionMismatch:
      .order(.nobody, retry: false, "The user is where the service is not offered: offer another way to pay.")
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
  /// The order lives on: the user may press the button again.
  fileprivate static func sheet(_ advice: String) -> OnrampMeaning {
    OnrampMeaning(
      isTerminal: false, mayRetry: true, actor: .user, isIgnorableOnWeb: false, charge: .notCharged, advice: advice)
  }

  /// The order is over.
  fileprivate static func order(
    _ actor: Actor, retry: Bool, charge: Charge = .notCharged, _ advice: String
  ) -> OnrampMeaning {
    OnrampMeaning(
      isTerminal: true, mayRetry: retry, actor: actor, isIgnorableOnWeb: false, charge: charge, advice: advice)
  }
}
