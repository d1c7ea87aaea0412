import Foundation
import Gateways
import TestSupport
import Testing

/// Tokens in gateways' requests, minted and decrypted.
@Suite(.blocking) struct EnvelopeTests {
  private static let names = Gateway.all.map(\.name)

  private func mint(_ options: [String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let arguments = ["mint", "--out", folder.url.path, "--seed", "7", "--at", MintedFolder.time]
    let outcome = try Program.run(arguments + options)
    try #require(outcome.status == 0, "\(outcome.error)")
    return folder
  }

  private func decrypt(_ folder: TemporaryFolder, _ more: [String]) throws -> Program.Outcome {
    try Program.run(
      [
        "decrypt", folder.path("request.json"), "--key", folder.path("merchant.key"), "--cert",
        folder.path("merchant.pem"), "--root", folder.path("root.pem"), "--at", MintedFolder.time,
      ] + more)
  }

  private func code(_ outcome: Program.Outcome) throws -> String? {
    (try outcome.json()["error"] as? [String: Any])?["code"] as? String
  }

  @Test(arguments: names)
  func `a minted request opens by name and by shape, and the result names the envelope`(name: String) throws {
    let folder = try mint(["--envelope", name])
    let isSigned = name != "worldline"
    for engine in ["fast", "reference"] {
      for envelope in [["--envelope", name], ["--envelope", "auto"], []] {
        let policy = isSigned ? [] : ["--unsigned"]
        let outcome = try decrypt(folder, envelope + policy + ["--engine", engine, "--json"])
        #expect(outcome.status == 0, "\(outcome.text)")
        let document = try outcome.json()
        #expect(document["envelope"] as? String == name)
        #expect(document["signed"] as? Bool == isSigned)
        #expect((document["transactionId"] is NSNull) == !isSigned)
        #expect((document["signedAt"] is NSNull) == !isSigned)
        #expect((document["verifiedAt"] is NSNull) == !isSigned)
      }
      let other = name == "bambora" ? "mpgs" : "bambora"
      #expect(try code(decrypt(folder, ["--envelope", other, "--engine", engine, "--json"])) == "malformedEnvelope")
      #expect(try code(decrypt(folder, ["--envelope", "apple", "--engine", engine, "--json"])) == "missingMember")
    }
  }

  @Test(arguments: names) func `the printed command opens the request, and one seed gives one`(name: String) throws {
    let arguments = ["--envelope", name, "--count", "2"]
    let (first, second) = (try mint(arguments), try mint(arguments))
    for file in ["request-1.json", "request-2.json"] {
      let bytes = try Data(contentsOf: URL(filePath: first.path(file)))
      let again = try Data(contentsOf: URL(filePath: second.path(file)))
      #expect(bytes == again)
    }
    let folder = try TemporaryFolder()
    let minted = try Program.run(["mint", "--out", folder.url.path, "--seed", "7", "--envelope", name])
    let command = try #require(minted.text.split(separator: "\n").last)
    #expect(try Program.shell("\(command) --quiet >/dev/null").status == 0)
    #expect(minted.text.contains(name == "worldline" ? "accept unsigned" : "accept"))
  }

  @Test func `an unsigned token is refused unless it is asked for, and then said loudly`() throws {
    let folder = try mint(["--envelope", "worldline"])
    let refused = try decrypt(folder, ["--json"])
    #expect(refused.status == 1)
    #expect(try code(refused) == "missingMember")
    let text = try decrypt(folder, ["--unsigned"])
    #expect(text.status == 0)
    #expect(text.text.hasPrefix("UNSIGNED"))
    #expect(text.text.contains("WARNING") && !text.text.contains("accepted") && !text.text.contains("transactionId"))
    #expect(!text.text.contains(MintedFolder.accountNumber))
    let plaintext = try decrypt(folder, ["--unsigned", "--output", "plaintext"])
    #expect(plaintext.status == 0 && plaintext.error.contains("unsigned"))
    #expect(plaintext.text.contains(MintedFolder.accountNumber))
    for output in ["worldline", "mpgs"] {
      let sent = try decrypt(folder, ["--unsigned", "--output", output])
      #expect(sent.status == 1 && sent.output.isEmpty)
      #expect(sent.error.contains("nobody signed"))
    }
    let expected = String(repeating: "0", count: 64)
    #expect(
      try code(decrypt(folder, ["--unsigned", "--json", "--expect-application-data", expected]))
        == "applicationDataMismatch")
  }

