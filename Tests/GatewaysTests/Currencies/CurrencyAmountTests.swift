import Gateways
import Testing

@Suite struct CurrencyAmountTests {
  @Test(
    arguments: [
      ("JPY", 1234, "1234"), ("JPY", 0, "0"), ("KWD", 1234, "1.234"), ("KWD", 4, "0.004"), ("USD", 5, "0.05"),
      ("USD", 0, "0.00"), ("USD", 100, "1.00"), ("USD", 1050, "10.50"), ("CLF", 1, "0.0001"),
      ("UYW", 123_456, "12.3456"), ("USD", 999_999_999_999, "9999999999.99"),
      ("JPY", 999_999_999_999, "999999999999"), ("KWD", 999_999_999_999, "999999999.999"),
    ])
  func `amounts both ways`(_ code: String, _ amount: Int64, _ text: String) throws {
    let currency = try #require(Currency.alphabetic(code))
    #expect(try currency.decimalText(ofMinorUnits: amount) == text)
    #expect(try currency.minorUnits(ofDecimalText: text) == amount)
  }

  @Test func `any amount in any currency comes back`() throws {
    let seed: UInt64 = 0x4217
    var state = seed
    for currency in Currency.all where currency.exponent != nil {
      for _ in 0..<50 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let amount = Int64(state >> 24) % 1_000_000_000_000 >> Int64(state & 31)
        let text = try currency.decimalText(ofMinorUnits: amount)
        #expect(try currency.minorUnits(ofDecimalText: text) == amount, "seed \(seed)")
      }
    }
  }

  @Test(arguments: [("10", 1000), ("10.5", 1050), ("0.1", 10), ("0", 0)])
  func `fewer decimals than the currency has are accepted`(_ text: String, _ amount: Int64) throws {
    #expect(try #require(Currency.alphabetic("USD")).minorUnits(ofDecimalText: text) == amount)
  }

  @Test(
    arguments: [
      "", ".", "1.", ".5", "-1", "+1", "-0.00", "1e2", "1E2", "1.0e1", " 1", "1 ", "1,00", "1.2.3", "01", "00", "00.10",
      "0x10", "1_000", "NaN", "inf", "١٢", "１", "1.٥", "1\u{301}",
    ])
  func `what is not a plain decimal is refused`(_ text: String) throws {
    let dollar = try #require(Currency.alphabetic("USD"))
    #expect(throws: AmountError.notDecimal) { try dollar.minorUnits(ofDecimalText: text) }
  }

  @Test(arguments: [("USD", "1.000"), ("USD", "0.001"), ("JPY", "1.0"), ("KWD", "1.2340"), ("CLF", "1.00000")])
  func `too many decimals are refused, zeros too`(_ code: String, _ text: String) throws {
    let currency = try #require(Currency.alphabetic(code))
    let error = AmountError.tooManyDecimals(in: currency)
    #expect(throws: error) { try currency.minorUnits(ofDecimalText: text) }
    #expect(error.reason.contains(code) && error.reason.contains("no decimals") == (currency.exponent == 0))
  }

  @Test(
    arguments: [
      ("USD", "10000000000"), ("USD", "10000000000.00"), ("JPY", "1000000000000"), ("KWD", "1000000000"),
      ("USD", "99999999999999999999999999999999999999"),
    ])
  func `amounts beyond a token's range are refused`(_ code: String, _ text: String) throws {
    let currency = try #require(Currency.alphabetic(code))
    #expect(throws: AmountError.outOfRange) { try currency.minorUnits(ofDecimalText: text) }
  }

  @Test(arguments: [-1, 1_000_000_000_000, .max, .min] as [Int64])
  func `amounts beyond a token's range are not written`(_ amount: Int64) throws {
    let dollar = try #require(Currency.alphabetic("USD"))
    #expect(throws: AmountError.outOfRange) { try dollar.decimalText(ofMinorUnits: amount) }
  }

  @Test func `a code without a minor unit has no amounts`() throws {
    let gold = try #require(Currency.alphabetic("XAU"))
    #expect(throws: AmountError.noExponent) { try gold.decimalText(ofMinorUnits: 1) }
    #expect(throws: AmountError.noExponent) { try gold.minorUnits(ofDecimalText: "1") }
  }
}
