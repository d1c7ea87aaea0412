import PaymentToken

/// What a replay store needs of a database that several processes share.
protocol SharedDatabase: Sendable {
  /// Stores a key with an expiry unless it is present, in one atomic step. Returns when it was stored, by the
  /// database's clock, or nil if it was present.
  ///
  /// Throws if the database does not confirm within the timeout that the key is durably stored or was already present.
  func insertIfAbsent(_ key: [UInt8], expiresAfter: Duration, timeout: Duration) throws -> UnixTime?
}
