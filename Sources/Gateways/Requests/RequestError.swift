/// Why a request's fields cannot be read, or do not say what is asked for. Paths have a full stop between names.
public enum RequestError: Error, Hashable, Sendable {
  /// No strict JSON object by the rules for tokens (Docs/Verification.md 2.1-2.4), or more than 262,144 octets.
  case malformed
  /// A name that is read stands twice in its object.
  case repeatedName(path: String)
  /// The value is of another type than the gateway documents; null is another type.
  case wrongType(path: String)
  /// The value is none of those that the gateway documents.
  case unknownValue(path: String)
  /// Two members that say the same thing do not.
  case contradiction(path: String, other: String)
  /// The value is no ISO 4217 code of three letters.
  case unknownCurrency(path: String)
  /// The amount has another form, or more decimals, than its currency allows.
  case invalidAmount(AmountError)
  /// The request lacks a field that is asked for.
  case missing(path: String)
  /// Requests of this kind have no amount beside the token.
  case noAmount
  /// Requests of this kind have no currency beside the token.
  case noCurrency
  /// The amount is asked for in another currency than the request names.
  case otherCurrency
}
