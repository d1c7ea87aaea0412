/// A currency or fund of ISO 4217.
public struct Currency: Hashable, Sendable {
  /// Three capital letters.
  public let alphabeticCode: String
  /// Three digits, with leading zeros: what `Payment.currencyCode` holds.
  public let numericCode: String
  /// How many decimals the minor unit has, 0...4; nil where the list says N.A. (metals, bond units, testing):
  /// such a code has no minor unit, so no amount in it can be written down.
  public let exponent: Int?

  init(_ alphabeticCode: String, _ numericCode: String, _ exponent: Int?) {
    self.alphabeticCode = alphabeticCode
    self.numericCode = numericCode
    self.exponent = exponent
  }

  /// The currency with these three digits; nil for what the list does not have.
  public static func numeric(_ code: String) -> Currency? { code.isASCII ? byNumericCode[code] : nil }

  /// The currency with these three capital letters; nil for what the list does not have.
  public static func alphabetic(_ code: String) -> Currency? { code.isASCII ? byAlphabeticCode[code] : nil }

  private static let byNumericCode = index(by: \.numericCode)
  private static let byAlphabeticCode = index(by: \.alphabeticCode)

  private static func index(by code: (Currency) -> String) -> [String: Currency] {
    Dictionary(all.map { (code($0), $0) }) { first, _ in first }
  }
}
