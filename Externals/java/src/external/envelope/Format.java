package external.envelope;

import java.util.List;

/** The envelopes of rule 0.10, except {@code apple}, which is the token itself. */
enum Format {
  APPLEPAYJS("applepayjs", List.of(), List.of("paymentId"),
      new Route(List.of("token", "paymentData"), Route.Kind.OBJECT, null, List.of("token", "transactionIdentifier")),
      new Route(List.of("paymentData"), Route.Kind.OBJECT, null, List.of("transactionIdentifier"))),
  WORLDLINE("worldline", List.of("mobilePaymentMethodSpecificInput", "encryptedPaymentData"), List.of(),
      new Route(
          List.of("mobilePaymentMethodSpecificInput"),
          Route.Kind.PARTS,
          new Route.Constant(List.of("mobilePaymentMethodSpecificInput", "paymentProductId"), "302", true),
          null)),
  ALPHAPAY("alphapay", List.of("paymentId"), List.of(),
      new Route(List.of("token", "paymentData"), Route.Kind.OBJECT, null, List.of("token", "transactionIdentifier"))),
  MPGS("mpgs", List.of(), List.of(),
      new Route(
          List.of("sourceOfFunds", "provided", "card", "devicePayment", "paymentToken"),
          Route.Kind.TEXT,
          new Route.Constant(List.of("order", "walletProvider"), "APPLE_PAY", false),
          null)),
  BAMBORA("bambora", List.of(), List.of(),
      new Route(
          List.of("apple_pay", "payment_token"),
          Route.Kind.BASE64,
          new Route.Constant(List.of("payment_method"), "apple_pay", false),
          null),
      new Route(List.of("apple-wallet", "payment-token"), Route.Kind.BASE64, null, null));

  final String text;
  /** The marks: the path of a member that must exist, and of one that must not. An empty path is no mark. */
  final List<String> present;
  final List<String> absent;
  final List<Route> routes;

  Format(String text, List<String> present, List<String> absent, Route... routes) {
    this.text = text;
    this.present = present;
    this.absent = absent;
    this.routes = List.of(routes);
  }
}
