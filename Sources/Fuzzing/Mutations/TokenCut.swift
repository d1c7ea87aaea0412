extension Mutation {
  static let tokenCut = Mutation(
    "token-cut", .tokenText,
    hunts: "text that ends in the middle of a literal, an escape or a number: readers that look beyond"
  ) { draft, random in
    var text = Array(draft.tokenText.prefix(1 + random.below(draft.tokenText.count)))
    if random.chance(2) {
      // Behind the last colon a value may begin.
      let end = text.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
      text = text[..<end] + random.pick(Self.beginnings)
    }
    draft.tokenText = text
    draft.token = nil
    draft.touch(.tokenText)
    return true
  }

  private static let beginnings: [[UInt8]] =
    [
      "t", "tru", "f", "fals", "n", "nul", "-", "0", "1.", "1e", "1e+", "\"", "\"\\", "\"\\u", "\"\\u00e", "\"\\uD83D",
      "\"\\uD83D\\", "\"\\uD83D\\uDE0", "{", "{\"", "[", "[0,",
    ].map { Array($0.utf8) } + [[0x22, 0xC3], [0x22, 0xE2, 0x82], [0x22, 0xF0, 0x9F, 0x98]]
}
