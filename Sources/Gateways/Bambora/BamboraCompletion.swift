/// `apple_pay.complete` and the demo's `transaction-type`: whether Bambora takes the money at once.
public enum BamboraCompletion: String, Hashable, Sendable, CaseIterable {
  /// True, and what an absent member means.
  case purchase
  /// False: the amount is held, and a completion takes it.
  case preAuthorization = "pre-auth"

  /// What a request's member means.
  public init(complete: Bool?) {
    self = complete ?? true ? .purchase : .preAuthorization
  }

  /// The member's value.
  public var complete: Bool { self == .purchase }

  /// What it does, one sentence.
  public var advice: String {
    switch self {
    case .purchase: "The payment is taken at once."
    case .preAuthorization: "The amount is held: complete the payment to take it, or void it."
    }
  }
}
