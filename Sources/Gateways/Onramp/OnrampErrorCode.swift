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
