import Fuzzing
import Minting
import PaymentToken
import Testing

/// Tokens and payloads written by a grammar: stages 2 to 4 and 13 in depth.
@Suite struct GrammarTests {
  @Test(arguments: 0..<2) func `tokens by a grammar get one verdict`(_ lane: Int) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    var recipe = TokenRecipe(index: 1)
    recipe.applicationData = [UInt8](repeating: 7, count: 32)
    let layers = [try minter.layers(), try minter.layers(recipe)]
    var hunt = Hunt("tokens by a grammar")
    for number in 0..<UInt64(Hunt.count(8_000)) {
      var random = minter.generator.stream("token grammar \(lane)", number)
      let chosen = random.pick(layers)
      var writer = TokenWriter(layers: chosen, random: random)
      hunt.ask(writer.text(), of: engines, "lane \(lane), number \(number)")
    }
    hunt.report()
    #expect(hunt.metAcceptance)
    for code: TokenFault.Code in [
      .malformedJSON, .duplicateMember, .missingMember, .wrongType, .unsupportedVersion, .conflictingMembers,
      .invalidBase64, .invalidHex, .invalidLength,
    ] { #expect(hunt.met(code), "\(code)") }
  }

  @Test(arguments: 0..<2) func `payloads by a grammar get one verdict`(_ lane: Int) throws {
    let minter = try Minter(seed: Hunt.seed, at: Hunt.now)
    let engines = try Engines.minted(minter)
    var layers = try minter.layers()
    var hunt = Hunt("payloads by a grammar")
    for number in 0..<UInt64(Hunt.count(2_000)) {
      let random = minter.generator.stream("payload grammar \(lane)", number)
      var writer = PayloadWriter(random: random)
      try layers.encrypt(writer.text())
      try layers.sign()
      hunt.ask(layers.token, of: engines, "lane \(lane), number \(number)")
    }
    hunt.report()
    #expect(hunt.metAcceptance)
    #expect(hunt.met(.malformedPayload))
  }

  @Test func `values keep their depth if nothing is broken`() {
    var grammar = JSONGrammar(placesPerFault: 0, random: QuickGenerator(SeededGenerator(seed: Hunt.seed)))
    for depth in 0..<4 {
      let depths = Set((0..<1_000).map { _ in Self.depth(of: grammar.value(depth: depth)) })
      #expect(depths == Set(0...depth), "seed \(Hunt.seed)")
      if depth > 0 { #expect((0..<100).allSatisfy { _ in Self.depth(of: grammar.nested(depth)) == depth }) }
    }
  }

  /// The largest number of containers around any place of a well-formed text.
  private static func depth(of text: [UInt8]) -> Int {
    var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
    for byte in text {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isInString
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, deepest) = (depth + 1, max(deepest, depth + 1))
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
  }
}

/// An encoded member of an object.
private typealias Member = (name: [UInt8], value: [UInt8])

/// Writes the members of a valid token in unusual ways, some of which are wrong.
private struct TokenWriter {
  let layers: TokenLayers
  var grammar: JSONGrammar
  var random: QuickGenerator

  init(layers: TokenLayers, random: SeededGenerator) {
    self.layers = layers
    self.random = QuickGenerator(random.stream("writer"))
    var random = QuickGenerator(random)
    grammar = JSONGrammar(placesPerFault: random.pick([0, 0, 0, 2_000, 100]), random: random)
  }

  mutating func text() -> [UInt8] {
    var members = [
      member("version", random.chance(12) ? random.pick(["RSA_v1", "EC_v2", "EC_v1 ", "ec_v1", ""]) : "EC_v1"),
      member("data", base64(layers.data)), member("signature", base64(layers.signature)),
    ]
    members.append((grammar.string("header"), header()))
    if random.chance(25) {
      members.append((grammar.string("header"), random.chance(2) ? header() : grammar.value(depth: 5)))
    }
    fill(&members, names: ["version", "data", "signature", "header", "publicKeyHash"], depth: 31)
    let text = grammar.space() + grammar.object(members) + grammar.space()
    return random.chance(150)
      ? text + [UInt8](repeating: 0x20, count: max(0, 16_383 + random.pick([0, 1, 2]) - text.count)) : text
  }

  private mutating func header() -> [UInt8] {
    var members = [
      member("publicKeyHash", base64(layers.publicKeyHash)), member("transactionId", hex(layers.transactionId)),
      member("ephemeralPublicKey", base64(layers.ephemeralPublicKey)),
    ]
    if let data = layers.applicationData { members.append(member("applicationData", hex(data))) }
    if random.chance(40) { members.append(member("wrappedKey", "")) }
    fill(
      &members,
      names: ["publicKeyHash", "transactionId", "ephemeralPublicKey", "applicationData", "wrappedKey", "data"],
      depth: 30)
    return grammar.object(members)
  }

  private mutating func member(_ name: String, _ text: String) -> Member {
    (grammar.string(name), random.chance(60) ? grammar.value(depth: 2) : grammar.string(text))
  }

