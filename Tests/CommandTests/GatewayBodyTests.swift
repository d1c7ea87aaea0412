import Foundation
import TestSupport
import Testing

/// `assay gateway check` and `response`.
@Suite(.blocking) struct GatewayBodyTests {
  private func run(_ words: [String], _ text: String) throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    return try Program.run(["gateway"] + words.map { $0 == "FILE" ? try folder.write(text, to: "body.json") : $0 })
  }

  private let answer = #"{"result":"SUCCESS","response":{"gatewayCode":"APPROVED","gatewayRecommendation":"PROCEED"}}"#

  @Test func `a body is checked, for people and for programs`() throws {
    let good = try run(["check", "mpgs", "FILE"], answer)
    #expect(good.status == 0 && good.text.contains("conforms to its document"))
    let bad = try run(["check", "mpgs", "FILE", "--json"], #"{"result":7}"#)
    #expect(bad.status == 1)
    let document = try bad.json()
    #expect(document["schema"] as? String == "assay.gateway-check/1" && document["passed"] as? Bool == false)
    let problems = try #require(document["problems"] as? [[String: String]])
    #expect(problems.map { $0["path"] } == ["result", "response.gatewayCode"])
    #expect(problems.map { $0["kind"] } == ["form", "missing"])
  }

  @Test(arguments: [
    (["check", "mpgs", "FILE"], "{", Int32(2)), (["check", "mpgs", "FILE"], "{}", 2),
    (["check", "mpgs", "/nonexistent"], "", 2), (["check", "mpgs"], "", 64), (["check", "apple", "FILE"], "{}", 64),
    (["check", "mpgs", "FILE", "--as", "pay"], "{}", 64), (["response", "bambora", "FILE"], "{}", 64),
    (["response", "mpgs", "FILE", "--pre-order", "x"], "{}", 64), (["response", "mpgs", "FILE"], "{}", 2),
  ])
  func `a body that cannot be checked has its own code`(_ words: [String], _ text: String, _ status: Int32) throws {
    let outcome = try run(words, text)
    #expect(outcome.status == status)
    #expect(outcome.output.isEmpty && !outcome.error.isEmpty)
    // For a body that is not recognized, the message says how to name it.
    if text == "{}", status == 2 { #expect(outcome.error.contains("name it with --as")) }
  }

  @Test func `an answer says how it stands and what is next`() throws {
    let good = try run(["response", "mpgs", "FILE"], answer)
    #expect(good.status == 0 && good.text.contains("succeeded"))
    let bad = try run(["response", "mpgs", "FILE", "--json"], answer.replacing("APPROVED", with: "DECLINED"))
    #expect(bad.status == 1)
    #expect(try bad.json()["outcome"] as? String == "unknown")
  }

  @Test func `an order of AlphaPay becomes a payment request, unless it is another order`() throws {
    let folder = try TemporaryFolder()
    func order(_ value: String) throws -> String {
      try folder.write(
        #"{"paymentRequestId":"1","order":{"orderAmount":{"value":"\#(value)","currency":"CAD"},"description":"x"}}"#,
        to: "order-\(value).json")
    }
    let answer = try folder.write(
      """
      {"paymentRequestId":"1","paymentId":"2","applePayParams":{"orderId":"2","merchantIdentifier":"m","countryCode":"CA",
      "currencyCode":"CAD","label":"L","amount":"12.50","supportedNetworks":["visa"],
      "merchantCapabilities":["supports3DS"]},"result":{"resultStatus":"U"}}
      """, to: "answer.json")
    let words = ["gateway", "response", "alphapay", answer, "--payment-request", "--pre-order"]
    let outcome = try Program.run(words + [try order("1250")])
    #expect(outcome.status == 0)
    #expect((try outcome.json()["total"] as? [String: String]) == ["label": "L", "amount": "12.50"])
    let other = try Program.run(words + [try order("12500")])
    #expect(other.status == 1 && other.output.isEmpty)
    let told = try Program.run(["gateway", "response", "alphapay", answer, "--json", "--pre-order", try order("12500")])
    #expect(told.status == 1)
    #expect(try told.json()["outcome"] as? String == "unknown")
    #expect(try told.json()["differences"] as? [String] == ["applePayParams.amount"])
    // An order completes the pre-order, and may not contradict it.
    for (text, status) in [
      (#"{"paymentIdentifier":"2"}"#, 0), (#"{"amount":1250,"currency":"CAD","reference":"1"}"#, 0),
      (#"{"amount":100,"currency":"CAD"}"#, 2), (#"{"reference":"2"}"#, 2),
    ] {
      let sent = try folder.write(text, to: "order.json")
      #expect(try Program.run(words + [try order("1250"), "--order", sent]).status == status, "\(text)")
    }
  }

  @Test func `an answer is compared with the order that was sent`() throws {
    let folder = try TemporaryFolder()
    let text = answer.dropLast() + #","order":{"amount":61.00,"currency":"USD","reference":"o-1"}}"#
    let file = try folder.write(String(text), to: "answer.json")
    func told(_ order: String?) throws -> (Program.Outcome, [String: Any]) {
      let words = try order.map { ["--order", try folder.write($0, to: "order.json")] } ?? []
      let outcome = try Program.run(["gateway", "response", "mpgs", file, "--json"] + words)
      return (outcome, try outcome.json())
    }
    let (alone, nothing) = try told(nil)
    #expect(alone.status == 0 && nothing["compared"] as? [String] == [])
    let (same, all) = try told(#"{"amount":6100,"currency":"USD","reference":"o-1"}"#)
    #expect(
      same.status == 0
        && Set(all["compared"] as? [String] ?? []) == ["order.amount", "order.currency", "order.reference"])
    for (order, path) in [
      (#"{"amount":61000,"currency":"USD"}"#, "order.amount"), (#"{"reference":"o-2"}"#, "order.reference"),
      (#"{"currency":"EUR"}"#, "order.currency"),
    ] {
      let (other, difference) = try told(order)
      #expect(other.status == 1 && difference["outcome"] as? String == "unknown")
      #expect(difference["differences"] as? [String] == [path])
    }
  }

  @Test func `a success that names nothing of the order is not taken for the order's`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(answer, to: "answer.json")
    let order = try folder.write(#"{"amount":1250,"currency":"EUR"}"#, to: "order.json")
    let words = ["gateway", "response", "mpgs", file, "--order", order]
    let told = try Program.run(words + ["--json"])
    #expect(told.status == 1)
    let document = try told.json()
    #expect(document["outcome"] as? String == "unknown" && document["compared"] as? [String] == [])
    #expect(document["uncompared"] as? [String] == ["amount", "currency"])
    let shown = try Program.run(words)
    #expect(shown.status == 1 && !shown.text.contains("see --order"))
    #expect(shown.text.contains("amount and currency of the order, which the response does not name"))
    let alone = try Program.run(Array(words.dropLast(2)))
    #expect(alone.status == 0 && alone.text.contains("see --order"))
  }

  @Test func `an answer that cannot be read in full is a problem, and one that could be either is not known`() throws {
    let outcome = try run(["response", "mpgs", "FILE", "--json"], answer.replacing(#""PROCEED""#, with: "null"))
    #expect(outcome.status == 1)
    #expect(try outcome.json()["problems"] as? [String] == ["response.gatewayRecommendation"])
    #expect(try outcome.json()["outcome"] as? String == "unknown")
    let either = try run(["response", "alphapay", "FILE", "--json"], #"{"result":{"resultStatus":"F"}}"#)
    #expect(either.status == 1)
    #expect(try either.json()["outcome"] as? String == "unknown")
  }

  @Test func `an order at Onramp has a telephone number, and needs what the document gives no name`() throws {
    #expect(try run(["check", "onramp", "FILE"], #"{"phoneNumber":"+1234567890"}"#).status == 1)
    let order = #"{"phoneNumber":"+12345678901","partnerUserRef":"USER-7"}"#
    func remarks(_ user: String) throws -> [String] {
      let text = order.replacing("USER", with: user)
      let outcome = try run(["check", "onramp", "FILE", "--json"], text)
      #expect(outcome.status == 0)
      let remarks = try #require(try outcome.json()["remarks"] as? [String])
      let shown = try run(["check", "onramp", "FILE"], text).text
      #expect(remarks.allSatisfy(shown.contains))
      return remarks
    }
    let real = try remarks("user")
    #expect(real.count == 2 && real[0].contains("e-mail") && real[1].contains("domain"))
    // The prefix makes an order one of the sandbox: users must not be able to choose it with their name.
    let sandbox = try remarks("sandbox-user")
    #expect(sandbox.dropLast() == real[...] && sandbox.last?.contains("charges nothing") == true)
    let shown = try Program.run(["gateway", "show", "onramp"]).text
    #expect(real.allSatisfy(shown.contains))
    #expect(try run(["check", "mpgs", "FILE", "--json"], answer).json()["remarks"] as? [String] == [])
  }

  @Test func `a body with the document's comments is told where the first is`() throws {
    for (text, place) in [
      (#"{"order":{"currency":"USD"}, // a comment"# + "\n}", "a comment at line 1, column 30"),
      ("{\n  /* it */ \"result\":\"SUCCESS\"}", "a comment at line 2, column 3"),
      (#"{"number":"5123X", Replace "X" with "0"}"#, "an error at line 1, column 20"),
    ] {
      let outcome = try run(["check", "mpgs", "FILE"], text)
      #expect(outcome.status == 2 && outcome.error.contains(place), "\(outcome.error)")
    }
    let twice = try run(["check", "mpgs", "FILE"], #"{"result":"SUCCESS","result":"SUCCESS"}"#)
    #expect(twice.status == 2 && !twice.error.contains(" at line "))
  }
}
