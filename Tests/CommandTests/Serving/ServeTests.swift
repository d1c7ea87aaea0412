import Foundation
import Gateways
import Minting
import PaymentToken
import TestSupport
import Testing

@Suite(.blocking) struct ServeTests {
  @Test(arguments: Conversation.engines)
  func `hello is answered with name, version and what is supported`(engine: String) throws {
    let answers = try Conversation(hello: try Conversation.hello(withRSA: true)).run(engine: engine)
    let hello = try #require(answers.first)
    #expect(answers.count == 1)
    #expect(Set(hello.keys) == ["hello", "name", "version", "supports"])
    #expect(hello["hello"] as? Int == 1)
    #expect(hello["name"] as? String == "assay \(engine)")
    let supports = try #require(hello["supports"] as? [String])
    #expect(
      supports == [
        "EC_v1", "RSA_v1", "envelopes", "expect", "payload", "replay", "revoked", "roots", "signature", "unsigned",
      ])
  }

  @Test(arguments: Conversation.engines)
  func `an accepted token comes back as its exact plaintext, a refused one as code and stage`(engine: String) throws {
    let token = try Conversation.minter.get().mint(TokenRecipe(index: 1))
    var conversation = try Conversation(hello: try Conversation.hello())
    try conversation.add(try Conversation.test("sound"))
    try conversation.add(try Conversation.test("late", ["at": "2036-01-01T00:00:00Z"]))
    try conversation.add(try Conversation.test("no token", ["token": "e30="]))
    try conversation.add(try Conversation.test("nothing", ["token": ""]))
    let answers = try conversation.run(engine: engine)
    #expect(answers.map { $0["id"] as? String } == [nil, "sound", "late", "no token", "nothing"])
    #expect(Set(answers[1].keys) == ["id", "accepted", "plaintext"])
    #expect(answers[1]["plaintext"] as? String == Data(token.layers.plaintext).base64EncodedString())
    #expect(answers[2].code == "certificateExpired" && answers[2]["stage"] as? Int == 7)
    #expect(answers[2]["member"] == nil && answers[2]["plaintext"] == nil)
    #expect(answers[3].code == "missingMember" && answers[3]["member"] as? String == "version")
    #expect(answers[4].code == "malformedJSON")
  }

  @Test(arguments: Conversation.engines)
  func `what the policy demands is held against the token`(engine: String) throws {
    let minter = try Conversation.minter.get()
    let leaf = digest(of: minter.pki.leaf)
    let policies: [(policy: [String: Any], code: String?)] = [
      ([:], nil), (["envelope": "apple", "unsigned": false, "replay": false, "revoked": [String]()], nil),
      (["expect": ["currency": "978", "amount": 1250, "applicationData": NSNull()]], nil),
      (["expect": ["currency": "840"]], "currencyMismatch"), (["expect": ["amount": 1249]], "amountMismatch"),
      (["expect": ["applicationData": String(repeating: "0", count: 64)]], "applicationDataMismatch"),
      (["revoked": [String(repeating: "0", count: 64)]], nil),
      (["revoked": [leaf]], "certificateRevoked"),
      (["revoked": [leaf.uppercased()]], "certificateRevoked"), (["replay": true], nil),
    ]
    var conversation = try Conversation(hello: try Conversation.hello())
    for (policy, _) in policies { try conversation.add(try Conversation.test("1", ["policy": policy])) }
    #expect(try conversation.verdicts(engine: engine) == policies.map { $0.code ?? "accepted" })
  }

  @Test(arguments: Conversation.engines)
  func `a prelude is remembered for its own test alone`(engine: String) throws {
    let other = try #require(try Conversation.test(index: 2)["token"] as? String)
    let same = try #require(try Conversation.test()["token"] as? String)
    let tests: [(changes: [String: Any], code: String?)] = [
      (["policy": ["replay": true], "prelude": [same]], "replayedTransaction"),
      (["policy": ["replay": true], "prelude": [other]], nil),
      (["policy": ["replay": true], "prelude": [other, same, "e30="]], "replayedTransaction"),
      (["policy": ["replay": true]], nil), (["prelude": [same]], nil),
      (["policy": ["replay": true, "expect": ["amount": 1]], "prelude": [same]], "amountMismatch"),
    ]
    var conversation = try Conversation(hello: try Conversation.hello())
    for (changes, _) in tests { try conversation.add(try Conversation.test("1", changes)) }
    #expect(try conversation.verdicts(engine: engine) == tests.map { $0.code ?? "accepted" })
  }

  @Test func `the window is that of hello, and null switches it off`() throws {
    let time = try Conversation.minter.get().time
    for (window, verdict) in [(300, "signingTimeOutsideWindow"), (301, "accepted"), (nil as UInt32?, "accepted")] {
      var conversation = try Conversation(hello: try Conversation.hello(window: window))
      let late = UnixTime(secondsSinceEpoch: time.secondsSinceEpoch + 301).rfc3339
      try conversation.add(try Conversation.test("1", ["at": late]))
      #expect(try conversation.verdicts() == [verdict])
    }
  }

  @Test func `without roots nothing is trusted, without keys nothing is opened`() throws {
    for (member, code) in [("rootsPem", "untrustedChain"), ("keys", "unknownMerchantKey")] {
      var hello = try Conversation.hello()
      hello[member] = [Any]()
      var conversation = try Conversation(hello: hello)
      try conversation.add(try Conversation.test())
      #expect(try conversation.verdicts() == [code])
    }
  }

  @Test func `a key without a certificate has its own merchant identifier`() throws {
    let merchant = try Conversation.minter.get().merchants[0]
    for (identifier, verdict) in [(merchant.identifier, "accepted"), ("merchant.other", "decryptionFailed")] {
      var hello = try Conversation.hello()
      hello["keys"] = merchant.keys.map { ["privateKeyPem": $0.pkcs8PEM, "merchantId": identifier] }
      var conversation = try Conversation(hello: hello)
      try conversation.add(try Conversation.test())
      #expect(try conversation.verdicts() == [verdict])
    }
  }

  @Test(arguments: Conversation.engines)
  func `a request is unwrapped as the policy says, and what nobody signed is told`(engine: String) throws {
    let token = try Conversation.minter.get().mint(TokenRecipe(index: 1)).bytes
    func message(_ form: Gateway.Form, _ policy: [String: Any]) throws -> [String: Any] {
      let request = Data(form.request(around: token)).base64EncodedString()
      return try Conversation.test("1", ["token": request, "policy": policy])
    }
    var conversation = try Conversation(hello: try Conversation.hello())
    let forms = Gateway.all.flatMap { gateway in gateway.forms.map { (gateway.name, $0) } }
    for (name, form) in forms {
      for envelope in [name, "auto"] {
        try conversation.add(try message(form, ["envelope": envelope, "unsigned": true]))
        try conversation.add(try message(form, ["envelope": envelope]))
      }
      try conversation.add(try message(form, [:]))
    }
    let answers = Array(try conversation.run(engine: engine).dropFirst())
    try #require(answers.count == 5 * forms.count)
    for (index, (name, form)) in forms.enumerated() {
      let mark = Comment(rawValue: "\(name) \(form.name)")
      for answer in [answers[5 * index], answers[5 * index + 2]] {
        #expect(answer.accepted == true, mark)
        #expect((answer["signed"] as? Bool == false) == !form.isSigned, mark)
        #expect(answer.count == (form.isSigned ? 3 : 4), mark)
      }
      for answer in [answers[5 * index + 1], answers[5 * index + 3]] {
        #expect(answer.accepted == form.isSigned, mark)
        #expect(answer.code == (form.isSigned ? nil : "missingMember"), mark)
      }
      #expect(answers[5 * index + 4].code == "missingMember", mark)
    }
  }

  @Test func `an envelope that the protocol does not know is an error`() throws {
    var conversation = try Conversation(hello: try Conversation.hello())
    for envelope in ["paypal", "MPGS", ""] {
      try conversation.add(try Conversation.test("7", ["policy": ["envelope": envelope]]))
    }
    #expect(try conversation.run().dropFirst().map { $0.isError(id: "7") } == [true, true, true])
  }

  @Test(arguments: Conversation.engines)
  func `each answer is there before the next line is sent`(engine: String) throws {
    // Minted before the clock runs: other tests may wait for the same keys.
    let messages = [try Conversation.hello(), try Conversation.test(), try Conversation.test("2")]
    let (input, output) = (Pipe(), Pipe())
    let process = try Program.start(["serve", "--engine", engine], input: input, output: output)
    // A program that keeps an answer back is ended after a minute. The answer is then missing.
    DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [process] in
      if process.isRunning { process.terminate() }
    }
    for message in messages {
      let line = try JSONSerialization.data(withJSONObject: message) + Data("\n".utf8)
      // In two parts, so that a read ends within a line.
      try input.fileHandleForWriting.write(contentsOf: line.prefix(100))
      Thread.block(forSeconds: 0.05)
      try input.fileHandleForWriting.write(contentsOf: line.dropFirst(100))
      var answer = Data()
      while answer.last != UInt8(ascii: "\n") {
        let part = output.fileHandleForReading.availableData
        try #require(!part.isEmpty)
        answer += part
      }
      #expect(answer.count { $0 == UInt8(ascii: "\n") } == 1)
    }
    try input.fileHandleForWriting.close()
    process.blockUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `nobody who reads the answers ends it quietly`() throws {
    let folder = try TemporaryFolder()
    let line = try JSONSerialization.data(withJSONObject: try Conversation.hello()) + Data("\n".utf8)
    try line.write(to: folder.url.appending(path: "input"))
    // The message about a usage error still reaches standard error.
    for (arguments, status) in [(["serve"], 2), (["serve", "--nonsense"], 64 as Int32)] {
      let input = try FileHandle(forReadingFrom: folder.url.appending(path: "input"))
      let outcome = try Program.runWithoutReader(arguments, input: input)
      #expect(outcome.status == status)
      #expect(outcome.error.isEmpty == (status == 2))
    }
  }
}
