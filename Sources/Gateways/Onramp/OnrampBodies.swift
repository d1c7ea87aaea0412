/// What Coinbase's document says of the request for an order.
public enum Onramp {
  /// The bodies that a merchant's server sends.
  public static let bodies = [
    BodyDescription(
      "order", "an order to be paid by its payment link; the answer has a quote and the link", .outgoing, marks: [],
      fields: [
        BodyField(
          "phoneNumber", .required, .phoneNumber, "the user's own, a mobile one, verified within the last 60 days",
          section: "User verification"),
        BodyField(
          "partnerUserRef", .optional, .text(1 ... .max),
          "the merchant's name for the user; \(OnrampOrder.sandboxPrefix) makes a sandbox order, which succeeds and charges nothing",
          section: "Testing"),
      ])
  ]
}
