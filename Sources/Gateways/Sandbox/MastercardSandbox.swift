/// What the Mastercard Gateway's test merchants answer to a payment, by its amount.
public enum MastercardSandbox: String, Hashable, Sendable, CaseIterable {
  case approved = "5656"
  case declined = "5757"
  case timedOut = "5858"
  case unspecifiedFailure = "5959"
  case partiallyApproved = "6161"
  case systemError = "6262"
  case unknown = "6363"

  /// What is answered to `order.amount`; nil for amounts the table does not have.
  public init?(amount: String) {
    self.init(exactly: amount)
  }

  /// `order.amount` as the table has it.
  public var amount: String { rawValue }

  /// `response.gatewayCode`
  public var gatewayCode: String {
    switch self {
    case .approved: "APPROVED"
    case .declined: "DECLINED"
    case .timedOut: "TIMED_OUT"
    case .unspecifiedFailure: "UNSPECIFIED_FAILURE"
    case .partiallyApproved: "PARTIALLY_APPROVED"
    case .systemError: "SYSTEM_ERROR"
    case .unknown: "UNKNOWN"
    }
  }

  /// What a merchant does with the answer, one sentence.
  public var advice: String {
    switch self {
    case .approved: "The payment is made."
    case .declined: "The payment is refused: offer another card."
    case .timedOut: "Nobody answered in time: ask for the order's state before trying again."
    case .unspecifiedFailure: "The payment failed for no stated reason: ask for the order's state before trying again."
    case .partiallyApproved: "Less than the amount is approved: collect the rest otherwise, or reverse it."
    case .systemError: "The gateway failed: ask for the order's state before trying again."
    case .unknown: "The result is not known: ask for the order's state before trying again."
    }
  }
}
