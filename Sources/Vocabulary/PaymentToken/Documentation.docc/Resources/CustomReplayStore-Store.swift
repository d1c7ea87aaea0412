import PaymentToken

/// Remembers transactions in a database that several processes share.
struct SharedReplayStore: ReplayStore {
  let database: any SharedDatabase
  /// The longest window of the policies that use the store, in seconds.
  let longestWindow: UInt32
  /// Seconds by which the clocks of processes and database may differ.
  let clockTolerance: UInt32

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    guard window <= longestWindow else { return .full }
    let lifetime = 2 * Int64(longestWindow) + 1 + Int64(clockTolerance)
    do {
      let isFirst = try database.insertIfAbsent(
        transactionId.bytes, expiresAfter: .seconds(lifetime), timeout: .milliseconds(200))
      return isFirst ? .fresh : .replayed
    } catch {
      return .unavailable
    }
  }
}
