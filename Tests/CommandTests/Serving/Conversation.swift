import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// Lines for `assay serve`, and its answers to them.
struct Conversation {
  /// The minter of the tokens in these tests.
  static let minter = Result { try Minter(seed: 7, at: UnixTime(secondsSinceEpoch: 1_795_000_000)) }

  static let engines = ["fast", "reference"]

  private(set) var input = Data()

  init() {}

  /// Begins with `hello`.
  init(hello: [String: Any]) throws {
    try add(hello)
  }

  mutating func add(_ message: [String: Any]) throws {
    input += try JSONSerialization.data(withJSONObject: message) + Data("\n".utf8)
  }

  mutating func add(line: String) {
    input += Data((line + "\n").utf8)
  }

  mutating func add(bytes: Data) {
    input += bytes
  }

  /// Runs `assay serve` with the lines. Expects one JSON object per line, nothing on standard error, and exit code 0.
  func run(engine: String = "fast", _ location: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
    try Self.answers(in: try outcome(engine: engine), location)
  }

  /// The objects of an outcome, of which the same is expected.
  static func answers(
    in outcome: Program.Outcome, _ location: SourceLocation = #_sourceLocation
  ) throws -> [[String: Any]] {
    #expect(outcome.status == 0, sourceLocation: location)
    #expect(outcome.error.isEmpty, "\(outcome.error)", sourceLocation: location)
    #expect(outcome.output.isEmpty || outcome.output.last == UInt8(ascii: "\n"), sourceLocation: location)
    return try outcome.output.split(separator: UInt8(ascii: "\n")).map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any], sourceLocation: location)
    }
  }

  /// What is said of each message after `hello`: `accepted`, the code of a fault, or `error`.
  func verdicts(engine: String = "fast", _ location: SourceLocation = #_sourceLocation) throws -> [String] {
    try run(engine: engine, location).dropFirst().map { answer in
      answer.accepted == true && answer.code == nil ? "accepted" : answer.code ?? "error"
    }
  }

  func outcome(engine: String = "fast") throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "input")
    try input.write(to: file)
    return try Program.run(["serve", "--engine", engine], input: file)
  }

  // MARK: Messages

  /// The private keys of `hello` without RSA.
  static var keysPEM: String {
    get throws { try minter.get().merchants.flatMap(\.keys).map(\.sec1PEM).joined() }
  }

  /// A `hello` with the root and keys of the minter. Keys of RSA_v1, which take long to check, are added on request.
  static func hello(window: UInt32? = 300, withRSA: Bool = false) throws -> [String: Any] {
    let minter = try minter.get()
    let pairs =
      minter.merchants.flatMap(\.keys).map { ($0.sec1PEM, $0.certificatePEM) }
      + (withRSA ? minter.rsaMerchants.flatMap(\.keys).map { ($0.pkcs8PEM, $0.certificatePEM) } : [])
    let keys: [[String: Any]] = pairs.map { key, certificate in
      ["privateKeyPem": key, "certificatePem": certificate, "merchantId": NSNull()]
    }
    return [
      "hello": 1, "keys": keys, "rootsPem": [minter.rootPEM],
      "windowSeconds": window.map { NSNumber(value: $0) } ?? NSNull(),
    ]
  }

  /// A sound token's message, with more members or other values.
  static func test(
    _ id: String = "1", _ changes: [String: Any] = [:], index: UInt64 = 1
  ) throws -> [String: Any] {
    let token = try minter.get().mint(TokenRecipe(index: index))
    let message: [String: Any] = [
      "id": id, "token": Data(token.bytes).base64EncodedString(), "at": try minter.get().time.rfc3339,
    ]
    return message.merging(changes) { $1 }
  }
}

extension [String: Any] {
  /// Whether it says `{"id":…,"error":…}` and nothing else.
  func isError(id: String?) -> Bool {
    count == 2 && (self["error"] as? String)?.isEmpty == false
      && (id == nil ? self["id"] is NSNull : self["id"] as? String == id)
  }

  var isHelloError: Bool {
    count == 2 && self["hello"] as? Int == 1 && (self["error"] as? String)?.isEmpty == false
  }

  var accepted: Bool? { self["accepted"] as? Bool }
  var code: String? { self["code"] as? String }
}
