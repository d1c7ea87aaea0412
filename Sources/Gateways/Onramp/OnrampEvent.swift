import StrictJSON

/// An event that Coinbase Onramp's payment page posts to the page or app that shows it.
public struct OnrampEvent: Hashable, Sendable {
  /// The events, in the order of a payment.
  @nonexhaustive
  public enum Name: String, Hashable, Sendable, CaseIterable {
    case loadPending = "onramp_api.load_pending"
    case loadSuccess = "onramp_api.load_success"
    case loadError = "onramp_api.load_error"
    case validateMerchantError = "onramp_api.validate_merchant_error"
    case commitSuccess = "onramp_api.commit_success"
    case commitError = "onramp_api.commit_error"
    case cancel = "onramp_api.cancel"
    case pollingStart = "onramp_api.polling_start"
    case pollingSuccess = "onramp_api.polling_success"
    case pollingError = "onramp_api.polling_error"
    /// The page cannot continue, whatever it has shown so far.
    case sessionError = "onramp_api.session_error"

    /// Whether it carries an error code.
    public var carriesError: Bool {
      [.loadError, .validateMerchantError, .commitError, .pollingError, .sessionError].contains(self)
    }

    /// Whether it is the last event of a payment.
    public var isTerminal: Bool { [.pollingSuccess, .pollingError].contains(self) }

    /// What happened and what to do, one sentence.
    public var advice: String {
      switch self {
      case .loadPending: "The page fetches what it needs: wait."
      case .loadSuccess: "The button is shown: the user may press it."
      case .loadError: "The button could not be shown: act on the code."
      case .validateMerchantError: "Apple Pay could not validate the merchant: act on the code."
      case .commitSuccess: "The payment was started: keep the page open until it ends, or ask for the order's status."
      case .commitError: "The payment could not be started: act on the code."
      case .cancel: "The user closed the payment sheet: nothing is charged, and the button may be pressed again."
      case .pollingStart:
        "The page asks for the payment's result: keep it open and wait, or ask for the order's status."
      case .pollingSuccess: "The payment succeeded and the funds are sent: no action is needed."
      case .pollingError: "The payment failed after it was started: act on the code."
      case .sessionError: OnrampMeaning.sessionEnded.advice
      }
    }
  }

  /// Why an error event was posted.
  public struct Failure: Hashable, Sendable {
    /// The code as posted; new codes may appear without notice.
    public let code: String
    /// A message in the user's language; nil if absent.
    public let message: String?

    /// A code as posted, with the page's message for the user.
    public init(code: String, message: String? = nil) {
      self.code = code
      self.message = message
    }

    /// The code, if it is one of those described.
    public var knownCode: OnrampErrorCode? { OnrampErrorCode(exactly: code) }
  }

  /// What happened.
  public let name: Name
  /// Only in error events.
  public let failure: Failure?

  /// An event that is not an error; nil for a name that needs a code.
  public init?(_ name: Name) {
    guard !name.carriesError else { return nil }
    self.name = name
    failure = nil
  }

  /// An error event; nil for a name without a code.
  public init?(_ name: Name, _ failure: Failure) {
    guard name.carriesError else { return nil }
    self.name = name
    self.failure = failure
  }

  /// The event of a code.
  package init(_ code: OnrampErrorCode, message: String? = nil) {
    name = code.event
    failure = Failure(code: code.rawValue, message: message)
  }

  /// The meaning of its code. Nil without an error, for an undescribed code, and for a code of another event: what that
  /// code says about the charge may not apply here. A `session_error` means the same with every code.
  public var meaning: OnrampMeaning? {
    if name == .sessionError { return .sessionEnded }
    return failure?.knownCode.flatMap { $0.event == name ? $0.meaning : nil }
  }

  /// What happened and what to do, one sentence.
  public var advice: String {
    guard let failure else { return name.advice }
    if meaning == nil, failure.knownCode != nil {
      return "The code belongs to another event: ask for the order's status before anything else."
    }
    return meaning?.advice
      ?? "The document does not describe the code: look it up at Coinbase, and ask for the order's status."
  }

  /// The JSON that the page posts: `{"eventName":…}`, with `"data":{"errorCode":…,"errorMessage":…}` in error events.
  public var json: JSONValue {
    let data = failure.map { JSONObject(["errorCode": $0.code, "errorMessage": $0.message]) }
    return ["eventName": name.rawValue, "data": data]
  }
}

/// The error codes that Coinbase Onramp's payment page posts ("Headless Onramp", "Post message events").
///
/// Three codes of `polling_error` have two spellings, with TRANSACTION after GUEST and without. Both are read, mean the
/// same, and are written as they were read.
@nonexhaustive
public enum OnrampErrorCode: String, Hashable, Sendable, CaseIterable {
  case initialization = "ERROR_CODE_INIT"
  case applePayNotSupported = "ERROR_CODE_GUEST_APPLE_PAY_NOT_SUPPORTED"
  case applePayNotSetUp = "ERROR_CODE_GUEST_APPLE_PAY_NOT_SETUP"

  case merchantValidationTimedOut = "ERROR_CODE_GUEST_APPLE_PAY_MERCHANT_VALIDATION_TIMEOUT"
  case merchantValidationFailed = "ERROR_CODE_GUEST_APPLE_PAY_MERCHANT_VALIDATION_FAILED"

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

  /// The event that carries the code.
  public var event: OnrampEvent.Name {
    switch self {
    case .initialization, .applePayNotSupported, .applePayNotSetUp: .loadError
    case .merchantValidationTimedOut, .merchantValidationFailed: .validateMerchantError
    case .cardSoftDeclined, .invalidCard, .cardInsufficientBalance, .cardHardDeclined, .cardRiskDeclined,
      .regionMismatch, .permissionDenied, .cardPrepaidDeclined, .transactionLimit, .transactionCount:
      .commitError
    case .buyFailed, .sendFailed, .sendFailedShort, .transactionFailed, .transactionFailedShort,
      .addressValidationFailed, .addressValidationFailedShort:
      .pollingError
    }
  }
}

/// The request for an order in Coinbase's document.
public enum Onramp {
  /// The bodies that a merchant's server sends.
  public static let bodies = [
    BodyDescription(
      "order", "an order to be paid by its payment link", .outgoing, marks: [], section: "User verification",
      fields: [
        BodyField(
          "phoneNumber", .required, .phoneNumber, "the user's own, a mobile one, verified within the last 60 days"),
        BodyField(
          "partnerUserRef", .optional, .nonEmptyText,
          "the merchant's name for the user; \(OnrampOrder.sandboxPrefix) makes a sandbox order, which succeeds and charges nothing",
          section: "Testing"),
      ],
      remarksOn: { order in
        var remarks = [
          "The user's e-mail address is needed, and verified, too: the document does not name its member.",
          "On the web the page's domain is needed, too: the document does not name its member.",
        ]
        if let reference = order["partnerUserRef"]?.string, OnrampOrder.isSandbox(partnerUserRef: reference) {
          remarks.append("A sandbox order succeeds and charges nothing: deliver nothing for it.")
        }
        return remarks
      })
  ]
}
