/// Why an opened token cannot be sent on as card data.
public enum MappingError: String, Error, Hashable, Sendable {
  /// The payment holds EMV data and no cryptogram; neither gateway takes that.
  case emvPayment
  /// `currencyCode` is not in the list of ISO 4217 (`Currency.publicationDate`).
  case unknownCurrency
  /// The currency has no minor unit, so its amount cannot be written.
  case currencyWithoutMinorUnit
  /// The request names another amount than the token.
  case amountDiffers
  /// The request names another currency than the token.
  case currencyDiffers
  /// The request counts, and its amount is not one of its currency, or it names a currency of its own and no amount.
  case requestWithoutAmount

  /// What happened and what to do, for people.
  public var advice: String {
    switch self {
    case .emvPayment:
      "The payment is of the type EMV: it has EMV data in place of a cryptogram, for which the gateway has no member. "
        + "Send the encrypted token to the gateway instead."
    case .unknownCurrency:
      "The payment's currency is not in ISO 4217 as published on \(Currency.publicationDate): how many decimals its "
        + "amount has is not known."
    case .currencyWithoutMinorUnit: "The payment's currency has no minor unit in ISO 4217, so its amount means nothing."
    case .amountDiffers:
      "The request says another amount than the token that the customer approved: find out why, or say which of the two counts."
    case .requestWithoutAmount: "The request is to count, and does not say an amount of its currency."
    case .currencyDiffers:
      "The request says another currency than the token that the customer approved: find out why, or say which of the two counts."
    }
  }
}
