public import PaymentToken

/// Envelopes as a caller might describe them, with features that no gateway's envelope has. Vectors can name them, the
/// line protocol cannot.
extension Envelope {
  /// Every such envelope.
  public static let ofCallers = [callersParts, callersDepth]

  /// Parts for data, signature and each member of the header, one of them under two names; a name and a constant with
  /// letters beyond ASCII; and two fields that hold the transactionId.
  public static let callersParts = Envelope(
    name: "callers-parts",
    routes: [
      Route(
        ["payment", "parts"],
        .parts([
          Part("sealed", .data), Part("cms", .signature), Part("point", .ephemeralPublicKey),
          Part("punkt", .ephemeralPublicKey),
          Part("merchant", .publicKeyHash), Part("transaction", .transactionId), Part("order", .applicationData),
          Part("wrapped", .wrappedKey),
        ]),
        fields: [
          Field(["payment", "id"], .transactionId), Field(["payment", "kind"], .text("Börse")),
          Field(["id"], .transactionId), Field(["größe"], .number("1")),
        ])
    ],
    marks: [])

  /// A token as text in the innermost object that JSON may have, or in one that is a level too deep (rule 0.2).
  public static let callersDepth = Envelope(
    name: "callers-depth", routes: [32, 33].map { Route(levels($0), .text) }, marks: [])

  private static func levels(_ count: Int) -> [String] {
    (1...count).map { "level\($0 == count ? "\(count)-token" : "\($0)")" }
  }
}
