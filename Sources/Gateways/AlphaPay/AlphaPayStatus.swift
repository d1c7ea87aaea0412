/// `result.resultStatus`: how a call to AlphaPay ended.
public enum AlphaPayResultStatus: String, Hashable, Sendable, CaseIterable {
  /// Of the token: the payment succeeded.
  case success = "S"
  /// The call, or the payment, failed.
  case failure = "F"
  /// Of the pre-order: the order is made, and waits for the customer.
  case waiting = "U"

  /// What a merchant does with it, one sentence.
  public var advice: String {
    switch self {
    case .success: "The payment succeeded."
    case .failure: "Of the pre-order no order was made, of the token the payment failed: resultMessage says why."
    case .waiting: "The order is made and waits for the customer: show the payment sheet with applePayParams."
    }
  }
}

/// `paymentStatus`: how it stands with a payment at AlphaPay.
public enum AlphaPayPaymentStatus: String, Hashable, Sendable, CaseIterable {
  case success = "SUCCESS"
  case failed = "FAILED"
  case partialRefund = "PARTIAL_REFUND"
  case fullRefund = "FULL_REFUND"

  /// Whether the money was taken at some time.
  public var isPaid: Bool { self != .failed }

  /// What it says, one sentence.
  public var advice: String {
    switch self {
    case .success: "The payment is made."
    case .failed: "The payment failed."
    case .partialRefund: "The payment was made, and part of it has been returned."
    case .fullRefund: "The payment was made, and all of it has been returned."
    }
  }
}
