/// `result.resultStatus`: the result of a call to AlphaPay.
@nonexhaustive
public enum AlphaPayResultStatus: String, Hashable, Sendable, CaseIterable {
  /// For a token: the payment succeeded.
  case success = "S"
  /// The call, or the payment, failed.
  case failure = "F"
  /// For a pre-order: the order was made and waits for the customer.
  case waiting = "U"

  /// What the merchant should do, one sentence.
  public var advice: String {
    switch self {
    case .success: "The payment succeeded."
    case .failure:
      "For a pre-order no order was made, for a token the payment failed: resultMessage says why. "
        + "With a code that is not described, ask for the order's state."
    case .waiting:
      "For a pre-order the order is made and waits for the customer: show the payment sheet with applePayParams; for a "
        + "token nothing is certain."
    }
  }
}

/// `paymentStatus`: the state of a payment at AlphaPay.
@nonexhaustive
public enum AlphaPayPaymentStatus: String, Hashable, Sendable, CaseIterable {
  case success = "SUCCESS"
  case failed = "FAILED"
  case partialRefund = "PARTIAL_REFUND"
  case fullRefund = "FULL_REFUND"

  /// What it means, one sentence.
  public var advice: String {
    switch self {
    case .success: "The payment is made."
    case .failed: "The payment failed."
    case .partialRefund: "The payment was made, and part of it has been returned."
    case .fullRefund: "The payment was made, and all of it has been returned."
    }
  }
}
