/// Test amounts of the Mastercard Gateway: for a test merchant, the amount of a payment determines the response code.
extension MastercardResponse.Code {
  /// The `order.amount`, in major units, that the gateway answers with this code for a test merchant.
  public var sandboxAmount: String {
    switch self {
    case .approved: "5656"
    case .declined: "5757"
    case .timedOut: "5858"
    case .unspecifiedFailure: "5959"
    case .partiallyApproved: "6161"
    case .systemError: "6262"
    case .unknown: "6363"
    }
  }
}
