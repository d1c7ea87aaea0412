/// A currency or fund of the list of ISO 4217.
public struct Currency: Hashable, Sendable {
  /// The alphabetic code: three capital letters, such as `USD`.
  public let alphabeticCode: String
  /// The numeric code: three digits with leading zeros, such as `840`, as in `Payment.currencyCode`.
  public let numericCode: String
  /// The number of decimals of an amount in major units, 0...4. Nil if ISO 4217 lists it as N.A., as for metals, bond
  /// units and the code for testing: such a currency has no minor unit, and its amounts cannot be written.
  public let exponent: Int?

  init(_ alphabeticCode: String, _ numericCode: String, _ exponent: Int?) {
    self.alphabeticCode = alphabeticCode
    self.numericCode = numericCode
    self.exponent = exponent
  }

  /// Returns the currency with this numeric code of three digits; nil if it is not in the list.
  public static func numeric(_ code: String) -> Currency? { code.isASCII ? byNumericCode[code] : nil }

  /// Returns the currency with this alphabetic code of three capital letters; nil if it is not in the list.
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
  /// The text is not a plain decimal number: ASCII digits, with at most one point between them. Signs, exponents, white
  /// space, an empty text, and zeros in front of another digit (`05`) are refused; `0.5` is accepted.
  case notDecimal
  /// The text is not a whole number of minor units: digits alone, without a leading zero.
  case notMinorUnits
  /// The text has more decimals than the currency, even if they are zeros.
  case tooManyDecimals(in: Currency)
  /// The amount is outside 0...10^12-1 minor units.
  case outOfRange

  /// What is wrong, in a few words without a full stop.
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
  /// The largest amount that a token can contain, in minor units (Docs/Verification.md, stage 13).
  public static let largestAmount: Int64 = 999_999_999_999

  /// Writes an amount in major units with all of the currency's decimals: 5 in USD as `0.05`, 1234 in JPY as `1234`.
  ///
  /// - Parameter amount: the amount in minor units, 0...10^12-1.
  /// - Throws: `AmountError.noExponent`, `outOfRange`.
  public func decimalText(ofMinorUnits amount: Int64) throws(AmountError) -> String {
    guard let exponent else { throw .noExponent }
    guard (0...Self.largestAmount).contains(amount) else { throw .outOfRange }
    let digits = String(amount)
    guard exponent > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, exponent + 1 - digits.utf8.count)) + digits
    return padded.dropLast(exponent) + "." + padded.suffix(exponent)
  }

  /// Reads an amount in major units, and returns it in minor units. It may have fewer decimals than the currency:
  /// `10.5` in USD is 1050.
  ///
  /// - Throws: `AmountError.noExponent`, `notDecimal`, `tooManyDecimals`, `outOfRange`.
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

  /// Appends a digit to an amount within the range. It cannot overflow: `Int64` has room for six more digits.
  private static func appending(_ digit: Int64, to amount: Int64) throws(AmountError) -> Int64 {
    let sum = amount * 10 + digit
    guard sum <= largestAmount else { throw .outOfRange }
    return sum
  }
}
