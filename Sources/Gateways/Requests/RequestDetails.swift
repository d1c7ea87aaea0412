/// The order details that gateways have in common, for making requests.
public struct RequestDetails: Hashable, Sendable {
  /// Minor units, 0...10^12-1.
  public var amount: Int64 = 1_250
  /// The currency of the amount.
  public var currency = Currency("EUR", "978", 2)
  /// The merchant's or the gateway's identifier of the payment.
  public var identifier = "order-1"
  /// The payer.
  public var customer = "customer-1"
  /// Whether the request contains a `transactionIdentifier`, if the gateway has one.
  package var namesTransaction = true

  /// 12.50 EUR.
  public init() {}

  /// Random details: amounts of every length, currencies of every exponent.
  public static func random(using random: inout some RandomNumberGenerator) -> RequestDetails {
    var details = RequestDetails()
    let bound: Int64 = [1, 100, 100_000, Currency.largestAmount + 1].randomElement(using: &random) ?? 1
    details.amount = Int64.random(in: 0..<bound, using: &random)
    let codes = ["EUR", "CAD", "JPY", "KWD", "CLF"]
    details.currency = codes.randomElement(using: &random).flatMap(Currency.alphabetic) ?? details.currency
    details.identifier = "order-\(UInt32.random(in: .min ... .max, using: &random))"
    details.customer = ["customer-1", "Zoë \"Z\" Ångström", "顧客/7", "👤\n"].randomElement(using: &random) ?? ""
    details.namesTransaction = Int.random(in: 0..<4, using: &random) > 0
    return details
  }
}

extension OrderFields {
  /// The order with these details, by a Visa debit card and for the merchant of the tests.
  init(_ details: RequestDetails) {
    reference = details.identifier
    paymentIdentifier = details.identifier
    customerIdentifier = details.customer
    paymentMethod = PaymentMethod()
    terms = RequestTerms(amount: .minorUnits(details.amount), currency: details.currency)
    merchantIdentifier = "merchant.test.assay.one"
  }
}
