import Explanation
import Foundation
import Gateways
import HostIO
import MerchantKeys
import PaymentToken
import Reports
import TestSupport
import Testing

/// A search for inputs that cost most for their size: an input that costs more a byte than others is kept and changed
/// again. It finds costs that no reasoning foresees, such as a function of a library that is slow for some text.
///
/// Costs are processor time, so the test asserts none of them; it prints the costliest inputs. `ASSAY_HUNT_SECONDS` is
/// the time for each reader, and `ASSAY_HUNT_FOLDER` a folder for the three costliest inputs.
@Suite struct CostHuntTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test(.deep(.hunts), arguments: ["explain", "body", "keys", "arguments", "suggestion"])
  func `the costliest input of a reader`(_ name: String) throws {
    let scenario = try Scenario(ScenarioTests.minter.get())
    let keys = try MerchantKeySet(files: scenario.files)
    let explainer = try Explainer(KeyContext(keys, candidates: []), anchors: scenario.anchors)
    var seeds = [scenario.token, Array("{}".utf8), Array(repeating: 0x7B, count: 3_000)]
    if name == "keys" { seeds += scenario.files.map { Array($0.bytes) } }
    let policy = VerificationPolicy(envelope: .automatic)
    let readers: [String: ([UInt8]) -> Void] = [
      "explain": { _ = explainer.explain($0.span, at: scenario.now, under: policy) },
      "body": { _ = ReceivedBody.json(of: $0) },
      "keys": { _ = try? MerchantKeySet(files: [KeyFile(name: "key", bytes: $0)]) },
      "arguments": { _ = PastedText.redacted(String(decoding: $0, as: UTF8.self), arguments: [$0.suffix(64).text]) },
      "suggestion": { _ = Suggestion.nearest(to: $0.prefix(256).text, among: ["token", $0.suffix(128).text]) },
    ]
    let read = try #require(readers[name])
    var hunt = CostHunt(seed: UInt64(Self.environment["ASSAY_HUNT_SEED"] ?? "") ?? 1) { input in
      let times = (0..<2).map { _ in
        let start = ThreadTime.nanoseconds
        read(input)
        return ThreadTime.nanoseconds - start
      }
      return Double(times.min() ?? 0)
    }
    hunt.run(for: .seconds(Int(Self.environment["ASSAY_HUNT_SECONDS"] ?? "") ?? 5), from: seeds)
    for (rank, found) in hunt.best.prefix(3).enumerated() {
      let summary = "seed \(hunt.seed), \(hunt.tries) inputs: \(Int(found.cost)) ns a byte of \(found.input.count)"
      print("\(name): \(summary): \(found.input.prefix(48).text.debugDescription)")
      guard let folder = Self.environment["ASSAY_HUNT_FOLDER"] else { continue }
      try Data(found.input).write(to: URL(filePath: "\(folder)/\(name)-\(rank).bin"))
    }
    #expect(hunt.tries > 0)
    let counted = hunt.best.allSatisfy { SearchBudget.spent(on: $0.input) <= 16 * $0.input.count + 16_384 }
    #expect(name != "explain" || counted)
  }

  /// A cost that is counted: the square of the number of quotation marks.
  @Test func `a hunt finds what costs most`() {
    var hunt = CostHunt(seed: 7) { input in
      let marks = input.count { $0 == 0x22 }
      return Double(input.count + marks * marks)
    }
    hunt.run(for: nil, tries: 2_000, from: [Array("{\"a\":1}".utf8)])
    #expect((hunt.best.first?.cost ?? 0) > 500)
  }
}

extension Collection<UInt8> {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}

/// Hill climbing by cost a byte.
private struct CostHunt {
  let seed: UInt64
  private(set) var tries = 0
  /// The costliest inputs, the costliest first, with their cost a byte.
  private(set) var best: [(input: [UInt8], cost: Double)] = []
  private let cost: ([UInt8]) -> Double
  private var random: SplitMix64

  private static let kept = 40
  private static let longest = 8_192
  /// A shorter input counts as one of this size: the fixed cost of a call is no cost of bytes.
  private static let least = 512

  init(seed: UInt64, cost: @escaping ([UInt8]) -> Double) {
    self.seed = seed
    self.cost = cost
    random = SplitMix64(seed: seed)
  }

