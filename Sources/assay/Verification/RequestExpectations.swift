import Gateways
import HostIO
import PaymentToken

/// Expectations taken from the request itself. They catch mistakes, not attackers, since requests are unsigned.
struct RequestExpectations {
  /// The value of an option that takes the expectation from the request.
  static let word = "request"

  private let gateway: Gateway?
  private let takesCurrency: Bool
  private let takesAmount: Bool

  /// Whether no expectation is taken from the request.
  var areNone: Bool { gateway == nil }

  init(_ arguments: ParsedArguments, _ envelope: EnvelopeSelection) throws(CommandError) {
    takesCurrency = arguments.value("--expect-currency") == Self.word
    takesAmount = arguments.value("--expect-amount") == Self.word
    guard takesCurrency || takesAmount else {
      gateway = nil
      return
    }
    guard case .named(let envelope) = envelope, let gateway = Gateway.named(envelope.name) else {
      let names = Gateway.all.filter(\.namesAmount).map(\.name).listed("or")
      throw .usage("expectations of a request need its gateway: --envelope \(names).")
    }
    guard gateway.namesAmount else { throw .usage("requests of \(gateway.name) name no amount.") }
    self.gateway = gateway
  }

  /// The policy, and what is expected of this request.
  func adding(to policy: VerificationPolicy, from request: [UInt8]) throws(RequestError) -> VerificationPolicy {
    guard let gateway else { return policy }
    let terms = try gateway.terms(of: request.span)
    var expectations = policy.expectations
    if takesCurrency { expectations.currencyCode = try terms.currencyCode() }
    if takesAmount {
      // Compare before the lookup: the currency table lacks some codes that an expectation may have.
      if let code = expectations.currencyCode, let own = terms.currency, own.numericCode != code {
        throw .otherCurrency
      }
      let named = expectations.currencyCode.flatMap(Currency.numeric)
      expectations.transactionAmount = try terms.transactionAmount(in: named)
      // An amount has a meaning only with its currency: 1 JPY is not 1 EUR.
      expectations.currencyCode = expectations.currencyCode ?? terms.currency?.numericCode
    }
    return VerificationPolicy(
      envelope: policy.envelope, freshness: policy.freshness, revoked: policy.revoked, expectations: expectations)
  }
}
