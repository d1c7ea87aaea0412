/// Why a decrypted token cannot be sent on as card data.
public enum MappingError: String, Error, Hashable, Sendable {
  /// The payment contains EMV data instead of a cryptogram, which no gateway accepts.
  case emvPayment
  /// `currencyCode` is not in the list of ISO 4217 (`Currency.publicationDate`).
  case unknownCurrency
  /// The currency has no minor unit, so its amount cannot be written.
  case currencyWithoutMinorUnit
  /// The request names another amount than the token.
  case amountDiffers
  /// The request names another currency than the token.
  case currencyDiffers
  /// The request was preferred, and its amount does not fit its currency, or it names another currency without an
  /// amount.
  case requestWithoutAmount

  /// What happened and what to do, for people.
  public var advice: String {
    switch self {
    case .emvPayment:
      "The payment has the type EMV: it contains EMV data instead of a cryptogram, for which the gateway has no member. "
        + "Send the encrypted token to the gateway instead."
    case .unknownCurrency:
      "The payment's currency is not in ISO 4217 as published on \(Currency.publicationDate): the number of decimals of "
        + "its amount is unknown."
    case .currencyWithoutMinorUnit: "The payment's currency has no minor unit in ISO 4217, so its amount is undefined."
    case .amountDiffers:
      "The request names another amount than the token that the customer approved: find out why, or say which to send."
    case .requestWithoutAmount: "The request was preferred, but contains no amount in its currency."
    case .currencyDiffers:
      "The request names another currency than the token that the customer approved: find out why, or say which to send."
    }
  }
}
