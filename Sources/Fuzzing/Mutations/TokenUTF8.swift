extension Mutation {
  static let tokenUTF8 = Mutation(
    "token-utf8", .tokenText,
    hunts:
      "UTF-8 that is none, raw controls and broken escapes in members that nobody reads, at every offset of a vector"
  ) { draft, random in
    guard let brace = draft.tokenText.firstIndex(of: UInt8(ascii: "{")) else { return false }
    // Plain characters before and behind bring the telling ones to any place in a block.
    let before = [UInt8](
      repeating: 0x78, count: random.pick([0, 1, 3, 7, 15, 16, 31, 32, 47, 63, 64, random.below(130)]))
    let after = [UInt8](repeating: 0x79, count: random.pick([0, 1, 2, 15, 16, 64]))
    let inside = before + random.pick(JSONTextEdits.insideStrings) + after
    let quote = [UInt8(ascii: "\"")]
    let member =
      random.chance(3)
      ? quote + inside + quote + Array(":0,".utf8)
      : Array("\"unknown\":".utf8) + quote + inside + quote + [UInt8(ascii: ",")]
    draft.tokenText.insert(contentsOf: member, at: brace + 1)
    draft.token = nil
    draft.touch(.tokenText)
    return true
  }
}
