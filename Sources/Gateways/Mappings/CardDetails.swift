import PaymentToken

/// The data of a signed token that every gateway for decrypted payments requires.
struct CardDetails: Hashable, Sendable {
  /// The device's account number (DPAN).
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
  /// The amount with all of the currency's decimals.
  let decimalAmount: String

  /// - Parameter choice: which of two amounts or currencies to use; nil if they must not differ.
  /// - Throws: `emvPayment`, `unknownCurrency`, `currencyWithoutMinorUnit`, `currencyDiffers`, `amountDiffers`,
  ///   `requestWithoutAmount`.
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

extension CardDetails: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "CardDetails(\(amount) \(currency.alphabeticCode))" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
