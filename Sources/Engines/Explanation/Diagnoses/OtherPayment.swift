import Gateways
import PaymentToken

/// A payment that is not the expected one.
struct OtherPayment {
  /// ISO 4217 numeric, three digits.
  let currencyCode: String
  /// The factor between the two amounts, if it is exactly a power of ten up to 10,000; nil otherwise.
  let factor: Int64?

  private var currency: Currency? { Currency.numeric(currencyCode) }

  /// `USD (840)`
  var currencyName: String { currency.map { "\($0.alphabeticCode) (\(currencyCode))" } ?? currencyCode }

  /// The factor, if mixed-up units explain it: minor units of the currency for major ones, minor units of two decimals
  /// (as in most currencies) for major ones, or one kind of minor units for the other.
  var unitFactor: Int64? {
    let decimals = currency?.exponent ?? 2
    let exponents = [2, decimals, abs(decimals - 2)]
    return exponents.contains { factor == powerOfTen($0) } ? factor : nil
  }

  /// The verdict on another amount that mixing up units explains; nil for anything else.
  func verdict(expecting expectations: Expectations) -> Verdict? {
    guard let unitFactor else { return nil }
    let diagnosis = Diagnosis.amountInOtherUnits
    let remedy = expectations.amountWords.map { "expected is \($0); \(diagnosis.sentence)" }
    return Verdict(diagnosis, String(unitFactor), remedy: remedy)
  }

  private func powerOfTen(_ exponent: Int) -> Int64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}

extension Expectations {
  /// `0.50 USD (50)`; nil if no amount or no currency of ISO 4217 with a minor unit is expected.
  var amountWords: String? {
    guard let amount = transactionAmount, let currency = currencyCode.flatMap(Currency.numeric),
      let decimals = try? currency.decimalText(ofMinorUnits: amount)
    else { return nil }
    return "\(decimals) \(currency.alphabeticCode) (\(amount))"
  }
}
