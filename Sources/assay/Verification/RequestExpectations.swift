import Gateways
import PaymentToken

/// Expectations that are taken from the request itself: they catch mistakes, not attackers, for nobody signs a request.
struct RequestExpectations {
  /// What an option says instead of a value.
  static let word = "request"

  /// Nil when nothing is taken from the request.
  private let gateway: Gateway?
  private let takesCurrency: Bool
  private let takesAmount: Bool

  /// - Throws: `UsageError` when it is not said which gateway's request it is.
  init(_ arguments: ParsedArguments, _ envelope: EnvelopeSelection) throws(UsageError) {
    takesCurrency = arguments.value("--expect-currency") == Self.word
    takesAmount = arguments.value("--expect-amount") == Self.word
    guard takesCurrency || takesAmount else {
      gateway = nil
      return
    }
    guard case .named(let envelope) = envelope, let gateway = Gateway.named(envelope.name) else {
      let names = Gateway.all.filter(\.namesAmount).map(\.name).listed("or")
      throw UsageError("expectations of a request need its gateway: --envelope \(names).")
    }
    guard gateway.namesAmount else { throw UsageError("requests of \(gateway.name) name no amount beside the token.") }
    self.gateway = gateway
  }

  /// The expectations with those of the request.
  func adding(
    to expectations: Expectations, from request: Span<UInt8>
  ) throws(RequestError) -> Expectations {
    guard let gateway else { return expectations }
    let terms = try gateway.terms(of: request)
    var expectations = expectations
    if takesCurrency { expectations.currencyCode = try terms.currencyCode() }
    if takesAmount {
      let named = expectations.currencyCode.flatMap(Currency.numeric)
      expectations.transactionAmount = try terms.transactionAmount(in: named)
      // An amount is one of a currency: 1 JPY is not 1 EUR.
      expectations.currencyCode = expectations.currencyCode ?? terms.currency?.numericCode
    }
    return expectations
  }
}
