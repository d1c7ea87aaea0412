import Foundation
import TestSupport
import Testing

@Suite(.blocking) struct ExplainTests {
  private func explain(_ minted: MintedFolder, _ options: [String]) throws -> Program.Outcome {
    try Program.run(["explain", minted.token, "--root", minted.folder.path("root.pem")] + options)
  }

  /// The options for the key and its certificate, and the time.
  private func whole(_ minted: MintedFolder) -> [String] {
    [
      "--key", minted.folder.path("merchant.key"), "--cert", minted.folder.path("merchant.pem"), "--at",
      MintedFolder.time,
    ]
  }

  @Test func `an accepted token is a ladder of fourteen checks`() throws {
    let minted = try MintedFolder()
    let outcome = try explain(minted, whole(minted))
    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    let lines = outcome.text.split(separator: "\n")
    let size = try Data(contentsOf: URL(filePath: minted.token)).count
    #expect(lines.first == " 1  size            ok           size: \(size) bytes")
    #expect(lines.count { $0.contains("  ok  ") } == 14)
    #expect(!outcome.text.contains("FAILED") && !outcome.text.contains("\u{1B}"))
    #expect(outcome.text.contains("\ndiagnosis  sound\n"))
  }

  @Test func `the document holds the checks, the fault, the diagnosis and its sentence`() throws {
    let minted = try MintedFolder()
    let outcome = try explain(minted, whole(minted) + ["--expect-amount", "1", "--json"])
    #expect(outcome.status == 1)
    #expect(outcome.text.hasPrefix(#"{"schema":"assay.explain/1","accepted":false,"#))
    let document = try outcome.json()
    #expect(document["diagnosis"] as? String == "otherOrder")
    #expect(document["subject"] as? String == "transactionAmount")
    #expect((document["sentence"] as? String)?.hasPrefix("transactionAmount: The token was made for another") == true)
    #expect(document["keyError"] is NSNull)
    #expect(document["envelope"] as? String == "apple")
    #expect(document["signed"] is NSNull)
    let error = try #require(document["error"] as? [String: Any])
    #expect(error["code"] as? String == "amountMismatch")
    #expect(error["stage"] as? Int == 14)
    let checks = try #require(document["checks"] as? [[String: Any]])
    #expect(checks.map { $0["stage"] as? Int } == Array(1...14))
    #expect(checks.map { $0["outcome"] as? String } == Array(repeating: "ok", count: 13) + ["failed"])
    let findings = try #require(checks[13]["findings"] as? [[String: Any]])
    #expect(findings.last?["name"] as? String == "transactionAmount")
    #expect(findings.last?["expected"] as? String == "1")
  }

  /// In the first case 110.00 is expected and 1.10 was paid.
  @Test(arguments: [
    ("840", "110", "11000", "amountInOtherUnits", "100"), ("840", "11000", "110", "amountInOtherUnits", "100"),
    ("392", "1250", "125000", "amountInOtherUnits", "100"), ("414", "1250", "1250000", "amountInOtherUnits", "1000"),
    ("414", "1250", "125", "amountInOtherUnits", "10"), ("840", "1250", "125", "otherOrder", "transactionAmount"),
    ("392", "1250", "1250000", "otherOrder", "transactionAmount"),
    ("840", "0", "100", "otherOrder", "transactionAmount"),
  ])
  func `minor and major units that are mixed up are told apart from another amount`(
    _ currency: String, _ amount: String, _ expected: String, _ diagnosis: String, _ subject: String
  ) throws {
    let minted = try MintedFolder(["--currency", currency, "--amount", amount])
    let document = try explain(minted, whole(minted) + ["--expect-amount", expected, "--json"]).json()
    #expect(document["diagnosis"] as? String == diagnosis && document["subject"] as? String == subject)
    #expect((document["error"] as? [String: Any])?["code"] as? String == "amountMismatch")
    let error = try minted.decrypt(["--expect-amount", expected, "--json"]).json()["error"] as? [String: Any]
    #expect(error?["diagnosis"] as? String == diagnosis)
  }

