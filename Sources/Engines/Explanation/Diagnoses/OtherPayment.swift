import Gateways

/// A payment that is not the expected one.
struct OtherPayment {
  /// ISO 4217 numeric, three digits.
  let currencyCode: String
  /// What one amount is exactly times the other, a power of ten; nil for anything else.
  let factor: Int64?

  private var currency: Currency? { Currency.numeric(currencyCode) }

  /// `USD (840)`
  var currencyName: String { currency.map { "\($0.alphabeticCode) (\(currencyCode))" } ?? currencyCode }

  /// The factor, if mixing up units explains it: of the currency, of the two decimals that most currencies have, or one
  /// for the other.
  var unitFactor: Int64? {
    let decimals = currency?.exponent ?? 2
    let exponents = [2, decimals, abs(decimals - 2)]
    return exponents.contains { factor == powerOfTen($0) } ? factor : nil
  }

  private func powerOfTen(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
