import PaymentToken

/// What every gateway that takes decrypted payments asks for, out of a signed token.
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
  /// Of ISO 4217, with an exponent.
  let currency: Currency
  /// The amount with all of the currency's decimals.
  let decimalAmount: String

  /// - Parameter choice: which of two amounts or currencies counts; nil when they must not differ.
  /// - Throws: `emvPayment`, `unknownCurrency`, `currencyWithoutMinorUnit`, `currencyDiffers`, `amountDiffers`,
  ///   `requestWithoutAmount`.
  init(
    _ payment: Payment, _ order: OrderFields, counting choice: OrderDifference.Choice?
  ) throws(MappingError) {
    guard case .threeDSecure(let cryptogram, let eciIndicator) = payment.paymentData else { throw .emvPayment }
    guard let signed = Currency.numeric(payment.currencyCode) else { throw .unknownCurrency }
    let differences = order.differences(from: payment)
    guard choice != nil || differences.isEmpty else {
      throw differences.contains(.currency) ? .currencyDiffers : .amountDiffers
    }
    let currency = choice == .request ? order.terms.currency ?? signed : signed
    let amount = try Self.amount(payment, order, in: currency, counting: choice)
    guard let decimalAmount = try? currency.decimalText(ofMinorUnits: amount) else { throw .currencyWithoutMinorUnit }
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

  /// The amount that counts, in minor units.
  private static func amount(
    _ payment: Payment, _ order: OrderFields, in currency: Currency, counting choice: OrderDifference.Choice?
  ) throws(MappingError) -> Int64 {
    guard choice == .request, order.terms.amount != nil else {
      // The token's digits mean another amount in another currency.
      guard currency.numericCode == payment.currencyCode else { throw .requestWithoutAmount }
      return payment.transactionAmount
    }
    guard currency.exponent != nil else { throw .currencyWithoutMinorUnit }
    guard let amount = try? order.terms.transactionAmount(in: currency) else { throw .requestWithoutAmount }
    return amount
  }
}

extension CardDetails: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "CardDetails(\(amount) \(currency.alphabeticCode))" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: [:]) }
}