  /// Removes, repeats and adds members, and brings them into another order.
  private mutating func fill(_ members: inout [Member], names: [String], depth: Int) {
    if random.chance(12) { members.remove(at: Int.random(in: members.indices, using: &random)) }
    if random.chance(12) { members.append((grammar.string(random.pick(names)), grammar.value(depth: 2))) }
    for _ in 0..<random.pick([0, 0, 1, 3]) { members.append((grammar.someString(), grammar.value(depth: 3))) }
    if random.chance(8) {
      for _ in 0..<random.pick([1, 2, 3]) {
        members.append((grammar.string(random.pick(Self.confusableNames)), grammar.value(depth: 1)))
      }
    }
    if random.chance(20) { members.append((grammar.someString(), grammar.nested(depth + random.pick([-1, 0, 1])))) }
    if random.chance(20) {
      let count = random.pick([63, 64, 65]) - members.count
      for index in 0..<max(0, count) { members.append((grammar.string("m\(index)"), Array("0".utf8))) }
    }
    members.shuffle(using: &random)
  }

  /// Names that are all different byte by byte. A careless comparison takes some of them for equal.
  private static let confusableNames = [
    "é", "e\u{301}", "\u{C5}", "\u{212B}", "A\u{30A}", "\u{1F600}", "\u{FEFF}", "", "\u{0}", "\u{0}\u{0}",
    "version\u{0}",
    "Version", "versio\u{FF4E}", "header ", "header\u{0}", "publicKeyHash\u{200B}", "a/b", "a\\/b", "\\u0061", "a", "b",
    "transactionIdtransactionId", "transactionIdtransactionIe", "ephemeralPublicKey\"", "1234567", "12345678",
    "123456789",
  ]

  private mutating func base64(_ bytes: [UInt8]) -> String {
    guard random.chance(30) else { return Base64.encode(bytes) }
    let text = Base64.encode(random.chance(2) ? bytes : Array(bytes.dropLast(random.pick([1, 2, 3, bytes.count]))))
    return random.pick([
      text, text + "=", text + "====", String(text.dropLast()), "", "=", "====", "A", "AA", "AA==", "AB==", "AAA=",
      "AAB=",
      "A===", text + "\n", " " + text, text.replacing("+", with: "-").replacing("/", with: "_"), text + "AA==" + text,
      String(text.dropLast(4)) + "AA=A", String(text.dropLast(4)) + "A=A=", text + "é",
    ])
  }

  private mutating func hex(_ bytes: [UInt8]) -> String {
    let text = random.chance(4) ? Hex.encode(bytes).uppercased() : Hex.encode(bytes)
    guard random.chance(20) else { return text }
    return random.pick([
      text + "0", text + "00", String(text.dropLast()), String(text.dropLast(2)), "", "0", "0x" + text, text + "g0",
      text + "\u{0}0", "é" + text.dropLast(2), text.dropLast(2) + "  ",
    ])
  }
}

/// Writes payloads whose members are valid, at the edge or wrong.
private struct PayloadWriter {
  var grammar: JSONGrammar
  var random: QuickGenerator
  /// Each value is wrong or at the edge with probability 1/n.
  private let valuesPerOddity: Int

  init(random: SeededGenerator) {
    self.random = QuickGenerator(random.stream("writer"))
    var random = QuickGenerator(random)
    valuesPerOddity = random.pick([5, 30, 100])
    grammar = JSONGrammar(placesPerFault: random.pick([0, 0, 0, 3_000, 200]), random: random)
  }

  mutating func text() -> [UInt8] {
    var members = [
      string("applicationPrimaryAccountNumber", random.chance(4) ? Self.accountNumbers : ["4111111111111111"]),
      string("applicationExpirationDate", random.chance(4) ? Self.dates : ["301231"]),
      string(
        "currencyCode",
        random.chance(valuesPerOddity) ? ["97", "9788", "97a", "٩٧٨", "", " 97"] : ["978", "000", "999"]),
      value("transactionAmount", random.chance(2) ? amount() : Array("1250".utf8)),
      string("deviceManufacturerIdentifier", random.chance(valuesPerOddity) ? Self.devices : ["040010030273", "Ff"]),
    ]
    let type = random.pick(
      random.chance(valuesPerOddity) ? ["3dsecure", "emv", "", "3DSecure "] : ["3DSecure", "3DSecure", "EMV"])
    members.append(string("paymentDataType", [type]))
    members.append(value("paymentData", paymentData(type)))
    if random.chance(4) { members.append(string("cardholderName", ["Zoë \u{1F600}\u{0}", ""])) }
    if random.chance(4) { members.append(string("merchantTokenIdentifier", ["TEST", ""])) }
    if random.chance(4) {
      members.append(value("merchantTokenMetadata", grammar.object([(grammar.someString(), grammar.value(depth: 4))])))
    }
    if random.chance(3) { members.append(value("authenticationResponses", responses())) }
    fill(&members, depth: 31, names: members.count)
    return grammar.space() + grammar.object(members) + grammar.space()
  }

