/// What Coinbase Onramp's payment page posts to the page or app that shows it.
public struct OnrampEvent: Hashable, Sendable {
  /// The events, in the order of a payment.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    case loadPending = "onramp_api.load_pending"
    case loadSuccess = "onramp_api.load_success"
    case loadError = "onramp_api.load_error"
    case commitSuccess = "onramp_api.commit_success"
    case commitError = "onramp_api.commit_error"
    case cancel = "onramp_api.cancel"
    case pollingStart = "onramp_api.polling_start"
    case pollingSuccess = "onramp_api.polling_success"
    case pollingError = "onramp_api.polling_error"

    /// Whether it brings an error code.
    public var carriesError: Bool { [.loadError, .commitError, .pollingError].contains(self) }

    /// Whether nothing follows it: the payment is over.
    public var isTerminal: Bool { [.pollingSuccess, .pollingError].contains(self) }

    /// What happened and what to do, one sentence.
    public var advice: String {
      switch self {
      case .loadPending: "The page fetches what it needs: wait."
      case .loadSuccess: "The button is there: the user may press it."
      case .loadError: "The button could not be shown: act upon the code."
      case .commitSuccess: "The payment was started: keep the page open and wait for its end."
      case .commitError: "The payment could not be started: act upon the code."
      case .cancel: "The user closed the payment sheet: nothing is charged, and the button may be pressed again."
      case .pollingStart: "The page asks for the payment's result: keep it open and wait."
      case .pollingSuccess: "The payment succeeded and the funds are sent: nothing is left to do."
      case .pollingError: "The payment failed after it was started: act upon the code."
      }
    }
  }

  /// Why an error event was posted.
  public struct Failure: Hashable, Sendable {
    /// The code as posted; new ones come without notice.
    public let code: String
    /// For the user, in their language; nil when there is none.
    public let message: String?

    /// A code as posted, with the page's words for the user.
    public init(code: String, message: String? = nil) {
      self.code = code
      self.message = message
    }

    /// The code, if it is one of those described.
    public var knownCode: OnrampErrorCode? { OnrampErrorCode(exactly: code) }
  }

  /// What happened.
  public let name: Name
  /// Of error events, and of no other.
  public let failure: Failure?

  /// An event that is no error; nil for a name that needs a code.
  public init?(_ name: Name) {
    guard !name.carriesError else { return nil }
    self.name = name
    failure = nil
  }

  /// An error event; nil for a name that brings no code.
  public init?(_ name: Name, _ failure: Failure) {
    guard name.carriesError else { return nil }
    self.name = name
    self.failure = failure
  }

  /// The event of a code.
  public init(_ code: OnrampErrorCode, message: String? = nil) {
    name = code.event
    failure = Failure(code: code.rawValue, message: message)
  }

  /// What its code means; nil of an event that is no error, of a code that is not described, and of one that belongs to another
  /// event: what it says of the card there need not hold here.
  public var meaning: OnrampMeaning? {
    failure?.knownCode.flatMap { $0.event == name ? $0.meaning : nil }
  }

  /// What happened and what to do, one sentence.
  public var advice: String {
    guard failure != nil else { return name.advice }
    return meaning?.advice
      ?? "The code is not described: look it up in Coinbase's documents, and ask for the order's status."
  }

  /// As the page posts it: `{"eventName":…}`, with `"data":{"errorCode":…,"errorMessage":…}` in error events.
  public var json: JSONValue {
    let data = failure.map { JSONObject(["errorCode": $0.code, "errorMessage": $0.message]) }
    return ["eventName": name.rawValue, "data": data]
  }
}

/// The error codes that Coinbase Onramp's payment page posts ("Headless Onramp", "Post message events").
///
/// Three codes of `polling_error` are written in two ways, with TRANSACTION after GUEST and without: both are read, mean
/// the same, and are written as they were read.
public enum OnrampErrorCode: String, Hashable, Sendable, CaseIterable {
  case initialization = "ERROR_CODE_INIT"
  case applePayNotSupported = "ERROR_CODE_GUEST_APPLE_PAY_NOT_SUPPORTED"
  case applePayNotSetUp = "ERROR_CODE_GUEST_APPLE_PAY_NOT_SETUP"

  case cardSoftDeclined = "ERROR_CODE_GUEST_CARD_SOFT_DECLINED"
  case invalidCard = "ERROR_CODE_GUEST_INVALID_CARD"
  case cardInsufficientBalance = "ERROR_CODE_GUEST_CARD_INSUFFICIENT_BALANCE"
  case cardHardDeclined = "ERROR_CODE_GUEST_CARD_HARD_DECLINED"
  case cardRiskDeclined = "ERROR_CODE_GUEST_CARD_RISK_DECLINED"
  case regionMismatch = "ERROR_CODE_GUEST_REGION_MISMATCH"
  case permissionDenied = "ERROR_CODE_GUEST_PERMISSION_DENIED"
  case cardPrepaidDeclined = "ERROR_CODE_GUEST_CARD_PREPAID_DECLINED"
  case transactionLimit = "ERROR_CODE_GUEST_TRANSACTION_LIMIT"
  case transactionCount = "ERROR_CODE_GUEST_TRANSACTION_COUNT"

  case buyFailed = "ERROR_CODE_GUEST_TRANSACTION_BUY_FAILED"
  case sendFailed = "ERROR_CODE_GUEST_TRANSACTION_SEND_FAILED"
  case sendFailedShort = "ERROR_CODE_GUEST_SEND_FAILED"
  case transactionFailed = "ERROR_CODE_GUEST_TRANSACTION_TRANSACTION_FAILED"
  case transactionFailedShort = "ERROR_CODE_GUEST_TRANSACTION_FAILED"
  case addressValidationFailed = "ERROR_CODE_GUEST_TRANSACTION_AVS_VALIDATION_FAILED"
  case addressValidationFailedShort = "ERROR_CODE_GUEST_AVS_VALIDATION_FAILED"

  /// The event that brings the code.
  public var event: OnrampEvent.Name {
    switch self {
    case .initialization, .applePayNotSupported, .applePayNotSetUp: .loadError
    case .cardSoftDeclined, .invalidCard, .cardInsufficientBalance, .cardHardDeclined, .cardRiskDeclined,
      .regionMismatch, .permissionDenied, .cardPrepaidDeclined, .transactionLimit, .transactionCount:
      .commitError
    case .buyFailed, .sendFailed, .sendFailedShort, .transactionFailed, .transactionFailedShort,
      .addressValidationFailed, .addressValidationFailedShort:
      .pollingError
    }
  }
}

/// What Coinbase's document says of the request for an order.
public enum Onramp {
  /// The bodies that a merchant's server sends.
  public static let bodies = [
    BodyDescription(
      "order", "an order to be paid by its payment link; the answer has a quote and the link", .outgoing, marks: [],
      section: "User verification",
      fields: [
        BodyField(
          "phoneNumber", .required, .phoneNumber, "the user's own, a mobile one, verified within the last 60 days"),
        BodyField(
          "partnerUserRef", .optional, .nonEmptyText,
          "the merchant's name for the user; \(OnrampOrder.sandboxPrefix) makes a sandbox order, which succeeds and charges nothing",
          section: "Testing"),
      ])
  ]
}
