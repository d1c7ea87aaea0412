import Foundation
import Gateways
import TestSupport
import Testing

/// Why an amount is not sent on: every command gives the reason of the amount itself.
@Suite(.blocking) struct AmountRefusalTests {
  /// The folder's token in a gateway's request with another amount.
  private func request(
    _ minted: MintedFolder, _ gateway: Gateway, _ form: String, _ old: String, _ new: String
  ) throws -> String {
    let token = Array(try Data(contentsOf: URL(filePath: minted.token)))
    let made = try #require(gateway.forms.first { $0.name == form }).request(around: token)
    let text = String(decoding: made, as: UTF8.self)
    #expect(text.contains(old))
    return try minted.folder.write(text.replacing(old, with: new), to: "request.json")
  }

  private func mastercard(_ minted: MintedFolder, _ amount: String, _ currency: String = "EUR") throws -> String {
    let form = try #require(Gateway.mpgs.forms.first).name
    return try request(
      minted, .mpgs, form, #""amount":"12.50","currency":"EUR""#, #""amount":"\#(amount)","currency":"\#(currency)""#)
  }

  private func refused(_ words: [String], _ status: Int32 = 1) throws -> String {
    let outcome = try Program.run(words)
    #expect(outcome.status == status && outcome.output.isEmpty, "\(words)")
    return outcome.error
  }

  @Test(arguments: [
    ("12.50", AmountError.notMinorUnits), ("-5", .notMinorUnits), ("1e2", .notMinorUnits),
    ("1000000000000", .outOfRange),
  ])
  func `an amount that must be minor units is called so, not a decimal`(_ amount: String, _ error: AmountError) throws {
    let minted = try MintedFolder()
    let file = try request(
      minted, .worldline, "CreatePayment, signed", #""amount":1250"#, #""amount":\#(amount)"#)
    let decrypt = ["decrypt", file, "--envelope", "worldline"] + minted.options
    let answers = [
      try refused(decrypt + ["--expect-amount", "request"], 2), try refused(decrypt + ["--output", "mpgs"]),
      try refused(["gateway", "request", "mpgs", file]),
    ]
    for answer in answers {
      #expect(answer.contains("the request's amount is not valid: \(error.reason)."), "\(answer)")
    }
  }

  @Test(arguments: [
    ("99999999999999999999", AmountError.outOfRange), ("12,50", .notDecimal), (" 12.50", .notDecimal),
    ("12.", .notDecimal), ("012.50", .notDecimal), ("-1", .notDecimal), ("1e1", .notDecimal),
  ])
  func `an invalid amount has the same reason opened or not, and in a check`(_ amount: String, _ error: AmountError)
    throws
  {
    let minted = try MintedFolder()
    let file = try mastercard(minted, amount)
    let reason = "cannot be sent on: invalidAmount. The request's amount is not valid: \(error.reason).\n"
    #expect(try refused(["decrypt", file, "--output", "mpgs"] + minted.options) == "assay: \(reason)")
    let order = try minted.folder.write(#"{"amount":1250,"currency":"EUR"}"#, to: "order.json")
    for gateway in ["mpgs", "worldline"] {
      #expect(try refused(["gateway", "request", gateway, file]) == "assay: \(reason)")
      #expect(try refused(["gateway", "request", gateway, file, "--order", order]) == "assay: \(reason)")
    }
    let preferred = try refused(["decrypt", file, "--output", "mpgs", "--prefer", "request"] + minted.options)
    #expect(preferred.contains("requestWithoutAmount") && preferred.contains(error.reason))
    let check = try Program.run(["gateway", "check", "mpgs", file])
    #expect(check.status == 1 && check.text.contains(error.reason))
  }

  @Test func `a response's amount that no token holds is told so`() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"result":"SUCCESS","response":{"gatewayCode":"APPROVED"},"order":{"amount":99999999999999999999,"currency":"EUR"}}
      """
    let outcome = try Program.run(["gateway", "response", "mpgs", try folder.write(text, to: "answer.json")])
    #expect(outcome.status == 1 && outcome.text.contains(AmountError.outOfRange.reason))
  }

  @Test(arguments: ["mpgs", "worldline", "bambora"])
  func `an order in a currency without minor unit is not one without an amount`(_ gateway: String) throws {
    let minted = try MintedFolder()
    let text = #"{"amount":1250,"currency":"XAU","merchantIdentifier":"merchant.test.assay.one"}"#
    let order = try minted.folder.write(text, to: "order.json")
    let answer = try refused(["gateway", "request", gateway, minted.token, "--order", order])
    #expect(answer.hasPrefix("assay: cannot be sent on: currencyWithoutMinorUnit. ") && !answer.contains("missing"))
    #expect(answer.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["1000000000000", "-5", "12.50", #""1250""#])
  func `an order's amount is told what it must be, with its limit`(_ amount: String) throws {
    let minted = try MintedFolder()
    let order = try minted.folder.write(#"{"amount":\#(amount),"currency":"EUR"}"#, to: "order.json")
    let answer = try refused(["gateway", "request", "mpgs", minted.token, "--order", order], 2)
    #expect(answer.contains("amount must be a whole number of minor units from 0 to 999999999999, not a string."))
  }

  @Test func `what differs from the token is the order's or the request's, as it is`() throws {
    let minted = try MintedFolder()
    let words = ["gateway", "request", "mpgs", minted.token] + minted.options
    for (text, code) in [
      (#"{"amount":9999,"currency":"EUR"}"#, "amountDiffers"), (#"{"currency":"USD"}"#, "currencyDiffers"),
      (#"{"merchantIdentifier":"merchant.test.assay.two"}"#, "merchantDiffers"),
    ] {
      let order = try minted.folder.write(text, to: "order.json")
      let answer = try refused(words + ["--order", order])
      #expect(answer.contains("\(code). The order names another ") && !answer.contains("The request"))
      let preferred = try Program.run(words + ["--order", order, "--prefer", "token"])
      #expect(preferred.status == 0 && preferred.error.contains("sent on although the order and the token differ in "))
    }
    let file = try mastercard(minted, "99.99")
    let answer = try refused(["decrypt", file, "--output", "mpgs"] + minted.options)
    #expect(answer.contains("amountDiffers. The request names another amount "))
    // The messages tell what differs in the order and what in the request.
    let order = try minted.folder.write(#"{"merchantIdentifier":"merchant.test.assay.two"}"#, to: "order.json")
    let both = try Program.run(
      ["gateway", "request", "mpgs", file, "--order", order, "--prefer", "token"] + minted.options)
    #expect(both.error.contains("although the order and the token differ in merchant."))
    #expect(both.error.contains("although the request and the token differ in amount."))
  }
}
