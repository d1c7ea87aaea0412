/// The request handler and the paths of one listening address. It is the context of the library's callbacks.
final class Listener: Sendable {
  /// Which paths are served.
  enum Paths: Sendable {
    case all
    /// Those that take tokens.
    case tokens
    /// Metrics and health.
    case monitoring

    func contain(_ route: Route) -> Bool {
      switch (self, route) {
      case (.all, _), (.tokens, .open), (.monitoring, .metrics), (.monitoring, .ready), (.monitoring, .live): true
      case (.tokens, _), (.monitoring, .open): false
      }
    }
  }

  let handler: RequestHandler
  let paths: Paths

  init(_ handler: RequestHandler, _ paths: Paths) {
    self.handler = handler
    self.paths = paths
  }

  /// Whether connections and requests are counted. Those of probes are not: they are no load, and may be open while the
  /// server stops.
  private var isCounted: Bool { paths != .monitoring }

  /// The most connections. Monitoring has its own, which clients cannot use up, and one address gets half of them at
  /// most: if probes failed, an orchestrator would end the server.
  var connections: (all: Int, perAddress: Int) {
    isCounted
      ? (handler.limits.connections, handler.limits.connectionsPerAddress)
      : (Self.monitoringConnections, Self.monitoringConnections / 2)
  }

  static var monitoringConnections: Int { 32 }

  /// The certificate of connections that begin now; nil without TLS. Monitoring never speaks TLS.
  var certificate: ServerCertificate? { isCounted ? handler.callers.certificate : nil }

  /// What to do with a request that has this head; see `RequestHandler.plan`.
  func plan(
    _ head: RequestHead, of caller: Caller
  ) -> Result<Exchange.Plan, RequestHandler.Refusal> {
    let names = handler.clientNames
    if isCounted, !names.isEmpty, caller.client?.isClient(of: caller.connection, oneOf: names) != true {
      return .failure(RequestHandler.Refusal(.clientNotAllowed))
    }
    return handler.plan(head, of: caller, among: paths)
  }

  /// Notes a connection.
  func add(_ client: ClientConnection) {
    handler.connections.insert(client)
    if isCounted { handler.counters.connections.add(1, ordering: .relaxed) }
  }

  /// Notes that a connection is about to be closed.
  func remove(_ client: ClientConnection) {
    handler.connections.remove(client)
    if isCounted { handler.counters.connections.subtract(1, ordering: .relaxed) }
  }

  /// Notes a request whose head was read.
  func begin(_ exchange: Exchange) {
    if isCounted { handler.counters.underWay.add(1, ordering: .relaxed) }
  }

  /// Notes that a request was answered, or its connection lost.
  func end(_ exchange: Exchange, isDelivered: Bool) {
    // If a client goes while it sends lines, the pool may still have some of them.
    exchange.cancel()
    // The system may take an answer for a client that is gone.
    let isDelivered = isDelivered && !exchange.isAbandoned
    if exchange.mayHaveAnswer && !isDelivered { handler.counters.undelivered.add(1, ordering: .relaxed) }
    guard isCounted else { return }
    handler.log?.add(exchange.logLine(isDelivered: isDelivered))
    handler.counters.underWay.subtract(1, ordering: .relaxed)
  }
}
