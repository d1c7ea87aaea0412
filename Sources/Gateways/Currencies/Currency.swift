/// A currency or fund of ISO 4217.
public struct Currency: Hashable, Sendable {
  /// Three capital letters.
  public let alphabeticCode: String
  /// Three digits, with leading zeros: what `Payment.currencyCode` holds.
  public let numericCode: String
  /// The number of decimals of an amount in major units, 0...4; nil where ISO 4217 says N.A. (metals, bond units,
  /// testing). Amounts of such a currency cannot be written.
  public let exponent: Int?

  init(_ alphabeticCode: String, _ numericCode: String, _ exponent: Int?) {
    self.alphabeticCode = alphabeticCode
    self.numericCode = numericCode
    self.exponent = exponent
  }

  /// The currency with these three digits; nil if the list lacks it.
  public static func numeric(_ code: String) -> Currency? { code.isASCII ? byNumericCode[code] : nil }

  /// The currency with these three capital letters; nil if the list lacks it.
  public static func alphabetic(_ code: String) -> Currency? { code.isASCII ? byAlphabeticCode[code] : nil }

  private static let byNumericCode = index(by: \.numericCode)
  private static let byAlphabeticCode = index(by: \.alphabeticCode)

  private static func index(by code: (Currency) -> String) -> [String: Currency] {
    Dictionary(all.map { (code($0), $0) }) { first, _ in first }
  }
}

/// Why an amount cannot be written or read.
@nonexhaustive
public enum AmountError: Error, Hashable, Sendable {
  /// The currency has no minor unit.
  case noExponent
  /// The text is not a plain decimal number: digits with at most one point between them. A sign, an exponent, a leading
  /// zero, white space or an empty text is rejected.
  case notDecimal
  /// The text is not a whole number of minor units: digits alone, without a leading zero.
  case notMinorUnits
  /// More decimals than the currency has, even if they are zeros.
  case tooManyDecimals(in: Currency)
  /// Outside 0...10^12-1 minor units.
  case outOfRange

  /// What is wrong, a clause for people.
  public var reason: String {
    switch self {
    case .noExponent: "the currency has no minor unit"
    case .notDecimal: "it is not a plain decimal number such as 12.50"
    case .notMinorUnits: "it must be a whole number of minor units such as 1250, in digits alone"
    case .tooManyDecimals(let currency):
      "\(currency.alphabeticCode) has \(currency.exponent.map { $0 > 0 ? String($0) : "no" } ?? "no") decimals"
    case .outOfRange: "a token cannot hold this amount, only 0 to \(Currency.largestAmount) minor units"
    }
  }
}

extension Currency {
  /// The largest amount a token can hold, in minor units (Docs/Verification.md stage 13).
  public static let largestAmount: Int64 = 999_999_999_999

  /// An amount in major units with all of the currency's decimals: 5 in USD is `0.05`, 1234 in JPY `1234`.
  ///
  /// - Parameter amount: minor units, 0...10^12-1.
  /// - Throws: `noExponent`, `outOfRange`.
  public func decimalText(ofMinorUnits amount: Int64) throws(AmountError) -> String {
    guard let exponent else { throw .noExponent }
    guard (0...Self.largestAmount).contains(amount) else { throw .outOfRange }
    let digits = String(amount)
    guard exponent > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count)) + digits
    return padded.dropLast(exponent) + "." + padded.suffix(exponent)
  }

  /// The minor units of an amount in major units, which may have fewer decimals than the currency (`10.5` in USD).
  ///
  /// - Throws: `noExponent`, `notDecimal`, `tooManyDecimals`, `outOfRange`.
  public func minorUnits(ofDecimalText text: String) throws(AmountError) -> Int64 {
    guard let exponent else { throw .noExponent }
    guard let text = DecimalText(text) else { throw .notDecimal }
    guard text.decimals.utf8.count <= exponent else { throw .tooManyDecimals(in: self) }
    var amount: Int64 = 0
    for digit in text.whole.utf8 { amount = try Self.appending(Int64(digit - UInt8(ascii: "0")), to: amount) }
    for digit in text.decimals.utf8 { amount = try Self.appending(Int64(digit - UInt8(ascii: "0")), to: amount) }
    for _ in text.decimals.utf8.count..<exponent { amount = try Self.appending(0, to: amount) }
    return amount
  }

  /// Never overflows: an amount within the range leaves room for six more digits.
  private static func appending(_ digit: Int64, to amount: Int64) throws(AmountError) -> Int64 {
    let sum = amount * 10 + digit
    guard sum <= largestAmount else { throw .outOfRange }
    return sum
  }
}
