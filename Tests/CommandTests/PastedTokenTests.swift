import Foundation
import TestSupport
import Testing

/// A token or a key as an argument, and a terminal as input.
@Suite(.blocking) struct PastedTokenTests {
  /// The members of a token and the lines of a key, none of which may be repeated.
  private func pieces(of text: String) throws -> SecretSearch {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "/" || $0 == "+") }.filter { $0.count > 40 }
    return try SecretSearch(for: words.map { String($0) }, from: text)
  }

  @Test func `a token for a file name is not repeated, and the message says how to pass it`() throws {
    let minted = try MintedFolder()
    let token = try String(contentsOfFile: minted.token, encoding: .utf8)
    let base64 = Data(token.utf8).base64EncodedString()
    let words = token.replacing(",", with: ", ").split(separator: " ").map(String.init)
    for command in ["decrypt", "explain"] {
      for (arguments, text) in [([token], token), (["[\(token)]"], token), ([base64], base64), (words, token)] {
        let outcome = try Program.run([command] + arguments)
        #expect(outcome.status == (arguments.count == 1 ? 2 : 64))
        #expect(outcome.output.isEmpty)
        let found = try pieces(of: text).findings(in: outcome.error, marked: "pass it by standard input, or in a file")
        #expect(found == [], "\(command)")
      }
    }
  }

  @Test func `a token or a key is not repeated wherever it is an argument`() throws {
    let minted = try MintedFolder()
    let token = try String(contentsOfFile: minted.token, encoding: .utf8)
    let key = try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8)
    let cases: [(arguments: [String], text: String)] = [
      ([token], token), (["decrypt", minted.token, "--key", key], key), (["keys", "inspect", key], key),
      (["decrypt", minted.token, "--engine", token], token), (["decrypt", minted.token, "--root", token], token),
    ]
    for (arguments, text) in cases {
      let outcome = try Program.run(arguments)
      #expect(outcome.status == 2 || outcome.status == 64)
      let found = try pieces(of: text).findings(in: outcome.error, marked: " like a token or a key")
      #expect(found == [], "\(arguments[0].prefix(8))")
    }
  }

  /// The key of a merchant as it is pasted: PKCS #8 and SEC 1 in base64, the scalar in hexadecimal, PEM.
  private func forms(of minted: MintedFolder) throws -> [String] {
    let pem = try String(contentsOfFile: minted.folder.path("merchant.key"), encoding: .utf8)
    let pkcs8 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    let der = try #require(Data(base64Encoded: pkcs8))
    // RFC 5958 with the ECPrivateKey of RFC 5915 from byte 29, whose scalar begins 7 bytes later.
    let (sec1, scalar) = (der[29...], der[36..<68])
    try #require(sec1.first == 0x30)
    return [pkcs8, sec1.base64EncodedString(), scalar.map { String(format: "%02x", $0) }.joined(), pem]
  }

  @Test func `no argument repeats a key, in whatever form it was pasted`() throws {
    let minted = try MintedFolder()
    let token = minted.token
    for text in try forms(of: minted) {
      let commands = [
        ["explain", token, "--at", text], ["explain", token, "--key", text], ["explain", "--key=\(text)", token],
        ["explain", token, "--root", text], ["explain", token, "--revoked", text],
        ["decrypt", token, "--window", text],
        ["explain", token, "--envelope", text], ["keys", "inspect", "--at", text, token],
        ["keys", "inspect", "./" + text],
        ["decrypt", token, "--\(text)"], ["decrypt", token, text], ["decrypt", token, "--expect-amount", text],
        ["decrypt", token, "--key", minted.folder.path("merchant.key"), "--merchant-id", text + "="],
        ["man", text], ["completions", text], ["gateway", "show", text], ["bench", "run", text], [text],
        ["diff", "--report", text], ["mint", "--json", "--fault", text], ["mint", "--json", "--expiry", text],
        ["mint", "--json", "--eci", text], ["corpus", "list", "--flag", text], ["fuzz", "run", "--duration", text],
        ["mint", "--json", "--at", "2026-03-01", "--cert", text],
      ]
      for command in commands {
        let outcome = try Program.run(command)
        #expect(outcome.status == 2 || outcome.status == 64, "\(command[0]) \(outcome.status)")
        let found = try pieces(of: text).findings(in: outcome.text + outcome.error, marked: "assay: ")
        #expect(found == [], "\(command.filter { !$0.contains(text) })")
      }
    }
  }

  @Test func `a control character of an argument is not written`() throws {
    let minted = try MintedFolder()
    for command in [
      ["explain", minted.token, "--at"], ["decrypt", minted.token, "--key"], ["diff", "--report"], ["mint", "--eci"],
      ["decrypt", minted.token], ["mint", "--json", "--expiry"], ["bench", "run"],
    ] {
      let outcome = try Program.run(command + ["\u{1B}[31mX"])
      #expect(outcome.status == 2 || outcome.status == 64)
      #expect(!outcome.error.contains("\u{1B}") && outcome.error.contains("\u{FFFD}[31mX"), "\(command)")
    }
  }

  @Test(arguments: [
    "merchant.test.assay.one", "/home/Somebody/Projects2/applePay/keys/merchant-2026-01.key", "no/such/file",
    "a-leaf-of-hundreds-of-extensions-and-a-key-on-another-curve", "0123456789abcdef0123456789abcdef01234567",
    "/tmp/assay-tests-1FC9A7E2-3B60-4D7A-9E0B-61A8A0D3B5C1/token.json", "someVeryLongNameOfATestThatIsInCamelCase",
    "1fc9a7e2-3b60-4d7a-9e0b-61a8a0d3b5c1/20261130-011100-1fc9a7e2-3b60-4d7a-9e0b-61a8a0d3b5c1.json",
    "sha256-0123456789abcdef0123456789abcdef01234567.json",
    "0123456789abcdef0123456789abcdef-abcdef0123456789abcdef0123456789.json", "token 2026-01-31 12:00:00.000 +0000",
    "Invoices/A1 B2 C3 D4 E5 F6 G7/2026-01-31.json", "folder/1FC9A7E2-3B60-4D7A-9E0B-61A8A0D3B5C1",
    "01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67",
  ])
  func `the name of a file is repeated`(name: String) throws {
    let outcome = try Program.run(["decrypt", name])
    #expect(outcome.status == 2 && outcome.error.contains("\(name) could not be read"))
  }

  @Test(.enabled(if: Program.python != nil, "python3 makes the terminal"), arguments: ["decrypt", "explain"])
  func `on a terminal it says that it reads standard input`(command: String) throws {
    let outcome = try Program.runOnTerminal([command, "--json"], as: "stdin", typing: "{}\n\u{4}")
    #expect(outcome.status == 1)
    #expect(outcome.error.contains("standard input") && outcome.error.contains("Ctrl-D"))
    let piped = try Program.run([command, "--json"])
    #expect(!piped.error.contains("standard input"))
  }

  // MARK: decrypt and explain

  @Test func `a refusal of decrypt ends with what explain says`() throws {
    let minted = try MintedFolder()
    let token = try String(contentsOfFile: minted.token, encoding: .utf8)
    let wrapped = try minted.folder.write("[\(token)]", to: "wrapped.json")
    let text = try Program.run(["decrypt", wrapped] + minted.options)
    #expect(text.status == 1)
    let lines = text.text.split(separator: "\n")
    #expect(lines.last?.hasPrefix("explain   tokenInArray, [0]: ") == true)
    #expect(lines.count { $0.hasPrefix("explain") } == 1)
    #expect(text.text.contains("\ncommand   <") && text.text.contains("jq -c '.[0]' >unwrapped.json\n"))
    #expect(!text.text.contains("not strict JSON"))
    let error = try #require(
      try Program.run(["decrypt", wrapped, "--json"] + minted.options).json()["error"] as? [String: Any])
    #expect(error["code"] as? String == "malformedJSON")
    #expect(error["diagnosis"] as? String == "tokenInArray")
    let explained = try Program.run(["explain", wrapped, "--json"] + minted.options).json()
    #expect(error["explanation"] as? String == explained["sentence"] as? String)
    #expect(error["command"] as? String == explained["command"] as? String)
    for output in ["plaintext", "mpgs"] {
      let outcome = try Program.run(["decrypt", wrapped, "--output", output] + minted.options)
      #expect(outcome.status == 1 && outcome.output.isEmpty)
      #expect(outcome.error.split(separator: "\n").last?.hasPrefix("assay: explain: tokenInArray, ") == true)
    }
  }

  @Test func `keys that cannot be used send the user to explain`() throws {
    let minted = try MintedFolder()
    let outcome = try Program.run(["decrypt", minted.token, "--key", minted.folder.path("merchant.key")])
    #expect(outcome.status == 2)
    #expect(outcome.error.contains("missingMerchantID") && outcome.error.contains("assay explain"))
  }
}
