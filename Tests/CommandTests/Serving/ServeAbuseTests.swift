import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// Lines that no well-meaning caller sends. Each is answered, and so is the next one.
@Suite(.blocking) struct ServeAbuseTests {
  private let limit = 4 << 20

  @Test func `nothing in is nothing out`() throws {
    #expect(try Conversation().run().isEmpty)
  }

  private static let noMessages = [
    "", " ", "\0",
    "{", "}", "[]", "null", "1", "\"hello\"", "{\"hello\":1", "{\"hello\":1,}", "{\"hello\":1}{}",
    "{'hello':1}", "{\"id\":\"1\",\"id\":\"1\"}", "{\"id\":\"1\",\"\\u0069d\":\"1\"}", "\u{FEFF}{}",
    "{\"id\":\"\\ud800\"}",
    String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
    "{\"id\":\"1\",\"policy\":" + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "x}",
  ]

  @Test func `a line that is no message is answered before and after hello`() throws {
    var conversation = Conversation()
    for line in Self.noMessages { conversation.add(line: line) }
    try conversation.add(try Conversation.hello())
    for line in Self.noMessages {
      conversation.add(line: line)
      try conversation.add(try Conversation.test())
    }
    let answers = try conversation.run()
    let count = Self.noMessages.count
    try #require(answers.count == 3 * count + 1)
    #expect(answers[count]["supports"] != nil)
    for (index, line) in Self.noMessages.enumerated() {
      let start = Comment(rawValue: String(line.prefix(40)))
      #expect(answers[index].isHelloError, start)
      #expect(answers[count + 1 + 2 * index].isError(id: nil), start)
      #expect(answers[count + 2 + 2 * index].accepted == true, start)
    }
  }

  @Test(arguments: [
    Data([0xFF, 0xFE]), Data([0x7B, 0x22, 0xC0, 0xAF, 0x22, 0x3A, 0x31, 0x7D]), Data(repeating: 0, count: 5_000),
  ])
  func `bytes that are no text are answered`(bytes: Data) throws {
    var conversation = try Conversation(hello: try Conversation.hello())
    conversation.add(bytes: bytes + Data("\n".utf8))
    try conversation.add(try Conversation.test())
    let answers = try conversation.run()
    #expect(answers.count == 3)
    #expect(answers[1].isError(id: nil))
    #expect(answers[2].accepted == true)
  }

  @Test func `a token before hello is answered, and hello may still come`() throws {
    var conversation = Conversation()
    try conversation.add(try Conversation.test("early"))
    try conversation.add(["hello": 2])
    try conversation.add(try Conversation.hello())
    try conversation.add(try Conversation.test("late"))
    try conversation.add(try Conversation.hello())
    try conversation.add(try Conversation.test("last"))
    let answers = try conversation.run()
    try #require(answers.count == 6)
    #expect(answers[0].isError(id: "early"))
    #expect(answers[1].isHelloError)
    #expect(answers[3].accepted == true)
    #expect(answers[4].isHelloError)
    #expect(answers[5].accepted == true)
  }

  @Test func `a hello that cannot be used is told so`() throws {
    let minter = try Conversation.minter.get()
    let key = minter.merchants[0].keys[0]
    let other = minter.merchants[1].keys[0]
    let changes: [[String: Any]] = [
      ["hello": 2], ["hello": "1"], ["hello": NSNull()], ["keys": NSNull()], ["keys": "none"], ["keys": [1]],
      ["keys": [[:] as [String: Any]]], ["keys": [["privateKeyPem": 1]]], ["keys": [["privateKeyPem": "junk"]]],
      ["keys": [["privateKeyPem": key.sec1PEM]]], ["keys": [["privateKeyPem": key.sec1PEM, "merchantId": ""]]],
      ["keys": [["privateKeyPem": key.sec1PEM, "certificatePem": other.certificatePEM]]],
      ["keys": [["privateKeyPem": key.sec1PEM, "certificatePem": "junk"]]],
      ["keys": [["privateKeyPem": key.sec1PEM, "certificatePem": key.certificatePEM, "merchantId": "other"]]],
      ["keys": [["privateKeyPem": key.sec1PEM, "merchantId": "m", "password": "x"]]],
      ["rootsPem": NSNull()], ["rootsPem": "x"], ["rootsPem": [1]], ["rootsPem": ["junk"]],
      ["rootsPem": [key.sec1PEM]], ["windowSeconds": "300"], ["windowSeconds": -1], ["windowSeconds": 4_294_967_296],
      ["windowSeconds": 1.5], ["more": 1], ["id": "1"],
    ]
    var conversation = Conversation()
    for change in changes { try conversation.add(try Conversation.hello().merging(change) { $1 }) }
    var withoutWindow = try Conversation.hello()
    withoutWindow["windowSeconds"] = nil
    try conversation.add(withoutWindow)
    let outcome = try conversation.outcome()
    let answers = try Conversation.answers(in: outcome)
    #expect(answers.count == changes.count + 1)
    for (index, answer) in answers.enumerated() {
      #expect(answer.isHelloError, "\(index): \(answer)")
    }
    let search = try SecretSearch(forLinesOf: try Conversation.keysPEM)
    #expect(try search.findings(in: outcome.text, marked: "error") == [])
  }

