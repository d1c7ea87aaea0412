import CMicrohttpd

/// A client's connection.
final class ClientConnection: Sendable {
  private let socket: Int32
  /// The server's certificate that it began with; nil without TLS.
  let certificate: ServerCertificate?
  /// Whether the client's certificate has a name that is allowed; nil before that was asked.
  private let isAllowed = Guarded<Bool?>(nil)
  /// When its client has to be done with what it is doing.
  private let expiry: Guarded<ContinuousClock.Instant?>
  /// What the pool has of it.
  private let exchange = Guarded<Exchange?>(nil)

  init(_ socket: Int32, _ certificate: ServerCertificate?, expiry: ContinuousClock.Instant) {
    self.socket = socket
    self.certificate = certificate
    self.expiry = Guarded(expiry)
  }

  /// Waits for the client until some time; nil while the client waits for the server.
  func wait(until time: ContinuousClock.Instant?) {
    expiry.withLock { $0 = time }
  }

  /// Waits for nothing, while the client waits for the server.
  ///
  /// - Returns: the time that was left to the client; nil for no bound.
  func pause() -> Duration? {
    expiry.withLock { expiry in
      defer { expiry = nil }
      return expiry.map { $0 - .now }
    }
  }

  /// Whether its client has one of some names, which are the same each time.
  func isClient(of connection: OpaquePointer, oneOf names: [String]) -> Bool {
    isAllowed.withLock { isAllowed in
      let answer = isAllowed ?? ServerCertificate.isClient(of: connection, oneOf: names)
      isAllowed = answer
      return answer
    }
  }

  /// Notes that the client waits for the pool, or no longer does.
  func isWaiting(for exchange: Exchange?) {
    self.exchange.withLock { $0 = exchange }
  }

  /// Ends the connection if its client takes too long. To be called while it is in the table: its socket is open then.
  func endIfExpired(at now: ContinuousClock.Instant) -> Bool {
    let isOver = expiry.withLock { expiry in
      guard let time = expiry, time < now else { return false }
      expiry = nil
      return true
    }
    // The thread that owns the socket sees it closed by the client.
    if isOver { shutdown(socket, Int32(SHUT_RDWR)) }
    return isOver
  }

  /// What is being done for a client that has closed its side. To be called while it is in the table.
  func abandoned() -> Exchange? {
    guard let exchange = exchange.withLock({ $0 }) else { return nil }
    return cmicrohttpd_has_gone(socket) == 0 ? nil : exchange
  }
}
