import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct HumanValueTests {
  @Test func `amount, currency and date are shown for people, and the token's own spelling beside them`() throws {
    let outcome = try MintedFolder().decrypt()
    for (name, value) in [
      ("transactionAmount", "12.50 EUR (1250)"), ("currencyCode", "EUR (978)"),
      ("applicationExpirationDate", "2030-12-31 (301231)"),
    ] {
      let line = try #require(outcome.text.split(separator: "\n").first { $0.hasPrefix(name + " ") })
      #expect(line.dropFirst(name.count).trimmingCharacters(in: .whitespaces) == value)
    }
  }

  private static let amounts: [(code: String, amount: String)] = [
    ("392", "1250 JPY (1250)"), ("048", "1.250 BHD (1250)"), ("999", "1250"), ("000", "1250"),
  ]

  @Test(arguments: amounts)
  func `the currency decides the decimals`(code: String, amount: String) throws {
    let text = try MintedFolder(["--currency", code]).decrypt().text
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("transactionAmount ") })
    #expect(line.dropFirst("transactionAmount".count).trimmingCharacters(in: .whitespaces) == amount)
  }

  private static let expectations: [(options: String, status: Int32)] = [
    ("--expect-currency EUR", 0),
    ("--expect-currency 978", 0),
    ("--expect-currency USD", 1),
    ("--expect-currency EUR --expect-amount 12.50", 0),
    ("--expect-amount 1250", 0),
    ("--expect-currency EUR --expect-amount 12.5", 0),
    ("--expect-amount 12.50", 64),
    ("--expect-currency EUR --expect-amount 1.25", 1),
    ("--expect-currency EUR --expect-amount 12.500", 64),
    ("--expect-currency EURO", 64),
  ]

  @Test(arguments: expectations)
  func `an expectation may be written as people write it`(words: String, status: Int32) throws {
    let minted = try MintedFolder()
    let options = words.split(separator: " ").map(String.init)
    #expect(try minted.decrypt(options).status == status)
    #expect(try minted.decrypt(options + ["--engine", "reference"]).status == status)
  }

  @Test func `a date alone is the beginning of that day`() throws {
    let folder = try TemporaryFolder()
    let minted = try Program.run(["mint", "--out", folder.path("a"), "--seed", "7", "--at", "2026-03-01"])
    #expect(minted.status == 0 && minted.text.contains("2026-03-01T00:00:00Z"))
    let words = [
      "decrypt", folder.path("a/token.json"), "--key", folder.path("a/merchant.key"), "--cert",
      folder.path("a/merchant.pem"), "--root", folder.path("a/root.pem"), "--at",
    ]
    let cases: [(time: String, status: Int32)] = [
      ("2026-03-01", 0), ("2026-03-01T00:00:00Z", 0), ("2026-03-02", 1), ("2026-02-30", 64),
    ]
    for (time, status) in cases {
      #expect(try Program.run(words + [time]).status == status, "\(time)")
    }
  }
}
