import Gateways
import Testing

@Suite struct CurrencyTableTests {
  @Test func `the list has what the agency published`() {
    #expect(Currency.listPublicationDate == "2026-01-01")
    #expect(Currency.all.count == 178)
    let counts = Dictionary(grouping: Currency.all, by: \.exponent).mapValues(\.count)
    #expect(counts == [0: 17, 2: 139, 3: 7, 4: 2, nil: 13])
  }

  @Test func `codes are well formed, sorted and unique`() {
    let letters = Currency.all.map(\.alphabeticCode)
    #expect(letters == letters.sorted())
    #expect(Set(letters).count == letters.count)
    #expect(Set(Currency.all.map(\.numericCode)).count == letters.count)
    #expect(letters.allSatisfy { $0.utf8.count == 3 && $0.utf8.allSatisfy { (65...90).contains($0) } })
    #expect(Currency.all.allSatisfy { $0.numericCode.utf8.count == 3 && Int($0.numericCode) != nil })
  }

  @Test func `each code finds its currency, both ways`() {
    for currency in Currency.all {
      #expect(Currency.numeric(currency.numericCode) == currency)
      #expect(Currency.alphabetic(currency.alphabeticCode) == currency)
    }
  }

  @Test(
    arguments: [
      ("USD", "840", 2), ("CAD", "124", 2), ("AUD", "036", 2), ("EUR", "978", 2), ("JPY", "392", 0),
      ("KRW", "410", 0), ("CLP", "152", 0), ("ISK", "352", 0), ("UGX", "800", 0), ("VND", "704", 0),
      ("XAF", "950", 0), ("XOF", "952", 0), ("XPF", "953", 0), ("UYI", "940", 0), ("KWD", "414", 3),
      ("BHD", "048", 3), ("TND", "788", 3), ("JOD", "400", 3), ("OMR", "512", 3), ("LYD", "434", 3),
      ("IQD", "368", 3), ("CLF", "990", 4), ("UYW", "927", 4), ("HUF", "348", 2), ("MGA", "969", 2),
      ("MRU", "929", 2), ("XCG", "532", 2), ("ZWG", "924", 2), ("SLE", "925", 2), ("XAD", "396", 2),
    ])
  func `known codes`(_ letters: String, _ digits: String, _ exponent: Int) throws {
    let currency = try #require(Currency.alphabetic(letters))
    #expect(currency.numericCode == digits)
    #expect(currency.exponent == exponent)
  }

  @Test(
    arguments: [
      "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX",
    ])
  func `codes without a minor unit`(_ letters: String) throws {
    #expect(try #require(Currency.alphabetic(letters)).exponent == nil)
  }

  @Test(arguments: ["", "usd", "US", "USDD", "HRK", "BGN", "ANG", "ZWL", "$", "ＵＳＤ"])
  func `withdrawn and malformed letters find nothing`(_ letters: String) {
    #expect(Currency.alphabetic(letters) == nil)
  }

  @Test(arguments: ["", "0", "36", "000", "0840", "191", "975", "8 4"])
  func `withdrawn and malformed digits find nothing`(_ digits: String) {
    #expect(Currency.numeric(digits) == nil)
  }
}
