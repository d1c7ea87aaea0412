import PaymentToken

/// Where a request has its token, read leniently.
package enum TokenLocation: Hashable, Sendable {
  /// The request is the token.
  case bare
  /// The token is at the end of a route of a gateway's envelope.
  case route(Envelope.Route)

  /// The route to the token; nil for a bare one.
  package var route: Envelope.Route? { if case .route(let route) = self { route } else { nil } }

  /// The first location that a selection of envelopes allows and the request has; nil if there is none.
  package init?(of tree: JSONPiece, by selection: EnvelopeSelection) {
    let envelopes: [Envelope] =
      switch selection {
      case .named(let envelope): [envelope]
      case .automatic(let list): list
      }
    if envelopes.contains(where: { $0.routes.isEmpty }), tree["data"] != nil || envelopes.count == 1 {
      self = .bare
      return
    }
    for envelope in envelopes {
      if let route = envelope.routes.first(where: { tree[$0.path[...]] != nil }) {
        self = .route(route)
        return
      }
    }
    guard envelopes.contains(where: { $0.routes.isEmpty }) else { return nil }
    self = .bare
  }
}
