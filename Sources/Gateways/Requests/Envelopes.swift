import PaymentToken

/// What tokens come in at each gateway (Docs/Verification.md 0.10 has the same as a table).
extension Envelope {
  /// Every envelope, in the order in which lists show them.
  public static let all: [Envelope] = [.apple] + Gateway.all.map(\.envelope)

  /// The envelope of that name.
  public static func named(_ name: String) -> Envelope? { all.first { $0.name == name } }
}

extension EnvelopeSelection {
  /// Decided by the request's shape among all envelopes.
  public static let automatic = EnvelopeSelection.automatic(Envelope.all)
}
