/// The connections that are open.
final class ConnectionTable: Sendable {
  private let connections = Guarded<[ObjectIdentifier: ClientConnection]>([:])

  func insert(_ connection: ClientConnection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = connection }
  }

  /// Call it before the connection's socket is closed: its number may be reused at once.
  func remove(_ connection: ClientConnection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = nil }
  }

  /// Ends the connections of clients that take too long, and cancels the requests of clients that are gone.
  ///
  /// - Returns: how many connections were ended.
  func sweep(at now: ContinuousClock.Instant) -> Int {
    let (ended, abandoned) = connections.withLock { connections in
      (
        connections.values.count { $0.endIfExpired(at: now) },
        connections.values.compactMap { $0.abandoned() }
      )
    }
    for exchange in abandoned { exchange.abandon() }
    return ended
  }
}
