/// The connections that are open.
final class ConnectionTable: Sendable {
  private let connections = Guarded<[ObjectIdentifier: ClientConnection]>([:])

  func insert(_ connection: ClientConnection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = connection }
  }

  /// Called before the connection's socket is closed, whose number may then be another's.
  func remove(_ connection: ClientConnection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = nil }
  }

  /// Ends the connections of clients that take too long, and withdraws what clients that are gone had asked for.
  ///
  /// - Returns: how many connections were ended.
  func sweep(at now: ContinuousClock.Instant) -> Int {
    let (ended, abandoned) = connections.withLock { connections in
      (
        connections.values.count { $0.endIfExpired(at: now) },
        connections.values.compactMap { $0.abandoned() }
      )
    }
    for exchange in abandoned { exchange.cancel() }
    return ended
  }
}
