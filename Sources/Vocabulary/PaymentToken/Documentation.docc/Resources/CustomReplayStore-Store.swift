import PaymentToken

/// Remembers transactions in a database that several processes share.
struct SharedReplayStore: ReplayStore {
  let database: any SharedDatabase
  /// The longest window of the policies that use the store, in seconds.
  let longestWindow: UInt32
  /// Seconds by which the time of a question may differ from the database's clock.
  let clockTolerance: UInt32

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    guard window <= longestWindow else { return .full }
    let lifetime = 2 * Int64(longestWindow) + 2 * Int64(clockTolerance) + 1
    do {
      let storedAt = try database.insertIfAbsent(
        transactionId.bytes, expiresAfter: .seconds(lifetime), timeout: .milliseconds(200))
      guard let storedAt else { return .replayed }
      return now.absoluteDistance(to: storedAt) <= UInt64(clockTolerance) ? .fresh : .unavailable
    } catch {
      return .unavailable
    }
  }
}
