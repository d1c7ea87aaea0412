import PaymentToken

extension VerificationPolicy {
  /// Accepts each token once among all processes that share the database.
  static func once(in database: any SharedDatabase) -> VerificationPolicy {
    let store = SharedReplayStore(database: database, longestWindow: 300, clockTolerance: 60)
    return VerificationPolicy(freshness: .window(seconds: 300, replay: store))
  }
}
