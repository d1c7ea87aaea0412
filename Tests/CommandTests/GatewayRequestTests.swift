import Foundation
import Gateways
import TestSupport
import Testing

/// `assay gateway request`, and the bodies that a merchant's server receives.
@Suite(.blocking) struct GatewayRequestTests {
  private let order = """
    {"amount":1250,"currency":"EUR","reference":"order-7","capture":"purchase","paymentIdentifier":"P-1",
    "merchantIdentifier":"merchant.test.assay.one","summary":"Shoes","returnAddress":"https://shop.example/back"}
    """

  private func request(_ words: [String]) throws -> Program.Outcome { try Program.run(["gateway", "request"] + words) }

  /// The document's example with a minted token in it.
  private func example(_ minted: MintedFolder, _ body: (gateway: String, body: String, text: String)) throws -> String {
    let token = String(decoding: try Data(contentsOf: URL(filePath: minted.token)), as: UTF8.self)
    let found = DocumentExamples(token: token).enclosing.first { ($0.gateway, $0.body) == (body.gateway, body.body) }
    return try #require(found).text
  }

  /// From the request of Bambora's app, `gateway request` makes Bambora's own body.
  private static let examples = DocumentExamples.sample.enclosing

  @Test(arguments: examples)
  func `the document's example opens in both engines, holds, and is made again from itself`(
    _ body: (gateway: String, body: String, text: String)
  ) throws {
    let minted = try MintedFolder()
    let text = try example(minted, body)
    let file = try minted.folder.write(text, to: "example.json")
    // The document has no signature among the parts.
    let unsigned = body.gateway == "worldline" ? ["--unsigned"] : []
    for engine in ["fast", "reference"] {
      let opened = try Program.run(["decrypt", file, "--engine", engine, "--json"] + minted.options + unsigned)
      #expect(opened.status == 0, "\(opened.error)")
      #expect(try opened.json()["envelope"] as? String == body.gateway)
    }
    #expect(try Program.run(["gateway", "check", body.gateway, file]).status == 0)
    let back = try request([body.gateway, file, "--quiet"])
    #expect(back.status == 0, "\(back.error)")
    guard body.body != "app" else {
      #expect(try back.json()["payment_method"] as? String == "apple_pay")
      return
    }
    let expected = try JSONSerialization.jsonObject(with: Data(text.utf8))
    #expect(NSDictionary(dictionary: try back.json()).isEqual(expected))
  }

