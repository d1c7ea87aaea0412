/// What the Mastercard Gateway's test merchants answer to a payment, by its amount.
public enum MastercardSandbox: String, Hashable, Sendable, CaseIterable {
  case approved = "5656"
  case declined = "5757"
  case timedOut = "5858"
  case unspecifiedFailure = "5959"
  case partiallyApproved = "6161"
  case systemError = "6262"
  case unknown = "6363"

  /// What is answered to `order.amount`, with decimals or without; nil for amounts the table does not have.
  public init?(amount: String) {
    guard let amount = DecimalText(amount), amount.isWhole else { return nil }
    self.init(rawValue: amount.whole)
  }

  /// What is answered to an amount in minor units; nil for amounts the table does not have, and currencies without
  /// minor unit.
  public init?(minorUnits: Int64, in currency: Currency) {
    guard let amount = try? currency.decimalText(ofMinorUnits: minorUnits) else { return nil }
    self.init(amount: amount)
  }

  /// `order.amount` as the table has it.
  public var amount: String { rawValue }

  /// `response.gatewayCode`
  public var code: MastercardResponse.Code {
    switch self {
    case .approved: .approved
    case .declined: .declined
    case .timedOut: .timedOut
    case .unspecifiedFailure: .unspecifiedFailure
    case .partiallyApproved: .partiallyApproved
    case .systemError: .systemError
    case .unknown: .unknown
    }
  }

  /// `response.gatewayCode`
  public var gatewayCode: String { code.rawValue }

  /// What a merchant does with the answer, one sentence.
  public var advice: String { code.advice }
}