  @Test func `an expected amount is shown in the currency's decimals, and takes a point before them`() throws {
    let minted = try MintedFolder(["--currency", "840", "--amount", "5000"])
    let options = whole(minted) + ["--expect-currency", "USD", "--expect-amount"]
    let document = try explain(minted, options + ["50", "--json"]).json()
    #expect(document["diagnosis"] as? String == "amountInOtherUnits")
    #expect((document["sentence"] as? String)?.contains("exactly 100: expected is 0.50 USD (50); ") == true)
    #expect(try explain(minted, options + ["51"]).text.contains("expected: 0.51 USD (51)\n"))
    #expect(
      try explain(minted, options + ["50.00"]).text.contains("transactionAmount: 50.00 USD (5000), as expected\n"))
    for (amount, meant) in [
      ("49,99", "49.99, not 49,99."), ("1,250", "like 1250 or 12.50, not 1,250."),
      ("1,250.00", "like 1250 or 12.50, not 1,250.00."),
    ] {
      let refused = try explain(minted, options + [amount])
      #expect(
        refused.status == 64 && refused.error.contains("takes a point before its decimals, and no commas: \(meant)"))
    }
  }

  @Test func `a second problem follows the first, in explain and in decrypt`() throws {
    let minted = try MintedFolder()
    let late = ["--at", "2026-03-08T12:00:00Z", "--key", minted.folder.path("merchant.key")]
    let options = late + ["--merchant-id", "merchant.com.example"]
    let outcome = try explain(minted, options)
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("\ndiagnosis  storedTokenOutsideWindow\n"))
    #expect(outcome.text.contains("\nthen       wrongMerchantID, "))
    let then = try #require(try explain(minted, options + ["--json"]).json()["then"] as? [[String: Any]])
    #expect(then.map { $0["diagnosis"] as? String } == ["wrongMerchantID"])
    #expect((then[0]["sentence"] as? String)?.hasPrefix("\(minted.folder.path("merchant.key")): ") == true)
    let decrypt = ["decrypt", minted.token, "--root", minted.folder.path("root.pem")] + options
    #expect(try Program.run(decrypt).text.contains("\nthen      wrongMerchantID, "))
    let error = try #require(try Program.run(decrypt + ["--json"]).json()["error"] as? [String: Any])
    #expect((error["then"] as? [[String: Any]])?.map { $0["diagnosis"] as? String } == ["wrongMerchantID"])
    let plain = try Program.run(decrypt + ["--output", "plaintext"])
    #expect(
      plain.error.contains("explain: storedTokenOutsideWindow, ") && plain.error.contains("then: wrongMerchantID, "))
  }

  @Test func `a payment in another currency is named, and JPY has no decimals`() throws {
    let minted = try MintedFolder(["--currency", "840"])
    let document = try explain(minted, whole(minted) + ["--expect-currency", "EUR", "--json"]).json()
    #expect(document["diagnosis"] as? String == "otherCurrency" && document["subject"] as? String == "USD (840)")
    let yen = try minted.decrypt(["--expect-currency", "JPY", "--expect-amount", "1250.00"])
    #expect(yen.status == 64 && yen.error.contains("JPY has no decimals"))
    let request = try MintedFolder(["--currency", "392", "--envelope", "mpgs"])
    let file = request.folder.path("request.json")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let decimals = try request.folder.write(
      text.replacing(#""amount":"1250""#, with: #""amount":"1250.00""#), to: "decimals.json")
    let expecting = request.options + ["--envelope", "mpgs", "--expect-amount", "request"]
    for command in ["decrypt", "explain"] {
      #expect(try Program.run([command, file] + expecting).status == 0)
      let refused = try Program.run([command, decimals] + expecting)
      #expect(refused.status == 2 && refused.error.contains("JPY has no decimals"))
    }
  }

  @Test func `the ladder ends at the first check that fails, with the fix`() throws {
    let minted = try MintedFolder()
    let outcome = try explain(minted, Array(whole(minted).dropLast()) + ["2026-03-08T12:00:00Z"])
    #expect(outcome.status == 1)
    let found = "signing time: 2026-03-01T12:00:00Z, 604800 s away"
    #expect(outcome.text.contains("\n 9  signingTime     FAILED       \(found)\n"))
    #expect(outcome.text.contains("expected: within 300 s of 2026-03-08T12:00:00Z\n10  merchantKey     not reached\n"))
    #expect(outcome.text.contains("\ndiagnosis  storedTokenOutsideWindow\n"))
    #expect(outcome.text.contains("--at signing-time"))
  }

  @Test func `without keys it is told for which key the token is`() throws {
    let minted = try MintedFolder()
    let outcome = try explain(minted, ["--at", "signing-time", "--json"])
    #expect(outcome.status == 1)
    let document = try outcome.json()
    #expect(document["diagnosis"] as? String == "noKeyLoaded")
    let hash = try minted.decrypt(["--json"]).json()["publicKeyHash"] as? String
    #expect(document["subject"] as? String == hash)
    #expect((document["notes"] as? [[String: Any]])?.first?["code"] as? String == nil)
  }

  @Test func `further merchant IDs are tried, and the right one is named`() throws {
    let minted = try MintedFolder()
    let key = ["--key", minted.folder.path("merchant.key"), "--at", MintedFolder.time]
    let right = "merchant.test.assay.one"
    let outcome = try explain(
      minted, key + ["--merchant-id", "merchant.a", "--merchant-id", "merchant.b", "--merchant-id", right])
    #expect(outcome.status == 1)
    let advice = "use --merchant-id \(right): it opens this token"
    #expect(outcome.text.contains("\ndiagnosis  merchantIDFound\nadvice     \(advice)"))
    #expect(try explain(minted, key + ["--merchant-id", right, "--merchant-id", "merchant.b"]).status == 0)
  }

  @Test func `keys that cannot be loaded are explained on both streams`() throws {
    let minted = try MintedFolder()
    let other = try TemporaryFolder()
    #expect(try Program.run(["mint", "--out", other.url.path, "--seed", "8", "--at", MintedFolder.time]).status == 0)
    let time = ["--at", MintedFolder.time]
    let mismatch = ["--key", other.path("merchant.key"), "--cert", minted.folder.path("merchant.pem")]
    for (options, code, diagnosis) in [
      (["--key", minted.folder.path("merchant.key")], "missingMerchantID", "merchantIDMissing"),
      (mismatch, "certificateWithoutKey", "privateKeyMissing"),
      (["--cert", other.path("merchant.pem")], "certificateWithoutKey", "keyCertificateMismatch"),
      (["--key", minted.folder.path("root.pem")], "certificateWithoutKey", "authorityCertificate"),
    ] {
      let outcome = try explain(minted, options + time + ["--json"])
      #expect(outcome.status == 2)
      #expect(outcome.error.contains(code))
      let document = try outcome.json()
      #expect(document["diagnosis"] as? String == diagnosis)
      #expect((document["keyError"] as? [String: Any])?["code"] as? String == code)
      #expect(document["error"] is NSNull)
      let text = try explain(minted, options + time)
      #expect(text.status == 2)
      #expect(text.text.contains("\nno verdict") && text.text.contains("\ndiagnosis   \(diagnosis)\n"))
    }
  }

  @Test func `files that cannot be read are no answer`() throws {
    let minted = try MintedFolder()
    for options in [["--key", minted.folder.path("absent.key")], ["--root", minted.folder.path("absent.pem")]] {
      let outcome = try explain(minted, options)
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      #expect(outcome.error.contains("absent"))
    }
    #expect(try Program.run(["explain", minted.folder.path("absent.json")]).status == 2)
  }

  @Test func `the printed command leaves the input as it is, under whatever name it is read`() throws {
    let minted = try MintedFolder()
    let token = try String(contentsOfFile: minted.token, encoding: .utf8).trimmingCharacters(in: .newlines)
    let wrapped = "[\(token)]"
    for (input, read) in [("link.json", ""), ("-", "<unwrapped.json")] {
      let folder = try TemporaryFolder()
      let file = try folder.write(wrapped, to: "unwrapped.json")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link.json"), withDestinationPath: "unwrapped.json")
      let outcome = try Program.shell("assay explain \(input) --json \(read)", in: folder)
      let command = try #require(try outcome.json()["command"] as? String)
      #expect(command.hasSuffix("jq -c '.[0]' >unwrapped-2.json"), "\(command)")
      guard InstalledProgram.find("jq") != nil else { continue }
      _ = try Program.shell("\(command) \(read)", in: folder)
      #expect(try String(contentsOfFile: file, encoding: .utf8) == wrapped)
      #expect(try String(contentsOfFile: folder.path("unwrapped-2.json"), encoding: .utf8) == token + "\n")
    }
  }

  @Test func `card data, plaintext and keys are on no stream`() throws {
    let minted = try MintedFolder(["--cardholder", "Ada Lovelace"])
    let key = try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8)
    let plaintext = try minted.decrypt(["--output", "plaintext"]).text
    let cardData = try SecretSearch(
      for: [MintedFolder.accountNumber, MintedFolder.cryptogram, "Lovelace"], from: plaintext)
    let keys = try SecretSearch(forLinesOf: key)
    for more in [[], ["--json"], ["--expect-amount", "1"], ["--expect-currency", "000", "--json"]] {
      let outcome = try explain(minted, whole(minted) + more)
      for search in [cardData, keys] {
        #expect(try search.findings(in: outcome.text + outcome.error, marked: "diagnosis") == [], "\(more)")
      }
    }
  }

  @Test func `what a terminal acts upon does not reach it`() throws {
    let minted = try MintedFolder()
    let token = try minted.folder.write(#"{"\u001b[31m\u202e":1,"token":{"\u0007":2}}"#, to: "hostile.json")
    let outcome = try Program.run(["explain", token])
    #expect(outcome.status == 1)
    // The name is there, what a terminal acts upon is not.
    #expect(outcome.text.contains("\u{FFFD}[31m\u{FFFD}"))
    for character in ["\u{1B}", "\u{7}", "\u{202E}"] { #expect(!outcome.text.contains(character)) }
  }

  private func request(_ minted: MintedFolder, _ wrap: (String) throws -> String) throws -> String {
    let token = try String(contentsOfFile: minted.token, encoding: .utf8)
    return try minted.folder.write(wrap(token.trimmingCharacters(in: .newlines)), to: "request.json")
  }

  /// Worldline's request without a signature.
  private func unsignedRequest(_ minted: MintedFolder) throws -> String {
    try request(minted) { token in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(token.utf8)) as? [String: Any])
      var parts = try #require(object["header"] as? [String: Any])
      parts["encryptedPaymentData"] = object["data"]
      let data = try JSONSerialization.data(withJSONObject: ["mobilePaymentMethodSpecificInput": parts])
      return String(decoding: data, as: UTF8.self)
    }
  }

  @Test func `a gateway's request is a ladder of fifteen checks`() throws {
    let minted = try MintedFolder()
    let path = try request(minted) { #"{"paymentId":"p","token":{"paymentData":\#($0)}}"# }
    let options = [path, "--root", minted.folder.path("root.pem")] + whole(minted)
    for envelope in [[], ["--envelope", "auto"], ["--envelope", "alphapay"]] {
      let outcome = try Program.run(["explain"] + options + envelope)
      #expect(outcome.status == 0)
      let lines = outcome.text.split(separator: "\n")
      #expect(lines.first?.hasPrefix(" 0  envelope        ok           request: ") == true)
      #expect(lines.count { $0.contains("  ok  ") } == 15)
      #expect(outcome.text.contains("envelope: alphapay\n"))
    }
    let document = try Program.run(["explain", "--json"] + options).json()
    #expect(document["envelope"] as? String == "alphapay")
    #expect(document["signed"] as? Bool == true)
    #expect((document["checks"] as? [[String: Any]])?.map { $0["stage"] as? Int } == Array(0...14))
    let bare = try Program.run(["explain", "--json", "--envelope", "apple"] + options)
    #expect(bare.status == 1)
    #expect(try bare.json()["subject"] as? String == "token.paymentData (--envelope alphapay)")
    let other = try Program.run(["explain", "--json", "--envelope", "mpgs"] + options)
    #expect(other.status == 1)
    #expect(try other.json()["diagnosis"] as? String == "otherEnvelope")
    #expect(try other.json()["subject"] as? String == "alphapay")
  }

  @Test func `an unsigned token is accepted where it is asked for, and never quietly`() throws {
    let minted = try MintedFolder()
    let options = [try unsignedRequest(minted), "--root", minted.folder.path("root.pem")] + whole(minted)
    let refused = try Program.run(["explain"] + options)
    #expect(refused.status == 1)
    #expect(refused.text.contains("\ndiagnosis  unsignedNotAllowed\n") && refused.text.contains("--unsigned"))
    let outcome = try Program.run(["explain", "--unsigned"] + options)
    #expect(outcome.status == 0)
    #expect(outcome.text.contains("\n 5  signatureShape  NOT CHECKED"))
    #expect(outcome.text.contains("\naccepted   UNSIGNED"))
    #expect(outcome.text.contains("THE TOKEN IS UNSIGNED"))
    for secret in [MintedFolder.accountNumber, MintedFolder.cryptogram] { #expect(!outcome.text.contains(secret)) }
    let document = try Program.run(["explain", "--unsigned", "--json"] + options).json()
    #expect(document["accepted"] as? Bool == true)
    #expect(document["signed"] as? Bool == false)
    #expect(document["diagnosis"] as? String == "unsignedToken")
    let outcomes = (document["checks"] as? [[String: Any]])?.map { $0["outcome"] as? String }
    #expect(outcomes?.filter { $0 == "omitted" }.count == 5)
  }

  @Test(.enabled(if: RealTokens.available))
  func `genuine tokens are explained as what they are`() throws {
    for real in RealTokens.all where real.genuine {
      let token = try #require(RealTokens.directory).appending(path: real.name).appending(path: "token.json").path
      let stored = try Program.run(["explain", token, "--json"])
      #expect(try stored.json()["diagnosis"] as? String == "storedTokenCertificateExpired", "\(real.name)")
      let archived = try Program.run(["explain", token, "--json", "--at", "signing-time"])
      #expect(try archived.json()["diagnosis"] as? String == "noKeyLoaded", "\(real.name)")
    }
  }
}
