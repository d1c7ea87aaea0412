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

  /// The code for a test merchant's `order.amount`, with or without decimals; nil for other amounts.
  public init?(sandboxAmount text: String) {
    guard let amount = DecimalText(text), amount.isWhole,
      let code = Self.allCases.first(where: { $0.sandboxAmount == amount.whole })
    else { return nil }
    self = code
  }

  /// The code for a test merchant's amount in minor units; nil for other amounts and for currencies without minor unit.
  public init?(sandboxMinorUnits amount: Int64, in currency: Currency) {
    guard let text = try? currency.decimalText(ofMinorUnits: amount) else { return nil }
    self.init(sandboxAmount: text)
  }
}
