/// The allowed values of a member. Lengths of texts count Unicode scalars.
package enum FieldForm: Hashable, Sendable {
  /// Exactly this string.
  case constant(String)
  /// A number written exactly like this.
  case number(String)
  /// One of these strings.
  case choice([String])
  case text(ClosedRange<Int>)
  /// A string of ASCII digits.
  case digits(ClosedRange<Int>)
  /// A string of digits or a whole number, with this many digits.
  case digitsOrNumber(ClosedRange<Int>)
  /// Digits of an account number, some of them possibly masked by `x`, `X` or `*`.
  case maskedNumber
  /// A string: `1` to `12`, with or without a leading zero.
  case month
  /// A string of two digits.
  case year
  /// A string: month and year, two digits each.
  case monthAndYear
  case boolean
  /// A number of minor units, 0...10^12-1.
  case minorUnits
  /// A string of minor units, 0...10^12-1.
  case minorUnitsText
  /// Major units, a number.
  case decimal
  /// Major units, a string or a number.
  case decimalOrText
  /// An amount in major units of the currency at the path; a string or a number.
  case amount(currency: String)
  /// An amount in major units of the currency at the path; a string.
  case amountText(currency: String)
  /// A code of ISO 4217, three letters.
  case currency
  /// A country of ISO 3166, two capital letters.
  case country
  /// A number of the United States: `+1` and ten digits.
  case phoneNumber
  /// RFC 3339, with an offset.
  case dateTime
  /// `https://` and a host; `http` does not protect payments.
  case address
  /// Strict base64 of this many bytes.
  case base64(ClosedRange<Int>)
  /// This many bytes in hexadecimal digits of either case.
  case hexadecimal(Int)
  case object
  /// A non-empty array of these strings; of any strings if the list is empty.
  case strings([String])
  /// A string that contains a token's JSON.
  case tokenText
  /// A string with the base64 of a token's JSON.
  case tokenBase64
  /// A token as an object.
  case token

  static let anyText = text(0 ... .max)
  static let nonEmptyText = text(1 ... .max)

  var isAmount: Bool {
    switch self {
    case .minorUnits, .minorUnitsText, .decimal, .decimalOrText, .amount, .amountText: true
    default: false
    }
  }

  /// The allowed values, for people; completes "must be …".
  package var expectation: String {
    switch self {
    case .constant(let text): "\"\(text)\""
    case .number(let text): text
    case .choice(let texts): "one of " + texts.joined(separator: ", ")
    case .text(let range): "text" + Self.count(range, "characters")
    case .digits(let range): "a string of digits" + Self.count(range, "digits")
    case .digitsOrNumber(let range): "digits, as a string or a number" + Self.count(range, "digits")
    case .maskedNumber: "an account number, possibly masked"
    case .month: "a string, a month from 1 to 12"
    case .year: "a string, the last two digits of a year"
    case .monthAndYear: "a string, MMYY"
    case .boolean: "true or false"
    case .minorUnits: "a whole number of minor units from 0 to \(Currency.largestAmount), not a string"
    case .minorUnitsText: "a string, a whole number of minor units from 0 to \(Currency.largestAmount)"
    case .decimal: "a number of major units with at most four decimals and no exponent, not a string"
    case .decimalOrText: "an amount of major units with at most four decimals"
    case .amount(let path): "an amount of major units with no more decimals than \(path) has"
    case .amountText(let path): "a string, an amount of major units with no more decimals than \(path) has"
    case .currency: "a currency of ISO 4217, three letters"
    case .country: "a country of ISO 3166, two capital letters"
    case .phoneNumber: "a telephone number of the United States, +1 and ten digits"
    case .dateTime: "a date and time of RFC 3339"
    case .address: "an https address with a host"
    case .base64(let range): "strict base64" + Self.count(range, "bytes")
    case .hexadecimal(let count): "\(2 * count) hexadecimal digits"
    case .object: "an object"
    case .strings(let texts): "an array of strings" + (texts.isEmpty ? "" : " out of " + texts.joined(separator: ", "))
    case .tokenText: "a string that contains the token's JSON"
    case .tokenBase64: "a string with the base64 of the token's JSON"
    case .token: "an object, the token"
    }
  }

  private static func count(_ range: ClosedRange<Int>, _ unit: String) -> String {
    if range == 1 ... .max { return ", not empty" }
    if range.lowerBound == range.upperBound { return ", \(range.lowerBound) \(unit)" }
    if range.upperBound == .max { return range.lowerBound == 0 ? "" : ", \(range.lowerBound) \(unit) or more" }
    return range.lowerBound == 0
      ? ", at most \(range.upperBound) \(unit)" : ", \(range.lowerBound) to \(range.upperBound) \(unit)"
  }
}