  @Test func `a token that could not be decided has a document that says why`() throws {
    let minted = try MintedFolder()
    let made = try request(["mpgs", minted.token, "--order", try minted.folder.write(order, to: "order.json")]).text
    let nameless = try minted.folder.write(made.replacing(#""amount":"12.50","#, with: ""), to: "nameless.json")
    let words =
      [nameless] + minted.options + ["--envelope", "mpgs", "--expect-amount", "request", "--json", "--quiet"]
    for command in [["gateway", "request", "worldline"], ["decrypt", "--output", "worldline"]] {
      let outcome = try Program.run(command + words)
      #expect(outcome.status == 2, "\(outcome.error)")
      let document = try outcome.json()
      #expect(document["request"] is NSNull && (document["refusals"] as? [String])?.count == 1)
    }
    // Without `--json` the reason is written in spite of `--quiet`.
    let bare = try Program.run(["gateway", "request", "worldline"] + words.filter { $0 != "--json" })
    #expect(bare.status == 2 && bare.output.isEmpty && !bare.error.isEmpty)
  }

  @Test(arguments: ["worldline", "mpgs", "alphapay", "bambora"])
  func `a bare token and an order are enough for every gateway`(_ gateway: String) throws {
    // AlphaPay takes CAD only, and Bambora does not take EUR.
    let isOfCanada = ["alphapay", "bambora"].contains(gateway)
    let minted = try MintedFolder(isOfCanada ? ["--currency", "124"] : [])
    let text = self.order.replacing("EUR", with: isOfCanada ? "CAD" : "EUR")
    let order = try minted.folder.write(text, to: "order.json")
    let made = try request([gateway, minted.token, "--order", order])
    #expect(made.status == 0)
    #expect(made.error.contains("not opened"))
    let file = try minted.folder.write(made.text, to: "made.json")
    #expect(try Program.run(["gateway", "check", gateway, file]).status == 0)
    let opened = try request([gateway, minted.token, "--order", order] + minted.options)
    #expect(opened.status == 0 && !opened.error.contains("not opened"))
    #expect(opened.text == made.text)
    // Without an amount in the order, the request has that of the token.
    let own = try minted.folder.write(
      self.order.replacing(#""amount":1250,"currency":"EUR","#, with: ""), to: "own.json")
    let unsaid = try request([gateway, minted.token, "--order", own, "--quiet"] + minted.options)
    #expect(unsaid.text == made.text && unsaid.error.contains("none was compared"))
  }

  @Test func `AlphaPay gets no payment in another currency, opened or not`() throws {
    let minted = try MintedFolder()
    let order = try minted.folder.write(#"{"paymentIdentifier":"P-1"}"#, to: "order.json")
    let opened = try request(["alphapay", minted.token, "--order", order] + minted.options)
    #expect(opened.status == 1 && opened.output.isEmpty && opened.error.contains("currency"))
    let named = try minted.folder.write(self.order, to: "named.json")
    #expect(try request(["alphapay", minted.token, "--order", named]).status == 1)
  }

  @Test func `what is not carried over is told, even quietly, and nothing is said to be sent that is not`() throws {
    let minted = try MintedFolder()
    let order = try minted.folder.write(order, to: "order.json")
    let made = try request(["mpgs", minted.token, "--order", order]).text
    let unmask = try minted.folder.write(
      made.replacing(#"{"apiOperation""#, with: #"{"responseControls":{"sensitiveData":"UNMASK"},"apiOperation""#),
      to: "unmask.json")
    let sent = try request(["mpgs", unmask, "--quiet"])
    #expect(sent.status == 0 && sent.error.contains("responseControls.sensitiveData"))
    let card = try minted.folder.write(
      made.replacing(#""card":{"#, with: #""card":{"number":"4111111111111111","#), to: "card.json")
    #expect(try request(["mpgs", card]).status == 1)
    let decimals = try minted.folder.write(made.replacing("12.50", with: "12.500"), to: "decimals.json")
    let refused = try request(["mpgs", decimals, "--as", "authorize-decrypted"] + minted.options)
    #expect(refused.status == 1 && refused.error.contains("invalidAmount"))
    let preferred = try request(
      ["mpgs", decimals, "--as", "authorize-decrypted", "--prefer", "request"] + minted.options)
    #expect(preferred.status == 1 && !preferred.error.contains("sent on although"))
  }

  @Test func `Bambora gets no amount that the order's currency does not have, and none in another currency`() throws {
    let minted = try MintedFolder()
    let app = DocumentExamples.sample.enclosing.first { $0.body == "app" }
    for (amount, currency, status) in [
      ("1.234", "JPY", Int32(1)), ("1.005", "CAD", 1), ("1.23", "CAD", 0), ("1.23", "USD", 0), ("1.234", "KWD", 1),
      ("1.23", "EUR", 1),
    ] {
      let text = try example(minted, try #require(app)).replacing("1.12", with: amount)
      let file = try minted.folder.write(text, to: "app.json")
      let order = try minted.folder.write(#"{"currency":"\#(currency)"}"#, to: "order.json")
      #expect(try request(["bambora", file, "--order", order]).status == status)
    }
  }

  @Test func `all that is missing is told at once`() throws {
    let minted = try MintedFolder()
    let outcome = try request(["worldline", minted.token])
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.error.contains("order.amountOfMoney.amount is missing"))
    #expect(outcome.error.contains("order.amountOfMoney.currencyCode is missing"))
    let order = try minted.folder.write(#"{"amuont":1,"amount":"1"}"#, to: "order.json")
    let unreadable = try request(["worldline", minted.token, "--order", order])
    #expect(unreadable.status == 2 && unreadable.output.isEmpty)
    for path in ["amount must be", "amuont is not", "currency must be"] {
      #expect(unreadable.error.contains(": \(path) "))
    }
  }

  @Test func `an order and a token of different amounts make no request before it is said which counts`() throws {
    let minted = try MintedFolder()
    let order = try minted.folder.write(order.replacing("1250", with: "9999"), to: "order.json")
    let words = ["mpgs", minted.token, "--order", order] + minted.options
    let refused = try request(words)
    #expect(refused.status == 1 && refused.output.isEmpty)
    #expect(refused.error.contains("amountDiffers") && !refused.error.contains("9999"))
    for (choice, amount) in [("token", "12.50"), ("request", "99.99")] {
      let made = try request(words + ["--prefer", choice])
      #expect((try made.json()["order"] as? [String: String])?["amount"] == amount)
      #expect(made.error.hasPrefix("assay: sent on although the order and the token differ in amount.\n"))
    }
    let other = try minted.folder.write(
      self.order.replacing("assay.one", with: "assay.two"), to: "other.json")
    let stranger = try request(["bambora", minted.token, "--order", other] + minted.options)
    #expect(stranger.status == 1 && stranger.error.contains("merchantDiffers"))
  }

  @Test func `what the merchant says of the capture counts, whatever the request asks for`() throws {
    let minted = try MintedFolder()
    func write(_ text: String, _ name: String) throws -> String { try minted.folder.write(text, to: name) }
    let (hold, take) = (
      try write(#"{"capture":"authorization"}"#, "hold"), try write(#"{"capture":"purchase"}"#, "take")
    )
    let money = try write(order.replacing(#""capture":"purchase","#, with: ""), "order.json")
    let pay = try write(
      try request(["mpgs", minted.token, "--order", money, "--operation", "pay"]).text, "pay.json")
    for (gateway, path) in [("mpgs", #""PAY""#), ("worldline", #""SALE""#)] {
      #expect(try request([gateway, pay, "--order", take]).text.contains(path))
      #expect(try !request([gateway, pay, "--order", hold]).text.contains(path))
    }
  }

  @Test func `of two merchants the preferred one is sent on: the token's is known from its key`() throws {
    let minted = try MintedFolder(["--currency", "124"])
    let text = order.replacing("assay.one", with: "assay.two").replacing("EUR", with: "CAD")
    let other = try minted.folder.write(text, to: "other.json")
    let words = ["bambora", minted.token, "--order", other]
    func merchant(_ choice: String, _ options: [String]) throws -> String? {
      let made = try request(words + options + ["--prefer", choice])
      #expect(made.status == 0 && made.error.contains("sent on although the order and the token differ in merchant"))
      return (try made.json()["apple_pay"] as? [String: Any])?["apple_pay_merchant_id"] as? String
    }
    #expect(try merchant("token", minted.options) == "merchant.test.assay.one")
    #expect(try merchant("request", minted.options) == "merchant.test.assay.two")
    // Without a certificate the caller names the merchant, and the token confirms it.
    let certificate = try #require(minted.options.firstIndex(of: "--cert"))
    let named = minted.options.enumerated().filter { ![certificate, certificate + 1].contains($0.offset) }.map(
      \.element)
    #expect(try merchant("token", named + ["--merchant-id", "merchant.test.assay.one"]) == "merchant.test.assay.one")
  }

  @Test func `an amount that its currency does not have is not called missing`() throws {
    let minted = try MintedFolder()
    let text = try request(["mpgs", minted.token, "--order", try minted.folder.write(order, to: "order.json")]).text
    for (amount, currency, expectation) in [
      ("12.34", "JPY", "JPY has no decimals"), ("12.505", "EUR", "EUR has 2 decimals"),
    ] {
      let changed = text.replacing("12.50", with: amount).replacing("EUR", with: currency)
      let refused = try request(["worldline", try minted.folder.write(changed, to: "changed.json"), "--json"])
      #expect(refused.status == 1)
      let refusals = try #require(try refused.json()["refusals"] as? [String])
      #expect(refusals.count == 1 && !refusals[0].contains("is missing") && refusals[0].contains(expectation))
    }
    let app = try minted.folder.write(try example(minted, ("bambora", "app", "")), to: "app.json")
    let nameless = try request(["worldline", app]).error
    #expect(nameless.contains("order.amountOfMoney.currencyCode is missing"))
    #expect(!nameless.contains("order.amountOfMoney.amount is missing"))
  }

  @Test func `a document has the request, and every remark, also quietly`() throws {
    let minted = try MintedFolder(["--type", "emv", "--currency", "124"])
    let order = try minted.folder.write(order.replacing("EUR", with: "CAD"), to: "order.json")
    for options in [minted.options, []] {
      let words = ["bambora", minted.token, "--order", order] + options
      let plain = try request(words)
      let document = try request(words + ["--json"])
      #expect(document.status == 0 && document.error == plain.error)
      let json = try document.json()
      #expect(json["schema"] as? String == "assay.gateway-request/1" && json["body"] as? String == "payment")
      let made = try #require(json["request"] as? [String: Any])
      #expect(NSDictionary(dictionary: made).isEqual(try plain.json()))
      let remarks = try #require(json["remarks"] as? [String])
      #expect(remarks.map { "assay: \($0)\n" }.joined() == plain.error && remarks.count == 3)
      let quiet = try request(words + ["--json", "--quiet"])
      #expect(quiet.output == document.output && (json["refusals"] as? [String]) == [])
      // The remarks: Bambora's document does not describe EMV data, and its body has no member for the summary.
      #expect(remarks.contains { $0.contains("EMV") } == !options.isEmpty)
      #expect(quiet.error.contains("EMV") == !options.isEmpty && quiet.error.contains("no member for summary"))
    }
    let card = try request(["mpgs", minted.token, "--order", order, "--quiet"] + minted.options)
    #expect(card.status == 0 && card.error.contains("the Mastercard Gateway describes only 3DSecure"))
    let refused = try request(["bambora", minted.token, "--json", "--quiet"])
    #expect(refused.status == 1 && refused.error.isEmpty)
    let json = try refused.json()
    #expect(json["request"] is NSNull && (json["refusals"] as? [String])?.isEmpty == false)
  }

  @Test func `what a request has no member for is told, and the currency that Bambora's does not name`() throws {
    let minted = try MintedFolder()
    let canada = try minted.folder.write(order.replacing("EUR", with: "CAD"), to: "canada.json")
    let alphapay = try request(["alphapay", minted.token, "--order", canada])
    #expect(alphapay.status == 0)
    for name in ["reference", "capture", "merchantIdentifier", "amount"] { #expect(alphapay.error.contains(name)) }
    #expect(!alphapay.error.contains("paymentIdentifier"))
    let bambora = try request(["bambora", minted.token, "--order", canada])
    #expect(bambora.error.contains("the amount is in CAD") && !bambora.error.contains("no place for reference"))
  }

  @Test func `an order and the request that brought the token do not contradict each other`() throws {
    let minted = try MintedFolder()
    let first = try minted.folder.write(order, to: "order.json")
    let worldline = try minted.folder.write(
      try request(["worldline", minted.token, "--order", first]).text, to: "worldline.json")
    for edit in [("1250", "1251"), ("EUR", "USD")] {
      let order = try minted.folder.write(order.replacing(edit.0, with: edit.1), to: "other.json")
      let refused = try request(["mpgs", worldline, "--order", order])
      #expect(refused.status == 1 && refused.output.isEmpty && refused.error.contains("differ in"))
    }
    #expect(try request(["mpgs", worldline, "--order", first]).status == 1, "nobody signed these parts")
  }

  @Test func `what the token held is sent with a key alone`() throws {
    let minted = try MintedFolder()
    let words = ["worldline", minted.token, "--as", "create-payment-decrypted"]
    #expect(try request(words).status == 64)
    let made = try request(words + minted.options)
    #expect(made.text == (try minted.decrypt(["--output", "worldline"]).text))
    let forged = try minted.folder.write(
      String(decoding: try Data(contentsOf: URL(filePath: minted.token)), as: UTF8.self).replacing(
        "EC_v1", with: "EC_v2"),
      to: "forged.json")
    for body in ["create-payment", "create-payment-decrypted"] {
      let refused = try request(["worldline", forged, "--as", body] + minted.options)
      #expect(refused.status == 1 && refused.output.isEmpty)
      #expect(refused.error.contains("rejected: "))
    }
  }

  @Test(arguments: [("worldline", "create-hosted-checkout"), ("alphapay", "preorder")])
  func `some requests are made of an order alone`(_ gateway: String, _ body: String) throws {
    let folder = try TemporaryFolder()
    let order = try folder.write(order.replacing("EUR", with: "CAD"), to: "order.json")
    let made = try request([gateway, "--as", body, "--order", order])
    #expect(made.status == 0)
    let file = try folder.write(made.text, to: "made.json")
    let checked = try Program.run(["gateway", "check", gateway, file, "--json"])
    #expect(checked.status == 0)
    #expect(try checked.json()["body"] as? String == body)
    #expect(try request([gateway, "--as", body]).status == 1)
    #expect(try request([gateway, order, "--as", body]).status == 64)
  }

  @Test func `curl sends the same body to where the document says`() throws {
    let minted = try MintedFolder()
    func curl(_ words: [String]) throws -> [Substring] {
      let outcome = try request(["mpgs", minted.token, "--curl"] + minted.options + words)
      #expect(outcome.status == 0)
      return outcome.text.split(separator: "\n")
    }
    let lines = try curl([])
    #expect(lines[0] == #"curl --fail-with-body --request PUT \"#)
    #expect(lines[3].hasSuffix("/transaction/{transactionId}' <<'END-OF-BODY'"))
    #expect(lines[4] + "\n" == (try request(["mpgs", minted.token] + minted.options)).text)
    #expect(lines.count == 6 && lines[5] == "END-OF-BODY")
    #expect(try curl(["--operation", "update-session"])[3].hasSuffix("/session/{sessionId}' <<'END-OF-BODY'"))
  }

  @Test(arguments: [
    [], ["apple", "x"], ["nobody", "x"], ["mpgs", "x", "--as", "nothing"], ["mpgs", "x", "--prefer", "token"],
    ["mpgs", "x", "--at", "now"], ["bambora", "x", "--operation", "pay"], ["mpgs", "-", "--order", "-"],
    ["alphapay", "--as", "preorder", "--key", "x"], ["mpgs", "x", "--json", "--curl"],
  ])
  func `what contradicts itself is said to`(_ words: [String]) throws {
    let outcome = try request(words)
    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty && !outcome.error.isEmpty)
  }

  @Test func `a form and bare base64 open as the request they stand for`() throws {
    let minted = try MintedFolder(["--currency", "124"])
    let base64 = try Data(contentsOf: URL(filePath: minted.token)).base64EncodedString()
    let escaped = base64.replacing("+", with: "%2B").replacing("/", with: "%2f").replacing("=", with: "%3D")
    let form = """
      amount=12.50&apple-wallet%5Bapple-pay-merchant-id%5D=merchant.test.assay.one&\
      apple-wallet[payment-token]=\(escaped)&transaction-type=pre-auth
      """
    for text in [form, base64, base64 + "\n"] {
      let file = try minted.folder.write(text, to: "body")
      for engine in ["fast", "reference"] {
        let opened = try Program.run(["decrypt", file, "--json", "--engine", engine] + minted.options)
        #expect(opened.status == 0)
        #expect(try opened.json()["envelope"] as? String == "bambora")
      }
    }
    let file = try minted.folder.write(form, to: "form")
    #expect(try Program.run(["gateway", "check", "bambora", file]).status == 0)
    let payment = try #require(try request(["bambora", file] + minted.options).json()["apple_pay"] as? [String: Any])
    #expect(payment["complete"] as? Bool == false)
    let twice = try minted.folder.write(form + "&amount=1", to: "twice")
    #expect(try Program.run(["decrypt", twice, "--json"] + minted.options).status == 1)
  }
}