  @Test func `a test that cannot be used is told so`() throws {
    let changes: [[String: Any]] = [
      ["token": NSNull()], ["token": 1], ["token": "e30"], ["token": "e3 0="], ["token": "e30_"], ["at": NSNull()],
      ["at": 1_795_000_000], ["at": "now"], ["at": "2026-11-18T10:26:40+00:00"], ["at": "2026-11-18T10:26:40.0Z"],
      ["at": "2026-02-30T00:00:00Z"], ["at": "0000-06-01T00:00:00Z"], ["policy": []], ["policy": ["windowSeconds": 1]],
      ["policy": ["replay": 1]],
      ["policy": ["replay": "true"]], ["policy": ["envelope": "Apple"]], ["policy": ["envelope": 1]],
      ["policy": ["unsigned": 0]], ["policy": ["expect": 1]], ["policy": ["expect": ["amount": "1250"]]],
      ["policy": ["expect": ["amount": 12.5]]], ["policy": ["expect": ["amount": 1e300]]],
      ["policy": ["expect": ["currency": 978]]], ["policy": ["expect": ["pan": "4"]]],
      ["policy": ["expect": ["applicationData": "00"]]], ["policy": ["revoked": "00"]],
      ["policy": ["revoked": ["00"]]], ["policy": ["revoked": [1]]], ["prelude": "e30="], ["prelude": [1]],
      ["prelude": ["!"]], ["more": 1], ["accepted": true],
    ]
    var conversation = try Conversation(hello: try Conversation.hello())
    for change in changes { try conversation.add(try Conversation.test("x", change)) }
    for id: Any in [1, NSNull(), ["x"]] { try conversation.add(try Conversation.test("x", ["id": id])) }
    try conversation.add(["token": "e30=", "at": "2026-11-18T10:26:40Z"])
    let answers = try conversation.run().dropFirst()
    #expect(answers.count == changes.count + 4)
    for (change, answer) in zip(changes, answers) {
      #expect(answer.isError(id: "x"), "\(change.keys.first ?? ""): \(answer)")
    }
    for answer in answers.suffix(4) { #expect(answer.isError(id: nil)) }
  }

  @Test func `detecting replays without a window is a mistake`() throws {
    var conversation = try Conversation(hello: try Conversation.hello(window: nil))
    try conversation.add(try Conversation.test("1", ["policy": ["replay": true]]))
    try conversation.add(try Conversation.test("2", ["policy": ["replay": false]]))
    let answers = try conversation.run()
    #expect(answers[1].isError(id: "1"))
    #expect(answers[2].accepted == true)
  }

  @Test func `an identifier comes back as it is, also twice`() throws {
    let ids = ["", "1", "1", "\"\\/\u{8}\u{0}\u{7F}\u{2028}é😀", String(repeating: "x", count: 100_000)]
    var conversation = try Conversation(hello: try Conversation.hello())
    for id in ids { try conversation.add(try Conversation.test(id)) }
    let answers = try conversation.run().dropFirst()
    #expect(answers.map { $0["id"] as? String } == ids)
    #expect(answers.allSatisfy { $0.accepted == true })
  }

  @Test func `an overlong line is one error, wherever it is cut`() throws {
    var conversation = try Conversation(hello: try Conversation.hello())
    let test = try JSONSerialization.data(withJSONObject: try Conversation.test("x"))
    let lengths = [limit: true, limit + 1: false, limit + 2: false, 2 * limit: false, 3 * limit + 7: false]
    let ordered = lengths.sorted { $0.key < $1.key }
    for (length, _) in ordered {
      conversation.add(bytes: test + Data(repeating: UInt8(ascii: " "), count: length - test.count))
      conversation.add(bytes: Data("\n".utf8))
      try conversation.add(try Conversation.test("next"))
    }
    let answers = try conversation.run()
    try #require(answers.count == 2 * lengths.count + 1)
    for (index, (length, isRead)) in ordered.enumerated() {
      let answer = answers[2 * index + 1]
      #expect(isRead ? answer.accepted == true : answer.isError(id: nil), "\(length)")
      #expect(answers[2 * index + 2]["id"] as? String == "next" && answers[2 * index + 2].accepted == true)
    }
  }

  @Test func `the last line needs no newline, and is an error when it is cut`() throws {
    let test = try JSONSerialization.data(withJSONObject: try Conversation.test("x"))
    var conversation = try Conversation(hello: try Conversation.hello())
    conversation.add(bytes: test)
    #expect(try conversation.run().last?.accepted == true)
    conversation = try Conversation(hello: try Conversation.hello())
    conversation.add(bytes: test.dropLast())
    #expect(try conversation.run().last?.isError(id: nil) == true)
    conversation = Conversation()
    conversation.add(bytes: Data(repeating: UInt8(ascii: "{"), count: 2 * limit))
    let answers = try conversation.run()
    #expect(answers.count == 1 && answers[0].isHelloError)
  }

  @Test func `lines may end in carriage return and newline`() throws {
    let hello = try JSONSerialization.data(withJSONObject: try Conversation.hello())
    let test = try JSONSerialization.data(withJSONObject: try Conversation.test("x"))
    var conversation = Conversation()
    for line in [hello, test] { conversation.add(bytes: line + Data("\r\n".utf8)) }
    #expect(try conversation.run().last?.accepted == true)
  }

  @Test(arguments: Conversation.engines)
  func `damaged messages are answered each, with no key in any answer`(engine: String) throws {
    let seed = UInt64.random(in: 0...(.max))
    print("serve \(engine): damaged messages of seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let sound = [
      try JSONSerialization.data(withJSONObject: try Conversation.hello()),
      try JSONSerialization.data(
        withJSONObject: try Conversation.test("x", ["policy": ["expect": ["amount": 1250], "replay": true]])),
    ]
    var conversation = try Conversation(hello: try Conversation.hello())
    let count = 2_000
    for _ in 0..<count {
      var line = [UInt8](sound[random.next() % 8 == 0 ? 0 : 1])
      for _ in 0...random.next() % 3 where line.count > 1 { Self.damage(&line, &random) }
      conversation.add(bytes: Data(line.map { $0 == 0x0A ? 0x20 : $0 }) + Data("\n".utf8))
    }
    let outcome = try conversation.outcome(engine: engine)
    let answers = try Conversation.answers(in: outcome)
    #expect(answers.count == count + 1, "seed \(seed)")
    for answer in answers.dropFirst() {
      #expect(answer["accepted"] != nil || answer["error"] != nil || answer["unsupported"] != nil, "seed \(seed)")
    }
    let search = try SecretSearch(forLinesOf: try Conversation.keysPEM)
    #expect(try search.findings(in: outcome.text, marked: "error") == [], "seed \(seed)")
  }

  private static func damage(_ line: inout [UInt8], _ random: inout SeededGenerator) {
    let place = Int(random.next() % UInt64(line.count))
    // Half of the changes are in the first 200 bytes: most of a line is the token.
    let index = random.next() % 2 == 0 ? place : place % min(200, line.count)
    switch random.next() % 4 {
    case 0: line.remove(at: index)
    case 1: line.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
    case 2: line[index] = UInt8(truncatingIfNeeded: random.next())
    default: line.removeSubrange((index + 1)...)
    }
  }
}