  private mutating func paymentData(_ type: String) -> [UInt8] {
    var members: [Member] = []
    if type != "EMV" || random.chance(4) {
      members.append(
        string(
          "onlinePaymentCryptogram", random.chance(valuesPerOddity) ? Self.base64 : ["WlpaWlpaWlpaWlpaWlpaWlpaWlo="]))
      if random.chance(2) {
        members.append(
          string("eciIndicator", random.chance(valuesPerOddity) ? ["", "007", "a", "5 ", "٧"] : ["5", "07"]))
      }
    }
    if type == "EMV" || random.chance(4) {
      members.append(string("emvData", random.chance(valuesPerOddity) ? Self.base64 : ["nyYI"]))
      if random.chance(valuesPerOddity) { members.append(value("encryptedPINData", grammar.value(depth: 2))) }
    }
    fill(&members, depth: 30, names: members.count)
    return grammar.object(members)
  }

  private mutating func responses() -> [UInt8] {
    let elements = (0..<random.pick([0, 1, 1, 3])).map { _ in
      var members = [
        string("merchantIdentifier", ["merchant.test", ""]), string("authenticationData", ["AAAA", "?"]),
        string("transactionAmount", ["100", ""]),
      ]
      fill(&members, depth: 29, names: members.count)
      return random.chance(valuesPerOddity) ? grammar.value(depth: 2) : grammar.object(members)
    }
    return grammar.array(elements)
  }

  private mutating func string(_ name: String, _ texts: [String]) -> Member {
    let text = random.pick(texts)
    return value(name, grammar.string(text))
  }

  private mutating func value(_ name: String, _ value: [UInt8]) -> Member {
    (grammar.string(name), random.chance(valuesPerOddity * 6) ? grammar.value(depth: 3) : value)
  }

  /// Removes, repeats and adds members, and brings them into another order.
  private mutating func fill(_ members: inout [Member], depth: Int, names: Int) {
    if random.chance(valuesPerOddity * 2), !members.isEmpty {
      members.remove(at: Int.random(in: members.indices, using: &random))
    }
    if random.chance(valuesPerOddity * 3), !members.isEmpty { members.append(random.pick(members)) }
    if random.chance(valuesPerOddity) {
      let name = grammar.someString()
      members.append((name, grammar.value(depth: 3)))
      if random.chance(4) { members.append((name, grammar.value(depth: 1))) }
    }
    if random.chance(valuesPerOddity) {
      members.append((grammar.string("deep"), grammar.nested(depth + random.pick([-1, 0, 0, 1]))))
    }
    if random.chance(valuesPerOddity) {
      let count = random.pick([63, 64, 64, 65]) - members.count
      for index in 0..<max(0, count) { members.append((grammar.string("m\(index)"), Array("0".utf8))) }
    }
    members.shuffle(using: &random)
  }

  private mutating func amount() -> [UInt8] {
    func zeros(_ counts: [Int]) -> String { String(repeating: "0", count: random.pick(counts)) }
    func digits(_ counts: [Int]) -> String {
      String((0..<random.pick(counts)).map { _ in random.pick(["0", "1", "9"] as [Character]) })
    }
    var text = random.chance(3) ? "0" : random.pick(["1", "9", "999999999999", "123456789012", "100000000000"])
    if text != "0", random.chance(3) { text += digits([1, 2, 12, 30]) }
    if random.chance(2) {
      text +=
        "." + random.pick(["", digits([1, 3, 12]), zeros([1, 12, 40])]) + random.pick(["0", "1", "5", zeros([1, 20])])
    }
    if random.chance(2) {
      text +=
        random.pick(["e", "E"]) + random.pick(["", "", "+", "-"]) + zeros([0, 0, 1, 30])
        + random.pick(["0", "1", "2", "3", "11", "12", "13", "99", "18446744073709551617"])
    }
    return Array((random.chance(30) ? "-" + text : text).utf8)
  }

  private static let accountNumbers = [
    "41111111111", "411111111111", "4111111111111111111", "41111111111111111111", "4111111111111a11", "",
    "411111111111111٣", "4111 1111 1111", "000000000000",
  ]

  private static let dates = [
    "000229", "230229", "240229", "990228", "990229", "301231", "301232", "300431", "300430", "300100", "300001",
    "301301",
    "3012310", "30123", "", "30123a", "-11231", "000101", "991231",
  ]

  private static let devices = [
    "", "0", "00", "0g", String(repeating: "ab", count: 32), String(repeating: "ab", count: 33), "040010030", "é0",
    "0x00",
  ]

  private static let base64 = [
    "", "=", "====", "AA==", "AB==", "AAA=", "AAB=", "AAAA", "AAAAA", "AA=", "AA", "A===", "AA==AAAA", "AA AA", "-_-_",
    "+/+/",
    "AAAA\n", "é===", "AAA==", "AAAA====", "AA=A",
  ]
}
