extension Mutation {
  static let hexText = Mutation(
    "hex", .members, hunts: "lenient hexadecimal: odd lengths, other characters, prefixes; either case must do"
  ) { draft, random in
    let path = random.pick([["header", "transactionId"], ["header", "transactionId"], ["header", "applicationData"]])
    guard var token = draft.token else { return false }
    var text = token.content(at: path) ?? Array(String(repeating: "0f", count: 32).utf8)
    switch random.below(9) {
    case 0: text = text.map { (0x61...0x66).contains($0) && random.chance(2) ? $0 - 0x20 : $0 }
    case 1: text = Array(text.dropLast(random.pick([1, 2])))
    case 2: text += Array(random.pick(["0", "00", "g", " ", "h"]).utf8)
    case 3: text = Array("0x".utf8) + text
    case 4: text = []
    case 5, 6:
      guard !text.isEmpty else { return false }
      text[random.below(text.count)] = random.pick(Array("gG/:@`xX \u{7F}".utf8) + [0x80, 0xE6])
    case 7: text = Array(text.reversed())
    default: text = OctetEdits.changed(text, using: &random)
    }
    token[path[...]] = .scalar([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }
}
