import PaymentToken

/// The card data of a signed token, for gateways that accept decrypted payments.
struct CardDetails: Hashable, Sendable {
  /// The account number of the device (DPAN) or of the merchant token (MPAN).
  let number: String
  /// MM
  let expiryMonth: String
  /// YY
  let expiryYear: String
  /// Nil when the token has none, or an empty one.
  let cardholderName: String?
  /// Base64 as written.
  let cryptogram: String
  /// One or two digits as written.
  let eciIndicator: String?
  /// Minor units.
  let amount: Int64
  /// A currency with an exponent.
  let currency: Currency
  let decimalAmount: String

  /// - Parameter choice: which of two amounts or currencies to use; nil if they must not differ.
  /// - Throws: `emvPayment`, `unknownCurrency`, `currencyWithoutMinorUnit`, `currencyDiffers`, `amountDiffers`,
  ///   `invalidAmount`, `requestWithoutAmount`.
  init(
    _ payment: Payment, _ order: OrderFields, preferring choice: OrderDifference.Choice?
  ) throws(MappingError) {
    guard case .threeDSecure(let cryptogram, let eciIndicator) = payment.paymentData else { throw .emvPayment }
    let terms = try order.resolved(with: payment, preferring: choice).terms
    guard let currency = terms.currency, let amount = try? terms.transactionAmount(),
      let decimalAmount = try? currency.decimalText(ofMinorUnits: amount)
    else { throw .currencyWithoutMinorUnit }
    number = payment.applicationPrimaryAccountNumber
    // YYMMDD
    expiryYear = String(payment.applicationExpirationDate.prefix(2))
    expiryMonth = String(payment.applicationExpirationDate.dropFirst(2).prefix(2))
    cardholderName = payment.cardholderName.flatMap { $0.isEmpty ? nil : $0 }
    self.cryptogram = cryptogram
    self.eciIndicator = eciIndicator
    self.amount = amount
    self.currency = currency
    self.decimalAmount = decimalAmount
  }
}

extension CardDetails: RedactedReflection {
  var description: String { "CardDetails(\(amount) \(currency.alphabeticCode))" }
}

/// Why a payment cannot be sent on.
@nonexhaustive
public enum MappingError: Error, Hashable, Sendable {
  /// The payment contains EMV data instead of a cryptogram. The requests made here have no member for it.
  case emvPayment
  /// `currencyCode` is not in the list of ISO 4217 (`Currency.listPublicationDate`).
  case unknownCurrency
  /// The currency has no minor unit, so its amount cannot be written.
  case currencyWithoutMinorUnit
  /// The request names another amount than the token.
  case amountDiffers
  /// The request names another currency than the token.
  case currencyDiffers
  /// The request's amount does not fit its currency, and why.
  case invalidAmount(AmountError)
  /// The request was preferred and has no amount to send. The value says why its amount does not fit its currency; it
  /// is nil if the request names another currency and no amount.
  case requestWithoutAmount(AmountError?)

  package init(_ error: AmountError) { self = error == .noExponent ? .currencyWithoutMinorUnit : .invalidAmount(error) }

  /// The name of the case; stable, for programs.
  public var code: String {
    switch self {
    case .emvPayment: "emvPayment"
    case .unknownCurrency: "unknownCurrency"
    case .currencyWithoutMinorUnit: "currencyWithoutMinorUnit"
    case .amountDiffers: "amountDiffers"
    case .currencyDiffers: "currencyDiffers"
    case .invalidAmount: "invalidAmount"
    case .requestWithoutAmount: "requestWithoutAmount"
    }
  }

  /// What happened and what to do, for people.
  public var advice: String { advice(about: "request") }

  /// - Parameter source: the document that names an amount and a currency besides the token: `request` or `order`.
  package func advice(about source: String) -> String {
    switch self {
    case .emvPayment:
      "The payment has the type EMV: it contains EMV data instead of a cryptogram, for which the gateway has no member. "
        + "Send the encrypted token to the gateway instead."
    case .unknownCurrency:
      "The payment's currency is not in ISO 4217 as published on \(Currency.listPublicationDate): the number of decimals of "
        + "its amount is unknown."
    case .currencyWithoutMinorUnit: "The currency has no minor unit in ISO 4217, so an amount in it is undefined."
    case .amountDiffers: Self.difference("amount", source)
    case .currencyDiffers: Self.difference("currency", source)
    case .invalidAmount(let error): "The \(source)'s amount is not valid: \(error.reason)."
    case .requestWithoutAmount(let error?): "The \(source) was preferred, but its amount is not valid: \(error.reason)."
    case .requestWithoutAmount(nil): "The \(source) was preferred, but names another currency without an amount in it."
    }
  }

  private static func difference(_ what: String, _ source: String) -> String {
    "The \(source) names another \(what) than the token that the customer approved: find out why, or say which to send."
  }
}
