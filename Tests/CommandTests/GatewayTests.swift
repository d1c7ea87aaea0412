import Foundation
import Gateways
import PaymentToken
import TestSupport
import Testing

@Suite(.blocking) struct GatewayTests {
  private static let names = HelpSnapshots.envelopes.split(separator: "|").map(String.init) + ["onramp"]

  @Test func `the list has every gateway, a line each`() throws {
    let outcome = try Program.run(["gateway", "list"])
    #expect(outcome.status == 0)
    #expect(outcome.text.split(separator: "\n").map { $0.prefix { $0 != " " } } == Self.names.map { Substring($0) })
    let document = try Program.run(["gateway", "list", "--json"]).json()
    #expect(document["schema"] as? String == "assay.gateway-list/1")
    let gateways = try #require(document["gateways"] as? [[String: Any]])
    #expect(gateways.map { $0["name"] as? String } == Self.names)
    #expect(gateways.allSatisfy { ($0["token"] as? [String])?.isEmpty == false })
  }

  @Test(arguments: names)
  func `each gateway is shown, for people and for programs`(name: String) throws {
    let outcome = try Program.run(["gateway", "show", name])
    #expect(outcome.status == 0)
    #expect(outcome.text.hasPrefix("\(name)  "))
    #expect(outcome.text.contains("\nthe token is in:\n") && outcome.text.contains("\nexample:\n"))
    let document = try Program.run(["gateway", "show", name, "--json"]).json()
    #expect(document["schema"] as? String == "assay.gateway-show/2")
    #expect(document["example"] is [String: Any])
  }

  @Test func `what is checked, sent on and answered is there`() throws {
    let document = try Program.run(["gateway", "show", "mpgs", "--json"]).json()
    #expect(document["checks"] as? [String] == [#"order.walletProvider, if present, is "APPLE_PAY""#])
    #expect((document["sandbox"] as? [String: String])?["order.amount 5757"]?.hasPrefix("DECLINED") == true)
    let bodies = try #require(document["bodies"] as? [[String: Any]])
    #expect(
      bodies.map { $0["name"] as? String } == [
        "response", "authorize", "update-session", "authorize-decrypted", "update-session-decrypted",
      ])
    let decrypted = bodies.first { $0["name"] as? String == "authorize-decrypted" }
    let members = try #require(decrypted?["members"] as? [[String: Any]])
    let format = members.first { $0["path"] as? String == "sourceOfFunds.provided.card.devicePayment.cryptogramFormat" }
    #expect(format?["holds"] as? String == #""3DSECURE""# && format?["required"] as? Bool == true)
  }

  private func events(_ log: String, _ options: [String] = []) throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    return try Program.run(["gateway", "events", try folder.write(log, to: "events.json")] + options)
  }

  private static func log(_ words: String) -> String {
    words.split(separator: " ").map { word in
      word.hasPrefix("ERROR")
        ? String(decoding: OnrampEvent(OnrampErrorCode(rawValue: String(word))!).json.text(), as: UTF8.self)
        : #"{"eventName":"onramp_api.\#(word)"}"#
    }.joined(separator: "\n")
  }

  @Test(
    arguments: [
      ("load_pending load_success commit_success polling_start polling_success", Int32(0), "succeeded", 0),
      ("load_pending load_success commit_success", 0, "goingOn", 0),
      ("load_pending load_success cancel", 0, "cancelled", 0),
      ("load_pending ERROR_CODE_GUEST_APPLE_PAY_NOT_SUPPORTED", 1, "failed", 0),
      ("load_pending ERROR_CODE_INIT", 1, "failed", 0),
      ("load_pending load_success ERROR_CODE_GUEST_CARD_HARD_DECLINED", 1, "failed", 0),
      ("load_pending load_success commit_success polling_start ERROR_CODE_GUEST_SEND_FAILED", 1, "failed", 0),
      ("load_pending commit_success polling_start polling_success", 1, "succeeded", 1),
    ])
  func `a log says how the payment stands`(words: String, status: Int32, result: String, violations: Int) throws {
    let outcome = try events(Self.log(words), ["--json"])
    #expect(outcome.status == status)
    let document = try outcome.json()
    #expect(document["schema"] as? String == "assay.gateway-events/1")
    #expect(document["outcome"] as? String == result)
    #expect(document["passed"] as? Bool == (status == 0))
    #expect(document["violations"] as? Int == violations)
    #expect((document["events"] as? [Any])?.count == words.split(separator: " ").count)
    let text = try events(Self.log(words))
    #expect(text.status == status)
    #expect(text.text.contains("outcome") && text.text.contains("advice"))
    #expect(text.text.contains("!") == (violations > 0))
  }

  @Test func `on the web a page without Apple Pay goes on`() throws {
    let log = Self.log("load_pending ERROR_CODE_GUEST_APPLE_PAY_NOT_SUPPORTED")
    let outcome = try events(log, ["--json", "--web"])
    #expect(outcome.status == 0)
    #expect(try outcome.json()["outcome"] as? String == "goingOn")
  }

  @Test func `a log is read from standard input, too, as an array`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"[{"eventName":"onramp_api.load_pending"}]"#, to: "events.json")
    #expect(try Program.run(["gateway", "events", "-"], input: URL(filePath: path)).status == 0)
  }

  @Test(arguments: [
    "", "[]", "[", "{}", "{\"eventName\":\"other\"}", "{\"eventName\":\"onramp_api.load_error\"}",
    "{\"eventName\":\"onramp_api.pressed_button\"}",
  ])
  func `what is no log has no answer`(log: String) throws {
    let outcome = try events(log)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.hasPrefix("assay: "))
    #expect(try Program.run(["gateway", "events", "/nonexistent"]).status == 2)
  }

  @Test func `text of a log moves no terminal`() throws {
    let outcome = try events(
      #"{"eventName":"onramp_api.\u001b[2J"}"# + "\n"
        + #"{"eventName":"onramp_api.load_error","data":{"errorCode":"\u001b[2J\u202e"}}"#)
    #expect(outcome.status == 1)
    #expect(outcome.text.components(separatedBy: "\u{FFFD}[2J").count == 3)
    #expect(!outcome.text.contains("\u{1B}") && !outcome.text.contains("\u{202E}"))
  }
}