  @Test(arguments: [("worldline", ["--unsigned"]), ("mpgs", []), ("bambora", ["--expect-currency", "414"])])
  func `expectations of the request are those that stand beside the token`(name: String, more: [String]) throws {
    let folder = try mint(["--envelope", name, "--amount", "1234", "--currency", "414"])
    let currency = name == "bambora" ? [] : ["--expect-currency", "request"]
    let options = ["--envelope", name, "--expect-amount", "request", "--json"] + currency + more
    #expect(try decrypt(folder, options).status == 0)
    let file = folder.path("request.json")
    let request = try String(contentsOfFile: file, encoding: .utf8)
    let altered = request.split(separator: name == "worldline" ? "1234" : "1.234", maxSplits: 1)
    _ = try folder.write(altered.joined(separator: name == "worldline" ? "1235" : "1.235"), to: "request.json")
    #expect(try code(decrypt(folder, options)) == "amountMismatch")
    _ = try folder.write(altered.joined(separator: name == "worldline" ? "1.5" : "1.2345"), to: "request.json")
    let unreadable = try decrypt(folder, options)
    #expect(unreadable.status == 2)
    #expect(try undecided(unreadable).contains("amount"))
    guard name != "bambora" else { return }
    _ = try folder.write(request.replacingOccurrences(of: "KWD", with: "USD"), to: "request.json")
    let other = try decrypt(folder, options)
    #expect(other.status == (name == "mpgs" ? 2 : 1))
    if name == "worldline" { #expect(try code(other) == "currencyMismatch") }
  }

  @Test func `what is wrong with the request comes before what it says beside the token`() throws {
    let folder = try mint(["--envelope", "mpgs"])
    _ = try folder.write(#"{"order":{"amount":"x","amount":1}}"#, to: "request.json")
    let options = ["--envelope", "mpgs", "--expect-amount", "request", "--json"]
    #expect(try code(decrypt(folder, options)) == "malformedEnvelope")
  }

  @Test func `a request of bambora has an amount, and its currency elsewhere`() throws {
    let folder = try mint(["--envelope", "bambora"])
    for options in [["--expect-amount", "request"], ["--expect-currency", "request"]] {
      let outcome = try decrypt(folder, ["--envelope", "bambora"] + options)
      #expect(outcome.status == 2)
      #expect(outcome.error.contains("currency"))
    }
  }

  @Test func `an amount of the request counts in the currency of the request`() throws {
    let folder = try mint(["--envelope", "mpgs", "--amount", "999999", "--currency", "978"])
    let request = try String(contentsOfFile: folder.path("request.json"), encoding: .utf8)
    let yen = request.replacingOccurrences(of: "9999.99", with: "999999").replacingOccurrences(of: "EUR", with: "JPY")
    try #require(yen != request)
    _ = try folder.write(yen, to: "request.json")
    let options = ["--envelope", "mpgs", "--expect-amount", "request", "--json"]
    #expect(try code(decrypt(folder, options)) == "currencyMismatch")
    let contradicted = try decrypt(folder, options + ["--expect-currency", "978"])
    #expect(contradicted.status == 2)
    #expect(try undecided(contradicted).contains("currency"))
  }

  @Test func `a request in another currency is not decided, even if the expected one is not in ISO 4217`() throws {
    // BGN was withdrawn in 2026, 001 was never given.
    for code in ["975", "001"] {
      let folder = try mint(["--amount", "1250", "--currency", code])
      let order = #"{"amount":"12.50","currency":"EUR","walletProvider":"APPLE_PAY"}"#
      let token = try String(contentsOfFile: folder.path("token.json"), encoding: .utf8)
      let text = try String(decoding: JSONEncoder().encode(token), as: UTF8.self)
      _ = try folder.write(
        #"{"order":\#(order),"sourceOfFunds":{"provided":{"card":{"devicePayment":{"paymentToken":\#(text)}}}}}"#,
        to: "request.json")
      let options = ["--envelope", "mpgs", "--expect-currency", code]
      #expect(try decrypt(folder, options).status == 0)
      let outcome = try decrypt(folder, options + ["--expect-amount", "request", "--json"])
      #expect(outcome.status == 2)
      #expect(try undecided(outcome).contains("currency"))
    }
  }

  /// Why a request could not be decided, as the document says it.
  private func undecided(_ outcome: Program.Outcome) throws -> String {
    let document = try outcome.json()
    #expect(document["accepted"] is NSNull)
    return try #require((document["error"] as? [String: Any])?["message"] as? String)
  }

  @Test(arguments: ["worldline", "mpgs"])
  func `what is sent on of an archived token is said to be no new payment`(output: String) throws {
    let folder = try mint(["--envelope", "mpgs"])
    let outcome = try Program.run([
      "decrypt", folder.path("request.json"), "--key", folder.path("merchant.key"), "--cert",
      folder.path("merchant.pem"), "--root", folder.path("root.pem"), "--at", "signing-time", "--quiet", "--output",
      output,
    ])
    #expect(outcome.status == 0)
    #expect(outcome.error.hasPrefix("assay: archived: "))
    #expect(try decrypt(folder, ["--output", output]).error.isEmpty)
  }

  @Test(arguments: ["worldline", "mpgs"])
  func `what is sent on of a token whose age nobody asked is said to be perhaps an old one`(gateway: String) throws {
    let folder = try mint(["--envelope", "mpgs"])
    let options = [
      "--key", folder.path("merchant.key"), "--cert", folder.path("merchant.pem"), "--root", folder.path("root.pem"),
    ]
    for command in [["decrypt", "--output", gateway], ["gateway", "request", gateway]] {
      func outcome(_ window: String) throws -> Program.Outcome {
        try Program.run(
          command + [folder.path("request.json"), "--at", MintedFolder.time, "--window", window, "--quiet"] + options)
      }
      let (asked, unasked) = (try outcome("300"), try outcome("off"))
      #expect(asked.status == 0 && unasked.status == 0 && asked.text == unasked.text)
      #expect(asked.error.isEmpty)
      #expect(unasked.error.hasPrefix("assay: --window off: "))
    }
  }

  @Test func `the plaintext of what nobody signed is never written without saying so`() throws {
    let folder = try mint(["--envelope", "worldline"])
    let outcome = try decrypt(folder, ["--envelope", "worldline", "--unsigned", "--quiet", "--output", "plaintext"])
    #expect(outcome.status == 0)
    #expect(outcome.error.hasPrefix("assay: unsigned: "))
  }
}
