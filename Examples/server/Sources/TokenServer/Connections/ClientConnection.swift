import CMicrohttpd
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

final class ClientConnection: Sendable {
  private let socket: Int32
  /// The server's certificate that it began with; nil without TLS.
  let certificate: ServerCertificate?
  /// Whether the client's certificate has a name that is allowed; nil before that was asked.
  private let isAllowed = Guarded<Bool?>(nil)
  /// The time at which the first certificate of the client's chain expires; nil before that was asked.
  private let chainEnd = Guarded<Int64?>(nil)
  /// The time at which the connection is ended; nil while the client waits for the server.
  private let expiry: Guarded<ContinuousClock.Instant?>
  /// The bytes of the path and query of the request that is being read, before the first NUL.
  let targetSize = Atomic<Int>(0)
  /// The request whose answer the client waits for.
  private let exchange = Guarded<Exchange?>(nil)

  init(_ socket: Int32, _ certificate: ServerCertificate?, expiry: ContinuousClock.Instant) {
    self.socket = socket
    self.certificate = certificate
    self.expiry = Guarded(expiry)
  }

  /// Sets the time until which the client must have finished; nil while the client waits for the server.
  func wait(until time: ContinuousClock.Instant?) {
    expiry.withLock { $0 = time }
  }

  /// Removes the time limit while the client waits for the server.
  ///
  /// - Returns: the time that was left to the client; nil for no bound.
  func pause() -> Duration? {
    expiry.withLock { expiry in
      defer { expiry = nil }
      return expiry.map { $0 - .now }
    }
  }

  /// Whether the client's certificate has one of `names`. Keeps the first result, so `names` must be the same each
  /// time.
  func isClient(of connection: OpaquePointer, oneOf names: [String]) -> Bool {
    isAllowed.withLock { isAllowed in
      let answer = isAllowed ?? ServerCertificate.isClient(of: connection, oneOf: names)
      isAllowed = answer
      return answer
    }
  }

  /// Whether a certificate of the client's chain may have expired. Call it after the handshake.
  func mayHaveExpired(_ connection: OpaquePointer) -> Bool {
    guard let certificate else { return false }
    let end = chainEnd.withLock { chainEnd in
      let end = chainEnd ?? certificate.expiry(of: connection, after: .min)
      chainEnd = end
      return end
    }
    return Int64(time(nil)) > end
  }

  /// Notes that the client's chain is valid now: only certificates that have not expired yet can end it.
  func passesExpiry(_ connection: OpaquePointer) {
    chainEnd.withLock { $0 = certificate?.expiry(of: connection, after: Int64(time(nil))) }
  }

  /// Notes that the client waits for the pool, or no longer does.
  func isWaiting(for exchange: Exchange?) {
    self.exchange.withLock { $0 = exchange }
  }

  /// Ends the connection if its client takes too long. Call it while the connection is in the table, as only then its
  /// socket is certain to be open.
  func endIfExpired(at now: ContinuousClock.Instant) -> Bool {
    let isOver = expiry.withLock { expiry in
      guard let time = expiry, time < now else { return false }
      expiry = nil
      return true
    }
    // To the thread that owns the socket this looks as if the client had closed it.
    if isOver { shutdown(socket, Int32(SHUT_RDWR)) }
    return isOver
  }

  /// The request for whose answer the client waited when it closed its side; nil if there is none. Call it while the
  /// connection is in the table.
  func abandoned() -> Exchange? {
    guard let exchange = exchange.withLock({ $0 }) else { return nil }
    return cmicrohttpd_has_gone(socket) == 0 ? nil : exchange
  }
}
