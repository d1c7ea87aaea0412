import Fuzzing
import Gateways
import Minting

/// Generates JSON from its grammar and breaks some productions. Random byte changes rarely give such inputs.
struct JSONGrammar {
  /// Each place that can be broken is broken with probability 1/n; 0 means never.
  let placesPerFault: Int
  var random: QuickGenerator

  private mutating func isBroken() -> Bool { placesPerFault > 0 && random.chance(placesPerFault) }

  // MARK: Space

  mutating func space() -> [UInt8] {
    if random.chance(4) {
      return (0..<random.pick([1, 1, 2, 3, 17])).map { _ in random.pick([0x20, 0x09, 0x0A, 0x0D]) }
    }
    return isBroken()
      ? random.pick([[0x0B], [0x0C], [0xC2, 0xA0], [0x00], [0xEF, 0xBB, 0xBF], Array("//\n".utf8)]) : []
  }

  // MARK: Strings

  /// The text as a string; any of its characters may be escaped.
  mutating func string(_ text: String) -> [UInt8] {
    let escaping = random.pick([0, 0, 0, 2, 10, 40])
    if escaping == 0, placesPerFault == 0 { return JSONText.quoted(text) }
    var bytes = [UInt8(ascii: "\"")]
    for scalar in text.unicodeScalars {
      if isBroken() { bytes += random.pick(JSONTextEdits.insideStrings) }
      bytes += escaping > 0 && random.chance(escaping) ? escaped(scalar) : plain(scalar)
    }
    if isBroken() { bytes += random.pick(JSONTextEdits.insideStrings) }
    return isBroken() ? bytes : bytes + [UInt8(ascii: "\"")]
  }

  private mutating func plain(_ scalar: Unicode.Scalar) -> [UInt8] {
    switch scalar {
    case "\"", "\\": ["\\".utf8.first ?? 0] + Array(UTF8.encode(scalar) ?? .init())
    case "\u{00}"..."\u{1F}": escaped(scalar)
    default: Array(UTF8.encode(scalar) ?? .init())
    }
  }

  private mutating func escaped(_ scalar: Unicode.Scalar) -> [UInt8] {
    let short: [Unicode.Scalar: String] = [
      "\"": "\\\"", "\\": "\\\\", "/": "\\/", "\u{08}": "\\b", "\u{0C}": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t",
    ]
    if random.chance(2), let text = short[scalar] { return Array(text.utf8) }
    return String(Character(scalar)).utf16.flatMap { unit in
      let digits = String(unit, radix: 16)
      let padded = String(repeating: "0", count: 4 - digits.count) + digits
      return Array(("\\u" + (random.chance(2) ? padded : padded.uppercased())).utf8)
    }
  }

  mutating func someString() -> [UInt8] {
    string(
      String(
        String.UnicodeScalarView(
          (0..<random.pick([0, 1, 2, 5, 20])).map { _ in random.pick(Self.scalars) })))
  }

  private static let scalars: [Unicode.Scalar] = [
    "a", "b", "Z", "0", "\"", "\\", "/", "\u{00}", "\u{08}", "\n", "\u{1F}", " ", "\u{7F}", "\u{80}", "\u{7FF}",
    "\u{800}",
    "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{10FFFF}", "=", "+", "é",
  ]

  // MARK: Values

  mutating func number() -> [UInt8] {
    func digits(_ counts: [Int]) -> String {
      String((0..<random.pick(counts)).map { _ in random.pick(["0", "0", "1", "5", "9"] as [Character]) })
    }
    if isBroken() {
      return Array(
        random.pick([
          "01", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+", "1e1.5", "--1", "0x1", "NaN", "Infinity", "1_0", "00",
          "-01",
          "1E", "1ee1", "١", "1e-", "-.1", "tru", "True", "nul", "undefined", "'a'",
        ]).utf8)
    }
    var text = random.chance(4) ? "-" : ""
    text += random.chance(3) ? "0" : String(Int.random(in: 1...9, using: &random)) + digits([0, 0, 1, 3, 11, 40])
    if random.chance(3) { text += "." + digits([1, 2, 12, 30]) }
    if random.chance(3) { text += random.pick(["e", "E"]) + random.pick(["", "+", "-"]) + digits([1, 1, 2, 20]) }
    return Array(text.utf8)
  }

  /// Any value, with containers nested at most `depth` deep unless a place is broken.
  mutating func value(depth: Int) -> [UInt8] {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0, 1: return someString()
    case 2, 3: return number()
    case 4: return Array(random.pick(["true", "false", "null"]).utf8)
    case 5: return Array(random.pick(depth > 0 ? ["{}", "[]", "\"\""] : ["\"\""]).utf8)
    case 6: return nested(Int.random(in: 1...depth, using: &random))
    case 7: return array((0..<random.pick([0, 1, 2, 5])).map { _ in value(depth: depth - 1) })
    default:
      return object((0..<random.pick([0, 1, 2, 5])).map { _ in (someString(), value(depth: depth - 1)) })
    }
  }

  /// Containers nested exactly `depth` deep, which is at least 1, unless a place is broken.
  mutating func nested(_ depth: Int) -> [UInt8] {
    var text = random.pick([Array("{}".utf8), Array("[]".utf8), Array("[ ]".utf8), Array("{ }".utf8)])
    for _ in 1..<max(1, depth) { text = random.chance(2) ? array([text]) : object([(someString(), text)]) }
    return text
  }

  /// An array from elements that are already encoded.
  mutating func array(_ elements: [[UInt8]]) -> [UInt8] {
    var text = [UInt8(ascii: "[")] + space()
    for (index, element) in elements.enumerated() {
      if index > 0 { text += isBroken() ? random.pick([[], Array(",,".utf8), Array(":".utf8)]) : Array(",".utf8) }
      text += space() + element + space()
    }
    if isBroken() { text += Array(random.pick([",", "]", "}"]).utf8) }
    return isBroken() ? text : text + [UInt8(ascii: "]")]
  }

  /// An object from members that are already encoded.
  mutating func object(_ members: [(name: [UInt8], value: [UInt8])]) -> [UInt8] {
    var text = [UInt8(ascii: "{")] + space()
    for (index, member) in members.enumerated() {
      if index > 0 { text += isBroken() ? random.pick([[], Array(",,".utf8), Array(";".utf8)]) : Array(",".utf8) }
      text += space() + member.name + space()
      text += isBroken() ? random.pick([[], Array("::".utf8), Array("=".utf8), Array(",".utf8)]) : Array(":".utf8)
      text += space() + member.value + space()
    }
    if isBroken() { text += Array(random.pick([",", "]", "}", ":"]).utf8) }
    return isBroken() ? text : text + [UInt8(ascii: "}")]
  }
}
