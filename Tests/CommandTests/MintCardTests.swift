import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct MintCardTests {
  private func payment(_ options: [String], _ file: String = "token.json") throws -> [String: Any] {
    let minted = try MintedFolder(options)
    let outcome = try Program.run(
      ["decrypt", minted.folder.path(file), "--output", "plaintext"] + minted.options)
    #expect(outcome.status == 0, "\(outcome.error)")
    return try outcome.json()
  }

  /// The Luhn check, written independently of the minter: every second digit from the right is doubled.
  private func hasCheckDigit(_ number: String) -> Bool {
    let digits = number.reversed().compactMap(\.wholeNumberValue)
    let sum = digits.enumerated().map { $0.isMultiple(of: 2) ? $1 : $1 * 2 / 10 + $1 * 2 % 10 }.reduce(0, +)
    return digits.count == number.count && sum.isMultiple(of: 10)
  }

  private static let networks: [(name: String, prefix: String, length: Int)] = [
    ("visa", "4", 16), ("mastercard", "5", 16), ("amex", "37", 15), ("discover", "60", 16), ("jcb", "35", 16),
    ("diners", "3", 14), ("maestro", "6", 16), ("unionpay", "62", 16),
  ]

  @Test(arguments: networks)
  func `a drawn card has a valid number of its network and a date to come`(
    network: String, prefix: String, length: Int
  ) throws {
    let payment = try payment(["--network", network])
    let number = try #require(payment["applicationPrimaryAccountNumber"] as? String)
    #expect(hasCheckDigit(number) && number.count == length)
    #expect(number.hasPrefix(prefix) || (network == "mastercard" && number.hasPrefix("2")))
    #expect(try #require(payment["applicationExpirationDate"] as? String) > "260301")
    let data = try #require(payment["paymentData"] as? [String: Any])
    #expect(Data(base64Encoded: try #require(data["onlinePaymentCryptogram"] as? String))?.count == 20)
  }

  @Test func `tokens take the cards in turn, and the seed decides which they are`() throws {
    func numbers() throws -> [String] {
      let minted = try MintedFolder(["--cards", "3", "--count", "6"])
      return try (1...6).map { index in
        let outcome = try Program.run(
          ["decrypt", minted.folder.path("token-\(index).json"), "--output", "plaintext"] + minted.options)
        return try #require(try outcome.json()["applicationPrimaryAccountNumber"] as? String)
      }
    }
    let first = try numbers()
    #expect(Set(first).count == 3)
    #expect(Array(first.prefix(3)) == Array(first.suffix(3)))
    #expect(try numbers() == first)
  }

  @Test func `number, date, indicator and cryptogram are what was asked for`() throws {
    let payment = try payment([
      "--pan", "5555555555554444", "--expiry", "2032-02", "--eci", "05", "--cryptogram", "00112233445566778899",
      "--amount", "999", "--currency", "USD",
    ])
    #expect(payment["applicationPrimaryAccountNumber"] as? String == "5555555555554444")
    #expect(payment["applicationExpirationDate"] as? String == "320229")
    #expect(payment["currencyCode"] as? String == "840" && payment["transactionAmount"] as? Int == 999)
    let data = try #require(payment["paymentData"] as? [String: Any])
    #expect(data["eciIndicator"] as? String == "05")
    #expect(data["onlinePaymentCryptogram"] as? String == "ABEiM0RVZneImQ==")
    let without = try self.payment(["--eci", "none", "--expiry", "2031-05-17"])
    #expect((without["paymentData"] as? [String: Any])?.keys.contains("eciIndicator") == false)
    #expect(without["applicationExpirationDate"] as? String == "310517")
  }

  @Test func `a merchant token has an identifier that stays with its card`() throws {
    let first = try payment(["--merchant-token", "--cards", "1"])
    let identifier = try #require(first["merchantTokenIdentifier"] as? String)
    let metadata = try #require(first["merchantTokenMetadata"] as? [String: Any])
    let card = try #require(metadata["cardMetadata"] as? [String: Any])
    #expect(
      try #require(first["applicationPrimaryAccountNumber"] as? String).hasSuffix(
        try #require(card["fpanSuffix"] as? String)))
    let second = try payment(["--merchant-token", "--cards", "1", "--count", "2"], "token-2.json")
    #expect(second["merchantTokenIdentifier"] as? String == identifier)
  }

  @Test func `a number without its check digit is refused, and no stream names a number`() throws {
    let wrong = try Program.run(["mint", "--json", "--pan", "4929000000000001"])
    #expect(wrong.status == 64 && !wrong.error.contains("4929000000000001"))
    let real = try Program.run(["mint", "--json", "--pan", "4929000000000000", "--at", MintedFolder.time])
    #expect(real.status == 0 && real.error.contains("real card"))
    #expect(!(real.error + real.text).contains("4929000000000000"))
    let test = try Program.run(["mint", "--json", "--pan", "4111111111111111", "--at", MintedFolder.time])
    #expect(test.status == 0 && test.error.isEmpty)
  }

  private static let contradictions: [[String]] = [
    ["--pan", "4111111111111111", "--cards", "2"], ["--type", "emv", "--eci", "5"], ["--expiry", "2032-13"],
    ["--expiry", "1999-01"], ["--eci", "123"], ["--cryptogram", "xyz"], ["--cards", "0"],
    ["--fault", "version-missing", "--cards", "1"], ["--fault", "version-missing", "--version", "RSA_v1"],
    ["--envelope", "worldline", "--version", "RSA_v1"], ["--list-faults", "--fault", "version-missing"],
    ["--list-faults", "--out", "folder"], ["--list-faults", "--pan", "4111111111111111"],
    ["--list-faults", "--seed", "1"],
  ]

  @Test(arguments: contradictions)
  func `options that exclude each other end with 64`(options: [String]) throws {
    let outcome = try Program.run(["mint", "--json"] + options)
    #expect(outcome.status == 64 && outcome.output.isEmpty)
  }
}
