extension Mutation {
  static let base64Text = Mutation(
    "base64", .members,
    hunts:
      "lenient base64: padding, trailing bits, alphabets, white space, one kernel for blocks and another for the rest"
  ) { draft, random in
    let path = random.pick([
      ["data"], ["signature"], ["header", "publicKeyHash"], ["header", draft.keyName],
    ])
    guard var token = draft.token, var text = token.content(at: path) else { return false }
    switch random.below(12) {
    case 0: text = Array(text.dropLast())
    case 1: text += Array(random.pick(["=", "==", "===", "====", "A", "AA", "AAA", "AAAA", "A===", "\n", " "]).utf8)
    case 2, 3: trailingBits(&text, using: &random)
    case 4:
      text = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    case 5: text = text.filter { $0 != UInt8(ascii: "=") }
    case 6, 7:
      // One character in any place of a block that vectors of 16, 32 or 64 read at once.
      let place =
        random.chance(2) ? random.below(text.count + 1) : min(text.count, random.below(4) * 64 + random.below(64))
      let character = random.pick(Self.strange)
      if random.chance(3) || place >= text.count {
        text.insert(contentsOf: character, at: place)
      } else {
        text.replaceSubrange(place..<min(text.count, place + character.count), with: character)
      }
    case 8: text = []
    case 9: text.insert(UInt8(ascii: "="), at: random.below(text.count + 1))
    default: text = OctetEdits.changed(text, within: max(0, text.count - 5)..<text.count, using: &random)
    }
    token[path[...]] = .scalar([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }

  private static let strange: [[UInt8]] =
    [" ", "\\n", "\\u0041", "\\/", "-", "_", "=", ".", "*", "@", "[", "`", "{", ":", ",", "é", "\\u0000", "~"].map {
      Array($0.utf8)
    } + [[0x7F], [0xC3, 0x81], [0xC2, 0x80], [0xC3, 0xBF]]

  /// Bits behind the last octet, which must be zero: each of them by itself.
  private static func trailingBits(_ text: inout [UInt8], using random: inout QuickGenerator) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    guard let last = text.lastIndex(where: { $0 != UInt8(ascii: "=") }),
      let value = alphabet.firstIndex(of: text[last])
    else { return }
    let unused = text.count - 1 - last == 2 ? 4 : 2
    text[last] = alphabet[value ^ (1 << random.below(unused))]
  }
}
