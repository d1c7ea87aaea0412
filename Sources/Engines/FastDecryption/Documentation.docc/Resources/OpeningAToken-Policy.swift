import PaymentToken

extension VerificationPolicy {
  /// Accepts a token signed within five minutes of the verification time, once, for this order.
  static func order(currency: String, amount: Int64, replay: any ReplayStore) -> VerificationPolicy {
    VerificationPolicy(
      freshness: .window(seconds: 300, replay: replay),
      expectations: Expectations(currencyCode: currency, transactionAmount: amount))
  }
}