  mutating func run(for time: Duration?, tries limit: Int = .max, from seeds: [[UInt8]]) {
    for seed in seeds { keep(seed) }
    let start = ContinuousClock.now
    while tries < limit, time.map({ ContinuousClock.now - start < $0 }) ?? true {
      guard let parent = best.indices.randomElement(using: &random) else { return }
      measureAgain(parent)
      keep(changed(best[parent].input))
      tries += 1
    }
    for index in best.indices { measureAgain(index) }
    best.sort { $0.cost > $1.cost }
  }

  /// Some measurements are too high, and would keep their input: the lowest one counts.
  private mutating func measureAgain(_ index: Int) {
    best[index].cost = min(best[index].cost, costPerByte(of: best[index].input))
  }

  private func costPerByte(of input: [UInt8]) -> Double { cost(input) / Double(max(input.count, Self.least)) }

  private mutating func keep(_ input: [UInt8]) {
    let found = costPerByte(of: input)
    guard best.count < Self.kept || found > best.map(\.cost).min() ?? 0 else { return }
    best.append((input, found))
    best.sort { $0.cost > $1.cost }
    if best.count > Self.kept { best.removeLast() }
  }

  private mutating func changed(_ input: [UInt8]) -> [UInt8] {
    var input = input
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      input = Array(edited(input).prefix(Self.longest))
    }
    return input
  }

  private mutating func edited(_ input: [UInt8]) -> [UInt8] {
    var input = input
    let place = Int.random(in: 0...input.count, using: &random)
    let word = Self.words.randomElement(using: &random) ?? []
    let times = 1 << Int.random(in: 0..<9, using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: input.insert(contentsOf: word, at: place)
    case 1: input.insert(contentsOf: repeatElement(word, count: times).joined(), at: place)
    case 2: input.insert(contentsOf: repeatElement(input[place...].prefix(64), count: times).joined(), at: place)
    case 3: input.removeSubrange(place..<min(input.count, place + times * 4))
    case 4:
      guard place < input.count else { break }
      input[place] = UInt8.random(in: 0...255, using: &random)
    case 5:
      guard let other = best.randomElement(using: &random)?.input, other.count > place else { break }
      input.insert(contentsOf: other[place...].prefix(512), at: place)
    case 6: input = wrapped(input)
    default:
      let step = Int.random(in: 1...32, using: &random)
      input = input.enumerated().flatMap { $0.offset % step == 0 ? word + [$0.element] : [$0.element] }
    }
    return input
  }

  /// The input in another form.
  private mutating func wrapped(_ input: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    func hexadecimal(_ byte: UInt8) -> [UInt8] { [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: [0x22] + input.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] } + [0x22]
    case 1: Array(Data(input).base64EncodedString().utf8)
    case 2: input.flatMap { [0x25] + hexadecimal($0) }
    default: input.flatMap(hexadecimal)
    }
  }

  private static let words: [[UInt8]] =
    [
      "\"", "{", "}", "[", "]", ",", ":", "\\", "\\\"", "\\u0041", "\\u0022", "\\n", "%7B", "%22", "%", "+", "&", "=",
      "&quot;", "&#34;", "eyJhIjoxfQ==", "e30=", "7b227d", "{\"a\":1}", "{\"token\":{}}", "\"paymentData\":",
      "\"header\":{", "\"data\":\"", "\"signature\":\"", "\"version\":\"EC_v1\",", "\"publicKeyHash\":\"",
      "\"ephemeralPublicKey\":\"", "\"transactionId\":\"", "-----BEGIN X-----\n", "-----BEGIN PRIVATE KEY-----\n",
      "-----END PRIVATE KEY-----\n", "-----BEGIN CERTIFICATE-----\n", "-----", "MII", "A", "AAAA", "==", "\n", "\r\n",
      " ", "\t", "0", "1", "123,", "0x7b ", "7b ", "b'", "\\x7b", "\u{301}", "\u{1F1E9}\u{1F1EA}", "é", "€",
      "\u{1F600}",
      "\u{0}", "<", ">", "<a>", "'", "`", "$", "#", "//", "/*", "null", "true", "1e5", "-", "token=", "paymentData=",
      "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"", "\"n\":\"", "\"d\":\"", "H4sI", "data:application/json;base64,",
      "curl -d '", "Bearer ", "eyJ", ".",
    ].map { Array($0.utf8) } + [
      [0x30, 0x82, 0x01, 0x00], [0x30, 0x80], [0x02, 0x01, 0x00], [0xFF], [0xC3], [0x00], [0x04, 0x82],
      [0x1F, 0x8B, 0x08, 0x00],
    ]
}
